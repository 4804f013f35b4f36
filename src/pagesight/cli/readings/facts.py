"""What a page is and how it was rendered."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from rich.text import Text

from pagesight.cli.output import printable
from pagesight.cli.readings.reading import Reading

if TYPE_CHECKING:
    from pagesight.document import Document
    from pagesight.page import Note, Page

LABEL = 12
MOST_NOTES = 3


def fields(document: Document) -> dict[str, Any]:
    """The facts, as `docs/commands/read.md` promises them."""
    page, info = document.page, document.page.info
    return {
        "url": page.url,
        "title": page.head.title,
        "language": page.head.language,
        "renderer": {"name": info.renderer, "version": info.renderer_version},
        "viewport": list(info.viewport),
        "size": [_plain(length) for length in info.size],
        "nodes": len(page),
        "visible_nodes": int(page.visible.sum()),
        "words": _words(page),
        "media": info.media,
        "complete": page.complete,
        "notes": [asdict(note) for note in info.notes],
    }


def lines(document: Document, _: int | None) -> Iterator[Text]:
    """The facts in a few lines."""
    page = document.page
    yield Text(printable(page.head.title or "(no title)"), style="bold")
    yield Text(printable(document.source), style="cyan")
    if page.url and page.url != document.source:
        yield Text(printable(page.url), style="cyan")
    yield Text()
    yield _labelled("page", ", ".join(_shape(page)))
    yield _labelled("content", f"{_words(page):,} words in sight; {_nodes(page)}")
    yield _labelled(
        "rendered by", f"{page.info.renderer} {page.info.renderer_version}, {_state(page)}"
    )
    notes = page.info.notes
    for note in notes[:MOST_NOTES]:
        yield _labelled("", _note(note))
    if len(notes) > MOST_NOTES:
        yield _labelled("", f"and {len(notes) - MOST_NOTES} more; see --json")


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


def _labelled(label: str, text: str) -> Text:
    return Text.assemble((f"{label:<{LABEL}}", "dim"), text)


def _words(page: Page) -> int:
    return len(page.root.text.split())


def _plain(length: float) -> int | float:
    return int(length) if length.is_integer() else round(length, 2)


READING = Reading(name="facts", lines=lines)
