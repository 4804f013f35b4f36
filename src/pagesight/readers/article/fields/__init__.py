"""The values of labelled zones, one module a field."""
