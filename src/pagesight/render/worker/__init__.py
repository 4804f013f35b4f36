"""Rendering in separate processes.

The layout engine and PDFium are C++ libraries: a hostile page can crash them, hang them, or exhaust
their memory. They run in warm worker processes with limits on time and memory, so that such a page
costs one page, and never the user's program.
"""
