"""The reading `outline`: which texts are headings, and on which level."""
