"""Names of persons and places: how they are written, and by which words they are known."""
