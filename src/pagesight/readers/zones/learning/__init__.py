"""Pages with drawn blocks, training and evaluation. Nothing that reads a page imports this."""
