"""Mathematics on arrays, independent of pages."""
