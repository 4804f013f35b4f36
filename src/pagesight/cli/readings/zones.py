"""The parts of a page, for people and for programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rich.text import Text

from pagesight.cli.output import printable, say_json, say_lines
from pagesight.cli.readings.reading import Reading

if TYPE_CHECKING:
    from pagesight.document import Document
    from pagesight.page import Box, Page
    from pagesight.readers.zones import Block
    from pagesight.segment import Zone, ZoneTree

LABEL = 12
NOTHING = "(there is nothing to see)"
MOST = 12  # blocks that `pagesight read` shows
USUAL_WIDTH = 100  # of a line, where there is no screen
LONGEST = 200  # characters of a block that are shown
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


def block_output(granularity: float, as_json: bool) -> Callable[[Document], None]:
    """What prints the blocks of a document."""
    from pagesight.readers.zones import read_zones

    def show(document: Document) -> None:
        found = read_zones(document.page, granularity)
        if as_json:
            say_json({"source": document.source, **found.to_json()})
        else:
            blocks = map(_block_line, found.zones) if found.zones else [NOTHING]
            say_lines([*_heading(document), *blocks, ""])

    return show


def tree_output(name: str, permitted_doc: int, as_json: bool) -> Callable[[Document], None]:
    """What prints a tree of a document, and the blocks that end it."""
    from pagesight.readers.zones.reading import nested, plain_zone

    def show(document: Document) -> None:
        tree, zones = _tree(document.page, name, permitted_doc)
        if as_json:
            flat = [plain_zone(tree[zone]) for zone in zones]
            say_json({"source": document.source, "tree": nested(tree), "zones": flat})
        else:
            say_lines([*_heading(document), *_tree_lines(tree), ""])

    return show


def _tree(page: Page, name: str, permitted_doc: int) -> tuple[ZoneTree, Sequence[int]]:
    """A tree of a page, and the zones that are its segmentation."""
    from pagesight.segment import leaf_zones, prune, zone_tree
    from pagesight.segment.vips import vision_tree

    if name == "xycut":
        leaves = leaf_zones(page)
        tree = zone_tree(page, leaves)
        return tree, prune(tree, leaves).tolist()
    tree = vision_tree(page, permitted_doc)
    return tree, tree.is_leaf.nonzero()[0].tolist()


def _heading(document: Document) -> Iterator[Text]:
    yield Text(printable(document.page.head.title or "(no title)"), style="bold")
    yield Text(printable(document.source), style="cyan")


def _block_line(block: Block) -> Text:
    return Text.assemble(
        (f"{block.kind:<{LABEL}}", _COLORS.get(block.kind, "")),
        (f"{block.confidence:4.0%}  {_place(block.box):<24}", "dim"),
        _first_words(block.zone),
    )


def _tree_lines(tree: ZoneTree) -> Iterator[Text]:
    depths: list[int] = []
    for zone, parent in zip(tree, tree.parent.tolist(), strict=True):
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        words = _first_words(zone) if tree.is_leaf[zone.id] else ""
        yield Text.assemble("  " * depths[-1], (f"{_place(zone.box)}  ", "dim"), words)


def _place(box: Box) -> str:
    return f"{box.width:.0f} × {box.height:.0f} at {box.x:.0f}, {box.y:.0f}"


def _first_words(zone: Zone) -> str:
    """The beginning of the text, or what stands in place of a text."""
    found = ""
    for leaf in zone.leaves:
        found += " " + " ".join(leaf.text.split())
        if len(found) > LONGEST + 1:
            break
    return printable(_cut(found.strip(), LONGEST)) or "(no text)"


def _cut(text: str, room: int) -> str:
    return text if len(text) <= room else text[: room - 1] + "…"


def fields(document: Document) -> list[dict[str, Any]]:
    """The blocks, without their texts."""
    from pagesight.readers.zones.reading import plain_box

    return [
        {
            "kind": block.kind,
            "confidence": round(block.confidence, 4),
            "box": plain_box(block.box),
            "xpath": block.xpath,
        }
        for block in document.zones.zones
    ]


def lines(document: Document, width: int | None) -> Iterator[Text]:
    """Each block with its kind and its first words, in one line."""
    room = (width or USUAL_WIDTH) - LABEL
    blocks = document.zones.zones
    if not blocks:
        return
    yield Text()
    yield Text("Parts", style="bold")
    for block in blocks[:MOST]:
        shown = _cut(_first_words(block.zone), room)
        yield Text.assemble((f"{block.kind:<{LABEL}}", "dim"), shown)
    if len(blocks) > MOST:
        yield Text(f"{'':<{LABEL}}and {len(blocks) - MOST} more; see pagesight zones", style="dim")


READING = Reading(name="zones", fields=fields, lines=lines)
