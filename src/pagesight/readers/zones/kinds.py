"""The kinds of blocks, and the types of the corpus that they correspond to."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

KINDS = ("header", "navigation", "main", "aside", "footer", "list", "form", "advert", "media")

KIND_OF_TYPE: Mapping[str, str] = MappingProxyType(
    {
        "Header": "header",
        "Menu": "navigation",
        "Content": "main",
        "Article": "main",
        "Sidebar": "aside",
        "Footer": "footer",
        "LinkList": "list",
        "Searchbar": "form",
        "Ad": "advert",
        "Image": "media",
        "Video": "media",
        "Logo": "media",
    }
)
"""Types of the corpus that are one of the kinds; Title, Table, Comments and Author are none."""

LEARNED_KIND_OF_TYPE: Mapping[str, str] = MappingProxyType(
    {**KIND_OF_TYPE, **dict.fromkeys(("Title", "Table", "Comments", "Author"), "main")}
)
"""With those that nothing is measured with, but that are read like the rest of a text."""
