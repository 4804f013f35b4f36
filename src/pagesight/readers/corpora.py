"""Corpora of labelled pages, for training and evaluation: where they are, and their Pages."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
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
        raise CorpusNotFound(f"no corpus {corpus!r} in {named}", hint=f"see {VARIABLE}")
    return named / corpus


def rows(folder: Path, index: str = "dev.jsonl") -> list[Row]:
    """The lines of a corpus: a page each, with its labels."""
    try:
        lines = (folder / index).read_text(encoding="utf-8").split("\n")  # texts may hold U+2028
        found = [json.loads(line) for line in lines if line.strip()]
        if not all(isinstance(row, dict) for row in found):
            raise ValueError("a line is no object")
        return found
    except (OSError, ValueError) as error:
        raise CorpusNotFound(f"{folder / index} is no list of pages ({error})") from error


def digest(folder: Path, index: str = "dev.jsonl") -> str:
    """What tells one corpus from another: a digest of its list of pages."""
    return hashlib.sha256((folder / index).read_bytes()).hexdigest()[:16]


def request_of(folder: Path, row: Row) -> Request:
    """The page of a line, as it is to be read."""
    root = folder / row["root"] if row.get("root") else None
    return Request(source=folder / row["file"], url=row.get("url"), root=root)


def rendered(
    requests: Iterable[Request],
    *,
    renderer: str = "auto",
    jobs: int = 2,
    advance: Callable[[], None] = lambda: None,
) -> Iterator[Page | PagesightError]:
    """The Page of each request in their order, rendered once and then kept; or why there is none.

    `advance` is called after each, to show progress.
    """

    def page_or_error(request: Request) -> Page | PagesightError:
        try:
            return cached.render(load(request))
        except PagesightError as error:
            return error.about(request.name)

    options = RenderOptions(jobs=jobs)
    with open_renderer(renderer, options) as opened, ThreadPoolExecutor(jobs) as pool:
        cached = CachedRenderer(opened)
        for result in pool.map(page_or_error, requests):
            yield result
            advance()
