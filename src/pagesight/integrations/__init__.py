"""Pagesight within other programs: each module needs the package that it is named after."""
