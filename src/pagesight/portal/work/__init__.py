"""The work: looking at pages, and telling people. Done by processes beside the server."""
