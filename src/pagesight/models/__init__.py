"""Mathematics on arrays: knows nothing of pages."""
