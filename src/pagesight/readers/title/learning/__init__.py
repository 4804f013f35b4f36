"""Pages with known titles, training and evaluation. Nothing that reads a page imports this."""
