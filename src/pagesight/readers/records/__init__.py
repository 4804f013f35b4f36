"""The reading `records`: the products or other records that a page lists, and their values."""
