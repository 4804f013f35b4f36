"""One package per reading."""
