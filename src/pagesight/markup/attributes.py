"""Which attributes and texts of a document a Page keeps."""

from __future__ import annotations

# Everything else (style, event handlers, most data-*) adds nothing to what is visible.
KEPT = frozenset(
    """
    abbr about action alt aria-describedby aria-hidden aria-label aria-labelledby aria-level
    aria-roledescription charset checked cite class colspan content data data-original data-src
    data-srcset datatype datetime dir disabled download for headers height hidden href hreflang
    http-equiv id itemid itemprop itemref itemscope itemtype kind label lang media method name
    open placeholder poster prefix property rel resource role rowspan scope selected shape sizes
    slot span src srcdoc srclang srcset start summary target title type typeof usemap value vocab
    width xml:lang xmlns
    """.split()
)

# Their text is not content; JSON-LD is metadata and stays.
TEXTLESS = frozenset({"script", "style", "template", "noembed", "noframes"})
LINKED_DATA = "application/ld+json"

LONGEST_DATA_ADDRESS = 128


def shorten(value: str) -> str:
    """A data: address without its data: a picture's bytes are not part of a Page."""
    if len(value) > LONGEST_DATA_ADDRESS and value[:5].lower() == "data:":
        return value.partition(",")[0][:LONGEST_DATA_ADDRESS] + ",…"
    return value
