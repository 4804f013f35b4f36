"""Citations: the parts of a reference, or of a line that says where an article appeared."""
