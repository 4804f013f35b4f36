"""Rendering in processes of their own.

The layout engine and PDFium are C++ libraries: a hostile page can crash them, hang them, or make
them eat memory. They run in warm worker processes with limits on time and memory, so that such a
page costs one page, and never the user's program.
"""
