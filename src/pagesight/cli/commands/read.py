"""`pagesight read`: what pages are, and what can be read from them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from pagesight.cli.options import ReadingOptions, reads_pages
from pagesight.cli.output import (
    LABEL,
    headed,
    headline,
    labelled,
    say_json,
    say_lines,
    styled,
    width,
)

if TYPE_CHECKING:
    from rich.text import Text

    from pagesight.document import Document
    from pagesight.page import Node, Note, Page

EXAMPLES = """\
  pagesight read page.html
  pagesight read --url https://example.com/tea saved/tea.html
  pagesight read --json *.html *.pdf > pages.jsonl
  curl -s https://example.com/ | pagesight read --json -
  pagesight read --json --from list.jsonl --jobs 8
"""
MOST_NOTES = 3
MOST_TEXTS = 3  # of those that are large
GAP = 2  # columns between a label and its text


@reads_pages
def read(options: ReadingOptions) -> int:
    """Show what pages are: a screen or a line of JSON for each."""
    from pagesight.cli.sources import work_through

    return work_through(options, print_json if options.as_json else print_screen)


def print_json(document: Document) -> None:
    """Everything that was read, as one line."""
    say_json(document.to_json())


def print_screen(document: Document) -> None:
    """Everything that was read, for a person."""
    from pagesight.readers.registry import readings

    def shown(*, sections: bool) -> Iterator[Text]:
        for reading in readings():
            if reading.lines and reading.section == sections:
                yield from reading.call("lines", document.glance(reading.name), width())

    say_lines([*fact_lines(document), *shown(sections=False)])
    say_lines([*large_text_lines(document.page, width()), *shown(sections=True), ""])


def fact_lines(document: Document) -> Iterator[Text]:
    """What a page is and how it was rendered, in a few lines."""
    page, info = document.page, document.page.info
    yield from headline(page.head.title, document.source)
    if page.url and page.url != document.source:
        yield styled(page.url, style="cyan")
    yield styled()
    size = "{:.0f} × {:.0f} px".format(*info.size)
    yield labelled("page", ", ".join(filter(None, (info.media.upper(), page.head.language, size))))
    nodes = f"{len(page):,} nodes, {int(page.visible.sum()):,} visible"
    yield labelled("content", f"{len(page.root.text.split()):,} words in sight; {nodes}")
    state = "complete" if page.complete else "not complete:"
    yield labelled("rendered by", f"{info.renderer} {info.renderer_version}, {state}")
    for note in info.notes[:MOST_NOTES]:
        yield labelled("", _note(note))
    if len(info.notes) > MOST_NOTES:
        yield labelled("", f"and {len(info.notes) - MOST_NOTES} more; see --json")


def _note(note: Note) -> str:
    count = f"{note.count} × " if note.count > 1 else ""
    return f"{count}{note.kind}: {note.detail}"


class LargeText(NamedTuple):
    """A block of text with its look."""

    text: str
    node: Node
    size: float
    weight: int


def largest_texts(page: Page, most: int = MOST_TEXTS) -> list[LargeText]:
    """What the eye falls on first: the largest text on the first screen, the largest first."""
    from pagesight.segment.blocks import text_blocks

    blocks = text_blocks(page)
    width, height = page.info.viewport
    sizes, weights = (blocks.style(name).tolist() for name in ("font_size", "font_weight"))
    shown = [
        LargeText(blocks.strings[block], page[int(blocks.element[block])], size, weight)
        for block, (size, weight) in enumerate(zip(sizes, weights, strict=True))
        if (blocks.box[block] < (width, height, math.inf, math.inf)).all()
        and (blocks.box[block, 2:] > 0).all()
    ]
    # Sorting is stable: what is equally large stays in the order of the page.
    return sorted(shown, key=lambda large: (-large.size, -large.weight))[:most]


def large_text_lines(page: Page, width: int | None) -> Iterator[Text]:
    """Each of the largest texts with its size, and with its XPath below."""
    texts = largest_texts(page)
    if not texts:
        return
    yield from headed("Largest text on the first screen")
    labels = [_label(large) for large in texts]
    column = max(LABEL, *(len(label) + GAP for label in labels))
    for label, large in zip(labels, texts, strict=True):
        yield labelled(label, large.text, room=column)
        path = _end_of(large.node.xpath, width and width - column)
        yield labelled("", styled(path, style="dim"), room=column)


def _label(large: LargeText) -> str:
    from pagesight.segment.nodes import BOLD

    bold = " bold" if large.weight >= BOLD else ""
    return f"{round(large.size, 1):.10g} px{bold}"


def _end_of(path: str, room: int | None) -> str:
    """The end of an XPath says more than its beginning."""
    return path if room is None or len(path) <= room else "…" + path[1 - room :]
