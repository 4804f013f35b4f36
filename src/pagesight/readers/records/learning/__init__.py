"""How records are learned, and how well they are read."""
