"""Labelled articles, training and evaluation. Nothing that reads a page imports this."""
