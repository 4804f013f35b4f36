"""The parts of a page, for people and for programs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from pagesight.cli.output import printable
from pagesight.cli.readings import LABEL, USUAL_WIDTH, cut, headline, labelled
from pagesight.readers.zones.reading import PagePart, ZonesReading

if TYPE_CHECKING:
    from pagesight.document import Document
    from pagesight.page import Box, Page
    from pagesight.segment import ZoneTree

NOTHING = "(there is nothing to see)"
MOST = 12  # parts that `pagesight read` shows
LONGEST = 200  # characters of a part that are shown
_COLORS = {
    "header": "magenta",
    "navigation": "blue",
    "main": "green",
    "aside": "yellow",
    "footer": "magenta",
    "list": "cyan",
    "form": "yellow",
    "advert": "red",
    "media": "cyan",
}


def part_lines(document: Document, reading: ZonesReading) -> Iterator[Text]:
    """Each part with its kind, its place and its first words."""
    yield from headline(document.page.head.title, document.source)
    yield from map(_part_line, reading.zones)
    if not reading.zones:
        yield Text(NOTHING)
    yield Text()


def tree_lines(document: Document, reading: ZonesReading) -> Iterator[Text]:
    """The whole tree, indented."""
    yield from headline(document.page.head.title, document.source)
    yield from _tree_lines(reading.tree)
    yield Text()


def tree_reading(page: Page, name: str, permitted_doc: int) -> ZonesReading:
    """A tree of a page, and the zones that are its segmentation."""
    from pagesight.segment import leaf_zones, prune, zone_tree
    from pagesight.segment.vips import vision_tree

    if name == "xycut":
        tree = zone_tree(page)
        zones = prune(tree, leaf_zones(page)).tolist()
    else:
        tree = vision_tree(page, permitted_doc)
        zones = tree.is_leaf.nonzero()[0].tolist()
    return ZonesReading(tree, tuple(PagePart.of(tree[zone]) for zone in zones))


def _part_line(part: PagePart) -> Text:
    kind = part.kind or ""
    return Text.assemble(
        (f"{kind:<{LABEL}}", _COLORS.get(kind, "")),
        (f"{part.confidence:4.0%}  {_place(part.zone.box):<24}", "dim"),
        printable(_first_words(part.text)),
    )


def _tree_lines(tree: ZoneTree) -> Iterator[Text]:
    depths: list[int] = []
    for zone, parent in zip(tree, tree.parent.tolist(), strict=True):
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        words = printable(_first_words(zone.text)) if tree.is_leaf[zone.id] else ""
        yield Text.assemble("  " * depths[-1], (f"{_place(zone.box)}  ", "dim"), words)


def _place(box: Box) -> str:
    return f"{box.width:.0f} × {box.height:.0f} at {box.x:.0f}, {box.y:.0f}"


def _first_words(text: str) -> str:
    """The beginning of a text, or what is shown in place of a text."""
    return cut(" ".join(text.split()), LONGEST) or "(no text)"


def lines(reading: ZonesReading, width: int | None) -> Iterator[Text]:
    """Each part with its kind and its first words, in one line."""
    room = (width or USUAL_WIDTH) - LABEL
    parts = reading.zones
    if not parts:
        return
    yield Text()
    yield Text("Parts", style="bold")
    for part in parts[:MOST]:
        yield labelled(part.kind or "", cut(_first_words(part.text), room))
    if len(parts) > MOST:
        yield Text(f"{'':<{LABEL}}and {len(parts) - MOST} more; see pagesight zones", style="dim")
