"""The renderer that needs nothing but pip: PlutoBook lays the page out.

The engine has no interface to its boxes. It paints into a PDF, though, and colours come through
exactly. So a page is painted twice: once with every element's colour and background replaced by
a number, which says whose box and whose text each painted thing is, and once as it is, for the
true colours.
"""
