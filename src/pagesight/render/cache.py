"""Rendered Pages on disk, so that training, evaluation and benchmarks render nothing twice.

The key of a Page is the content and place of its source, the renderer with its version and options,
and the code that builds Pages: a change of that code gives new Pages. Files next to the page are
not part of the key: the cache is for corpora, which do not change.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from functools import cache
from importlib.resources import files
from pathlib import Path
from threading import get_ident

from platformdirs import user_cache_path

from pagesight.errors import PageFileError
from pagesight.page import Page
from pagesight.render.opening import AnyRenderer
from pagesight.sources import Kind, Source

VARIABLE = "PAGESIGHT_CACHE"
_CODE = (".py", ".css", ".js", ".json", ".tsv", ".txt")


def cache_folder() -> Path:
    """`PAGESIGHT_CACHE`, or else a folder in the user's cache."""
    if named := os.environ.get(VARIABLE):
        return Path(named)
    return user_cache_path("pagesight", appauthor=False, opinion=False)


class CachedRenderer:
    """A renderer that looks into the cache first."""

    def __init__(self, renderer: AnyRenderer, folder: Path | None = None) -> None:
        self.renderer = renderer
        self.folder = folder or cache_folder()
        self.rendered = 0  # how many pages were not in the cache

    def render(self, source: Source) -> Page:
        """The Page of a source, from the cache if possible."""
        if source.kind is Kind.PAGE or source.live:
            return self.renderer.render(source)
        path = self.path_of(source)
        with contextlib.suppress(FileNotFoundError, PageFileError):
            return Page.load(path)
        page = self.renderer.render(source)
        self.rendered += 1
        write_whole(path, page.to_bytes())
        return page

    def path_of(self, source: Source) -> Path:
        """Where the Page of a source is kept."""
        name = "pdf" if source.kind is Kind.PDF else self.renderer.html
        made_by = (name, self.renderer.version_of(name), self.renderer.options.viewport)
        made_of = (source.kind.value, source.url, source.path, source.root)
        parts = (*made_by, _code_digest(name), *made_of, source.declared_encoding)
        digest = hashlib.sha256(repr(parts).encode())
        digest.update(source.data)
        key = digest.hexdigest()
        return self.folder / "pages" / key[:2] / f"{key[2:]}.pagesight"


@cache
def _code_digest(renderer: str) -> str:
    """A digest of the modules that make the Pages of a renderer."""
    others = {"chromium", "embedded", "pdf", "worker"} - {renderer}
    if renderer != "chromium":
        others -= {"worker"}
    digest = hashlib.sha256()
    for stage in ("markup", "page", "render", "sources"):
        folder = Path(str(files("pagesight") / stage))
        for path in sorted(folder.rglob("*.*")):
            if path.suffix in _CODE and others.isdisjoint(path.relative_to(folder).parts):
                digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()


def write_whole(path: Path, data: bytes) -> None:
    """Write a file completely or not at all: several programs may share a folder."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{os.getpid()}-{get_ident()}.part")
    try:
        part.write_bytes(data)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
