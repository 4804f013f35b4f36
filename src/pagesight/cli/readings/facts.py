"""What a page is and how it was rendered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from rich.text import Text

from pagesight.cli.output import printable
from pagesight.cli.readings import headline, labelled

if TYPE_CHECKING:
    from pagesight.document import Document
    from pagesight.page import Note, Page

MOST_NOTES = 3


def lines(document: Document) -> Iterator[Text]:
    """The facts in a few lines."""
    page = document.page
    yield from headline(page.head.title, document.source)
    if page.url and page.url != document.source:
        yield Text(printable(page.url), style="cyan")
    yield Text()
    yield labelled("page", ", ".join(_shape(page)))
    yield labelled("content", f"{len(page.root.text.split()):,} words in sight; {_nodes(page)}")
    yield labelled(
        "rendered by", f"{page.info.renderer} {page.info.renderer_version}, {_state(page)}"
    )
    notes = page.info.notes
    for note in notes[:MOST_NOTES]:
        yield labelled("", _note(note))
    if len(notes) > MOST_NOTES:
        yield labelled("", f"and {len(notes) - MOST_NOTES} more; see --json")


def _shape(page: Page) -> Iterable[str]:
    yield page.info.media.upper()
    if page.head.language:
        yield printable(page.head.language)
    width, height = page.info.size
    yield f"{width:.0f} × {height:.0f} px"


def _nodes(page: Page) -> str:
    return f"{len(page):,} nodes, {int(page.visible.sum()):,} visible"


def _state(page: Page) -> str:
    return "complete" if page.complete else "not complete:"


def _note(note: Note) -> str:
    count = f"{note.count} × " if note.count > 1 else ""
    return printable(f"{count}{note.kind}: {note.detail}")
