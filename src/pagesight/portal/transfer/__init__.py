"""From one installation to another: a zip file with everything, and outlines of pages."""
