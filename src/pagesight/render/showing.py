"""Saved pages whose scripts had run, or have yet to show what is there, or wait for consent.

Scripts of saved pages are not run. What is in sight without them decides which of two renderings
is the page, in the same way for every renderer, and the notes of the page say so.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pagesight.errors import RenderError
from pagesight.markup.nesting import limited_styles
from pagesight.markup.noscript import as_with_scripts, scripts_had_run, without_said
from pagesight.page import Note, Page
from pagesight.page.consent import consent_dialogs
from pagesight.page.style import NodeKind, Visibility
from pagesight.render.renderer import Picture
from pagesight.sources import Source

LEAST_SHOWN = 0.2  # of the words; where fewer are in sight, nearly everything is hidden
FEWEST = 100  # words that are worth a second look
HALF = 0.5
LOCKED = 1.2  # heights of the window; higher pages can be scrolled
MUCH_MORE = 1.2  # words in sight, if a page is not locked
LONGEST = 80  # characters of a dialog in a note
# Whatever else keeps a page from being scrolled while a dialog is before it
UNLOCK = (
    "<style>:root:root:root, :root:root:root body { overflow: visible !important; "
    "height: auto !important; max-height: none !important; position: static !important }</style>"
)
HAD_RUN = "left out: the scripts of the page had run"
AS_WITH_SCRIPTS = "laid out as with scripts, without noscript: nearly everything is hidden else"
TOO_DEEP = "style elements, without the rules that are nested most deeply"
_UNSEEN = ("head", "script", "style", "template", "noscript", "select", "textarea", "svg", "iframe")

Rendered = tuple[Page, Picture | None]
Render = Callable[[Source, float | None], Rendered]  # within so many seconds
Ints = NDArray[np.int64]


def shown(source: Source, render: Render, *, timeout: float | None = None) -> Rendered:
    """A page as it is, or as it is with scripts; render it a second time if little is in sight.

    If a dialog asks for consent, the page behind it is read as well. Further looks take what the
    first one has left of `timeout`, in which waiting for a place counts: what was seen first is the
    page if nothing is left, or if another look fails.
    """
    if not source.kind.is_markup:
        return render(source, None)
    again = _Again(render, timeout)
    if source.live:
        page, picture = render(source, None)
    else:
        source, page, picture = _with_scripts(source, render, again)
    dialogs = consent_dialogs(page)
    if not dialogs:
        return page, picture
    detail = f"a dialog asks for consent: {' '.join(page.text(dialogs[0]).split())[:LONGEST]}"
    if page.info.size[1] < LOCKED * page.info.viewport[1] and not source.live:
        other = again.look(_changed(source, source.text + UNLOCK))
        if other and _in_sight(other[0]) > MUCH_MORE * _in_sight(page):
            notes = [note for note in page.info.notes if note not in other[0].info.notes]
            page, picture = _noted(other[0], notes), other[1]
    return _noted(page, [Note("consent", detail, len(dialogs))]), picture


class _Again:
    """Further looks at a page, in what is left of its time."""

    def __init__(self, render: Render, timeout: float | None) -> None:
        self._render = render
        self._end = None if timeout is None else time.monotonic() + timeout

    def look(self, source: Source) -> Rendered | None:
        """The page, unless that fails or takes too long."""
        left = None if self._end is None else self._end - time.monotonic()
        if left is not None and left <= 0:
            return None
        try:
            return self._render(source, left)
        except RenderError:
            return None


def _with_scripts(
    source: Source, render: Render, again: _Again
) -> tuple[Source, Page, Picture | None]:
    """A page with what its scripts had shown, or would show, and what it is rendered from."""
    source, notes = _as_saved(source)
    shallow = _changed(source, limited_styles(source.text))
    if shallow is not source:
        source, notes = shallow, [*notes, Note("nested", TOO_DEEP)]
    page, picture = render(source, None)
    if _is_hidden(page):
        scripted = _changed(source, as_with_scripts(source.text))
        other = again.look(scripted) if scripted is not source else None
        if other and not _is_hidden(other[0]) and _in_sight(other[0]) > _in_sight(page):
            return scripted, _noted(other[0], [Note("revealed", AS_WITH_SCRIPTS)]), other[1]
        page, revealed = _revealed(page)
        notes += revealed
    return source, _noted(page, notes), picture


def _as_saved(source: Source) -> tuple[Source, list[Note]]:
    """The source without what its noscript elements say, if its scripts had run."""
    if "<noscript" not in source.text.lower() or not scripts_had_run(source.text):
        return source, []
    silent = _changed(source, without_said(source.text))
    return silent, [] if silent is source else [Note("noscript", HAD_RUN)]


def _changed(source: Source, text: str) -> Source:
    """The same source with other markup."""
    if text == source.text:
        return source
    data = text.encode("utf-8", "surrogatepass")
    changed = replace(source, data=data)
    changed.__dict__.update(encoding="utf-8", text=text)
    return changed


def _words(page: Page) -> Ints:
    """How many words each text node has that could be in sight."""
    counts = np.zeros(len(page), dtype=np.int64)
    texts = np.flatnonzero((page.columns["kind"] == NodeKind.TEXT) & (page.columns["text"] >= 0))
    strings = page.columns["text"][texts].tolist()
    counts[texts] = [len(page.strings[string].split()) for string in strings]
    unseen = np.array(page.elements(*_UNSEEN), dtype=np.int64)
    around = np.bincount(unseen, minlength=len(page) + 1).astype(np.int64)
    around -= np.bincount(page.end[unseen], minlength=len(page) + 1)
    counts[np.cumsum(around)[:-1] > 0] = 0
    return counts


def _is_hidden(page: Page) -> bool:
    """Whether nearly all words of a page are out of sight."""
    words = _words(page)
    seen, everything = int(words[page.visible].sum()), int(words.sum())
    return everything > FEWEST and seen < LEAST_SHOWN * everything


def _in_sight(page: Page) -> int:
    return len(page.root.text.split())


def _revealed(page: Page) -> tuple[Page, list[Note]]:
    """The page with what waits for a script to fade it in; else a note that little is in sight.

    Nobody writes most of a page so that it cannot be seen, where it has its place on the page. What
    is hidden in several parts may be hidden because only one of them is to be seen.
    """
    words, marks = _words(page), page.columns["visibility"]
    parts = (marks == Visibility.TRANSPARENT, _largest(page, words, marks == Visibility.HIDDEN))
    for waiting in parts:
        if words[waiting].sum() >= HALF * words.sum():
            seen = np.where(waiting, Visibility.VISIBLE, marks)
            detail = f"{words[waiting].sum():,} words that a script would show are taken as shown"
            columns = {**page.columns, "visibility": seen}
            return Page(columns, page.strings, page.info), [Note("revealed", detail)]
    hidden = words.sum() - words[page.visible].sum()
    detail = f"{hidden:,} of {words.sum():,} words are not in sight; scripts may have to show them"
    return page, [Note("hidden", detail)]


def _largest(page: Page, words: Ints, waiting: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Of what is waiting to be shown, the part in the element that has the most words of it."""
    before = np.append(0, np.cumsum(words * waiting))
    inside = (before[page.end] - before[:-1]) * waiting
    top = int(inside.argmax())
    within = np.arange(len(page))
    part: NDArray[np.bool_] = waiting & (within >= top) & (within < page.end[top])
    return part


def _noted(page: Page, notes: list[Note]) -> Page:
    if not notes:
        return page
    return Page(page.columns, page.strings, replace(page.info, notes=(*page.info.notes, *notes)))
