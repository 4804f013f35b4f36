"""Corpora of labelled pages, for training and evaluation: where they are, and their Pages."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

from pagesight.errors import CorpusNotFound, PagesightError
from pagesight.page import Page
from pagesight.render import RenderOptions, open_renderer
from pagesight.render.cache import CachedRenderer
from pagesight.sources import Request, load

VARIABLE = "PAGESIGHT_CORPORA"
Row = dict[str, Any]


def corpus_folder(corpus: str, corpora: Path | None = None) -> Path:
    """The folder of one corpus, in `corpora` or where `PAGESIGHT_CORPORA` says."""
    named = corpora or (Path(os.environ[VARIABLE]) if os.environ.get(VARIABLE) else None)
    if named is None:
        raise CorpusNotFound("no corpora given", hint=f"name their folder in {VARIABLE}")
    if not (named / corpus).is_dir():
        hint = None if corpora else f"that is what {VARIABLE} names"
        raise CorpusNotFound(f"no corpus {corpus!r} in {named}", hint=hint)
    return named / corpus


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
    advance: Callable[[], None] = lambda: None,
) -> Iterator[Page | PagesightError]:
    """The Page of each request in their order, rendered once and then kept; or why there is none.

    `change` is applied to the bytes of a source before it is rendered; `advance` is called after
    each page, to show progress.
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
        for result in pool.map(page_or_error, requests):
            yield result
            advance()


def pages_of(
    folder: Path,
    listed: Sequence[Row],
    *,
    renderer: str = "auto",
    change: Callable[[bytes], bytes] = lambda data: data,
    advance: Callable[[], None] = lambda: None,
) -> Iterator[tuple[Row, Page]]:
    """The lines of a corpus with their Pages; those that cannot be rendered are left out."""
    requests = [request_of(folder, row) for row in listed]
    results = rendered(requests, renderer=renderer, change=change, advance=advance)
    for row, page in zip(listed, results, strict=True):
        if isinstance(page, Page):
            yield row, page
