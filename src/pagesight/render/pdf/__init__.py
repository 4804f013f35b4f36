"""The pdf renderer: positioned text becomes lines, and lines become a `Page` like any other."""

from pagesight.render.pdf.document import page_from_pdf, version

__all__ = ["page_from_pdf", "version"]
