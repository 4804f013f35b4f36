"""One module per command, with a function of its name."""
