"""Page: what a browser window shows, frozen. The one type that all later stages share."""

from pagesight.page.columns import Note, PageInfo
from pagesight.page.page import Node, Page, Run
from pagesight.page.style import (
    Align,
    Box,
    Decoration,
    Display,
    Float,
    NodeKind,
    Position,
    Style,
    Visibility,
)

__all__ = [
    "Align",
    "Box",
    "Decoration",
    "Display",
    "Float",
    "Node",
    "NodeKind",
    "Note",
    "Page",
    "PageInfo",
    "Position",
    "Run",
    "Style",
    "Visibility",
]
