"""Corpora of labelled pages, for training and evaluation: where they are, and their Pages."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from pagesight.errors import CorpusNotFound, PagesightError
from pagesight.page import Page
from pagesight.render import RenderOptions, open_renderer
from pagesight.render.cache import CachedRenderer
from pagesight.sources import Request, load

VARIABLE = "PAGESIGHT_CORPORA"
Row = dict[str, Any]
T = TypeVar("T")


@dataclass(frozen=True)
class Corpora:
    """The folder of the corpora, what renders their pages, and who hears of the progress."""

    folder: Path | None = None
    """Where `PAGESIGHT_CORPORA` says if None."""

    renderer: str = "auto"
    expect: Callable[[int], None] = lambda _: None
    """Hears how many more pages there are to work on."""

    advance: Callable[[], None] = lambda: None
    """Is called after each of them."""

    def folder_of(self, corpus: str) -> Path:
        """The folder of one corpus."""
        variable = os.environ.get(VARIABLE)
        folder = self.folder or (Path(variable) if variable else None)
        if folder is None:
            raise CorpusNotFound("no corpora given", hint=f"name their folder in {VARIABLE}")
        if not (folder / corpus).is_dir():
            hint = None if self.folder else f"that is what {VARIABLE} names"
            raise CorpusNotFound(f"no corpus {corpus!r} in {folder}", hint=hint)
        return folder / corpus

    def worked_on(self, rows: Sequence[T]) -> Iterator[T]:
        """The lines of a corpus, while the progress is reported."""
        self.expect(len(rows))
        for row in rows:
            yield row
            self.advance()

    def pages(
        self,
        folder: Path,
        listed: Sequence[Row],
        change: Callable[[bytes], bytes] = lambda data: data,
    ) -> Iterator[tuple[Row, Page]]:
        """The lines of a corpus with their Pages; those that cannot be rendered are left out."""
        requests = [request_of(folder, row) for row in listed]
        return self.rendered(listed, requests, change)

    def rendered(
        self,
        items: Sequence[T],
        requests: Iterable[Request],
        change: Callable[[bytes], bytes] = lambda data: data,
    ) -> Iterator[tuple[T, Page]]:
        """What pages are made of, or are about, with the Pages of their requests, if there are."""
        results = rendered(requests, renderer=self.renderer, change=change)
        for item, page in zip(self.worked_on(items), results, strict=True):
            if isinstance(page, Page):
                yield item, page


def rows(folder: Path, index: str = "dev.jsonl") -> list[Row]:
    """The lines of a corpus: one page each, with its labels."""
    try:
        lines = (folder / index).read_text(encoding="utf-8").split("\n")  # texts may hold U+2028
        listed = [json.loads(line) for line in lines if line.strip()]
        if not all(isinstance(row, dict) for row in listed):
            raise ValueError("a line is not an object")
        return listed
    except (OSError, ValueError) as error:
        raise CorpusNotFound(f"{folder / index} is not a list of pages ({error})") from error


def digest(folder: Path, index: str = "dev.jsonl") -> str:
    """What distinguishes one corpus from another: a digest of its list of pages."""
    return hashlib.sha256((folder / index).read_bytes()).hexdigest()[:16]


def request_of(folder: Path, row: Row) -> Request:
    """The page that a line names."""
    root = folder / row["root"] if row.get("root") else None
    return Request(source=folder / row["file"], url=row.get("url"), root=root)


def rendered(
    requests: Iterable[Request],
    *,
    renderer: str = "auto",
    jobs: int = 2,
    change: Callable[[bytes], bytes] = lambda data: data,
) -> Iterator[Page | PagesightError]:
    """The Page of each request in their order, rendered once and then kept; or why there is none.

    `change` is applied to the bytes of a source before it is rendered.
    """

    def page_or_error(request: Request) -> Page | PagesightError:
        try:
            source = load(request)
            return cached.render(replace(source, data=change(source.data)))
        except PagesightError as error:
            return error.about(request.name)

    options = RenderOptions(jobs=jobs)
    with open_renderer(renderer, options) as opened, ThreadPoolExecutor(jobs) as pool:
        cached = CachedRenderer(opened)
        yield from pool.map(page_or_error, requests)
