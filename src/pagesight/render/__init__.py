"""Renderers: bytes in, a `Page` out."""
