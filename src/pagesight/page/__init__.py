"""Page: what a browser window shows, frozen. The one type that all later stages share."""

from pagesight.page.box import Box
from pagesight.page.node import Node, Run
from pagesight.page.page import Note, Page, PageInfo
from pagesight.page.style import Align, Decoration, Display, Float, NodeKind, Position, Style
from pagesight.page.visibility import Visibility

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
