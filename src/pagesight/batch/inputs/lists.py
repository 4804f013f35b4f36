"""Lists of pages: manifests, as other commands take them, and the files in a folder."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from pagesight.batch.items import BEGINNING, Identity, Item, Place
from pagesight.errors import BadManifest
from pagesight.sources import Request, manifest_entries
from pagesight.sources.source import is_address

PAGE_SUFFIXES = (".html", ".htm", ".xhtml", ".xht", ".pdf", ".pagesight")


class ManifestInput:
    """A list of sources, one a line; its places are entries."""

    def __init__(self, path: Path) -> None:
        self.passed: Counter[str] = Counter()
        self._path = path

    def items(self, start: Place = BEGINNING) -> Iterator[Item]:
        """The entries from one on."""
        for number, (_, entry) in enumerate(manifest_entries(self._path)):
            if number >= start.offset:
                yield _item(entry, Place(number))


class FolderInput:
    """The pages in a folder and in those below it, in the order of their names."""

    def __init__(self, folder: Path) -> None:
        self.passed: Counter[str] = Counter()
        self._folder = folder

    def items(self, start: Place = BEGINNING) -> Iterator[Item]:
        """The files from one on."""
        for number, path in enumerate(page_files(self._folder)):
            if number >= start.offset:
                yield _item(Request(source=path), Place(number))


def page_files(folder: Path) -> list[Path]:
    """The files below a folder that are pages by their names."""
    return [path for path in files_below(folder) if is_page_name(path)]


def files_below(folder: Path) -> list[Path]:
    """All files below a folder, except hidden ones, in the order of their names."""
    found = (path for path in folder.rglob("*") if path.is_file())
    return sorted(
        path for path in found if not any(p.startswith(".") for p in path.relative_to(folder).parts)
    )


def is_page_name(path: Path) -> bool:
    """Whether a file is a page by its name, compressed or not."""
    return path.name.lower().removesuffix(".gz").endswith(PAGE_SUFFIXES)


def _item(entry: Request | BadManifest, place: Place) -> Item:
    if isinstance(entry, BadManifest):
        return Item(place, Identity(), partial(_refused, entry))
    source = str(entry.source)
    is_live = isinstance(entry.source, str) and is_address(source)
    identity = Identity(
        target=entry.name if is_live else entry.url, path=None if is_live else source
    )
    return Item(place, identity, lambda: entry)


def _refused(error: BadManifest) -> Request:
    raise error
