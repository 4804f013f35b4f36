"""Which attributes and texts of a document a Page keeps."""

from __future__ import annotations

from importlib.resources import files

# Everything else (style, event handlers, most data-*) adds nothing to what is visible.
KEPT = frozenset((files(__package__) / "kept.txt").read_text("utf-8").split())

# Their text is not content; JSON-LD is metadata and stays.
TEXTLESS = frozenset({"script", "style", "template", "noembed", "noframes"})
LINKED_DATA = "application/ld+json"

LONGEST_DATA_ADDRESS = 128


def shorten(value: str) -> str:
    """A data: address without its data: a picture's bytes are not part of a Page."""
    if len(value) > LONGEST_DATA_ADDRESS and value[:5].lower() == "data:":
        return value.partition(",")[0][:LONGEST_DATA_ADDRESS] + ",…"
    return value
