"""Readings in other formats, one module each."""
