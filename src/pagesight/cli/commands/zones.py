"""`pagesight zones`: the parts that pages consist of."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from pagesight.cli.options import (
    ReadingOptions,
    WrongUse,
    count_option,
    name_option,
    reads_pages,
)
from pagesight.cli.output import (
    LABEL,
    USUAL_WIDTH,
    headed,
    labelled,
    say_json,
    say_screen,
    styled,
)

if TYPE_CHECKING:
    from rich.text import Text

    from pagesight.document import Document
    from pagesight.page import Box, Page
    from pagesight.readers.zones.reading import PagePart, ZonesReading
    from pagesight.segment import ZoneTree

EXAMPLES = """\
  pagesight zones page.html
  pagesight zones --json *.html > zones.jsonl
  pagesight zones --granularity fine page.html
  pagesight zones --tree vips --permitted-doc 6 page.html
"""
GRANULARITIES = {"coarse": 0.35, "medium": 0.5, "fine": 0.8}
USUAL_DEGREE = 8
MOST = 12  # parts that `pagesight read` shows
LONGEST = 200  # characters of a part that are shown
_COLORS = {"header": "magenta", "navigation": "blue", "main": "green", "aside": "yellow",
           "footer": "magenta", "list": "cyan", "form": "yellow", "advert": "red",
           "media": "cyan", "dialog": "red"}  # fmt: skip

TreeName = StrEnum("TreeName", ["XYCUT", "VIPS"])


def parse_granularity(given: object) -> float:
    """One of the names, or a number from 0 to 1."""
    text = str(given).strip().lower()
    try:
        granularity = GRANULARITIES.get(text) or float(text)
    except ValueError:
        granularity = -1.0
    if not 0 <= granularity <= 1:
        names = ", ".join(GRANULARITIES)
        raise typer.BadParameter(f"'{given}' is none of {names}, and not a number from 0 to 1")
    return granularity


@reads_pages
def zones(
    options: ReadingOptions,
    granularity: Annotated[
        float | None,
        typer.Option(
            metavar="SIZE",
            parser=parse_granularity,
            autocompletion=lambda: [*GRANULARITIES],
            help="How finely to divide: coarse, medium, fine, or a number from 0 to 1: medium if "
            "not given.",
        ),
    ] = None,
    tree: Annotated[
        TreeName | None,
        name_option("Show a whole tree instead: xycut (divided at gaps) or vips (by coherence)."),
    ] = None,
    permitted_doc: Annotated[
        int | None,
        count_option(
            f"How coherent the smallest blocks of vips are, 1 to 10: {USUAL_DEGREE} if not given.",
            most=10,
        ),
    ] = None,
) -> int:
    """List the parts of a page: header, navigation, main, aside, footer, and so on."""
    if tree and granularity is not None:
        raise WrongUse("--granularity is for blocks: a --tree has all sizes")
    if permitted_doc and tree is not TreeName.VIPS:
        raise WrongUse("--permitted-doc is for --tree vips")
    from pagesight.cli.sources import work_through
    from pagesight.cpu import limited

    size = GRANULARITIES["medium"] if granularity is None else granularity

    def use(document: Document) -> None:
        page = document.page
        if tree:
            degree = permitted_doc or USUAL_DEGREE
            reading = limited(lambda: tree_reading(page, tree.value, degree), options.reading_time)
        else:
            reading = document.reading("zones", granularity=size)
        if options.as_json:
            say_json(document.json_of(reading))
        else:
            shown = _tree_lines(reading.tree) if tree else _part_lines(reading)
            say_screen(page.head.title, document.source, shown)

    return work_through(options, use)


def tree_reading(page: Page, name: str, permitted_doc: int) -> ZonesReading:
    """A tree of a page, and the zones that are its segmentation."""
    from pagesight.readers.zones.reading import PagePart, ZonesReading
    from pagesight.segment import leaf_zones, prune, zone_tree
    from pagesight.segment.vips import vision_tree

    if name == TreeName.XYCUT:
        tree = zone_tree(page)
        segmentation = prune(tree, leaf_zones(page)).tolist()
    else:
        tree = vision_tree(page, permitted_doc)
        segmentation = tree.is_leaf.nonzero()[0].tolist()
    return ZonesReading(tree, tuple(PagePart.of(tree[zone]) for zone in segmentation))


def _part_lines(reading: ZonesReading) -> Iterator[Text]:
    """Each part with its kind, its place and its first words."""
    yield from map(_part_line, reading.zones)
    if not reading.zones:
        yield styled("(there is nothing to see)")


def _part_line(part: PagePart) -> Text:
    kind = part.kind or ""
    place = f"{part.confidence:4.0%}  {_place(part.zone.box):<24}"
    words = styled((place, "dim"), _first_words(part.text))
    return labelled(kind, words, style=_COLORS.get(kind, ""))


def _tree_lines(tree: ZoneTree) -> Iterator[Text]:
    """The whole tree, indented."""
    depths: list[int] = []
    for zone, parent in zip(tree, tree.parent.tolist(), strict=True):
        depths.append(depths[parent] + 1 if parent >= 0 else 0)
        words = _first_words(zone.text) if tree.is_leaf[zone.id] else ""
        yield styled("  " * depths[-1], (f"{_place(zone.box)}  ", "dim"), words)


def _place(box: Box) -> str:
    return f"{box.width:.0f} × {box.height:.0f} at {box.x:.0f}, {box.y:.0f}"


def _first_words(text: str, room: int = LONGEST) -> str:
    """The beginning of a text, or what is shown in place of a text."""
    from pagesight.readers.value import shortened

    return shortened(text, room) or "(no text)"


def lines(reading: ZonesReading, width: int | None) -> Iterator[Text]:
    """Each part with its kind and its first words in one line, for `pagesight read`."""
    room = (width or USUAL_WIDTH) - LABEL
    parts = reading.zones
    if not parts:
        return
    yield from headed("Parts")
    for part in parts[:MOST]:
        yield labelled(part.kind or "", _first_words(part.text, room))
    if len(parts) > MOST:
        more = f"and {len(parts) - MOST} more; see pagesight zones"
        yield labelled("", styled(more, style="dim"))
