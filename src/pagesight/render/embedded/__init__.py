"""The renderer that needs nothing but pip: PlutoBook lays the page out.

The engine has no interface to its boxes. But it paints into a PDF, in which colours are
exact. So a page is painted with lines along its texts and boxes whose colours are the numbers of
elements: they show which element each painted thing belongs to.
"""
