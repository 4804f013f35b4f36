"""Pages with known headings, training and evaluation. Nothing that reads a page imports this."""
