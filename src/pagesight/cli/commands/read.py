"""`pagesight read`: what pages are, and what can be read from them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

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
    from pagesight.page import Box, Node, Note, Page

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
SAME_WORD = 1.0  # px between two pieces of text that belong together


@reads_pages
def read(options: ReadingOptions) -> int:
    """Say what pages are: one screen each, or one line of JSON each."""
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


@dataclass(slots=True)
class LargeText:
    """The text directly in one block, as far as it is on the first screen."""

    node: Node
    size: float = 0.0
    weight: int = 0
    pieces: list[str] = field(default_factory=list)
    _last: Box | None = None

    @property
    def text(self) -> str:
        return " ".join("".join(self.pieces).split())

    def add(self, text: str, box: Box, size: float, weight: int) -> None:
        """Take one more piece of text; pieces that do not touch are separate words."""
        if self._last and not _touch(self._last, box):
            self.pieces.append(" ")
        self.pieces.append(text)
        self.size, self.weight = max((self.size, self.weight), (size, weight))
        self._last = box


def largest_texts(page: Page, most: int = MOST_TEXTS) -> list[LargeText]:
    """What the eye falls on first: the largest text on the first screen, the largest first."""
    from pagesight.page import Box
    from pagesight.segment.blocks import block_elements

    by_block: dict[int, LargeText] = {}
    columns, block_of = page.columns, block_elements(page).tolist()
    for row, node in enumerate(columns["run_node"].tolist()):
        box = Box(*columns["run_box"][row].tolist())
        if not page.visible[node] or not _on_first_screen(page, box):
            continue
        block = block_of[node]
        text = page.strings[columns["run_text"][row]]
        large = by_block.setdefault(block, LargeText(page[block]))
        large.add(text, box, float(columns["font_size"][node]), int(columns["font_weight"][node]))
    # Sorting is stable: what is equally large stays in the order of the page.
    texts = [large for large in by_block.values() if large.text]
    return sorted(texts, key=lambda large: (-large.size, -large.weight))[:most]


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


def _on_first_screen(page: Page, box: Box) -> bool:
    width, height = page.info.viewport
    return box.right > 0 and box.bottom > 0 and box.x < width and box.y < height


def _touch(before: Box, box: Box) -> bool:
    same_line = before.y < box.bottom and box.y < before.bottom
    return same_line and abs(box.x - before.right) <= SAME_WORD


def _end_of(path: str, room: int | None) -> str:
    """The end of an XPath says more than its beginning."""
    return path if room is None or len(path) <= room else "…" + path[1 - room :]
