"""The text that other programs want of a page."""

from __future__ import annotations

from pagesight.document import Document


def main_text(document: Document) -> str:
    """The text of the main parts of a page; all that is visible if it has none."""
    parts = [zone.text for zone in document.zones.zones if zone.kind == "main"]
    return "\n\n".join(filter(None, parts)) or document.page.root.text
