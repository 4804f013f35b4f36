"""The renderer that needs nothing but pip: PlutoBook lays the page out.

The engine has no interface to its boxes. It paints into a PDF, though, and colours come through
exactly. So a page is painted with lines along its texts and boxes, in colours that are numbers:
they say whose each painted thing is.
"""
