"""The published methods that titles are compared with."""
