"""The files that commands write: where -o leads, what they are called, and that none is lost."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryFile
from urllib.parse import urlsplit

from pagesight.cli.options import STDIN, WrongUse
from pagesight.errors import SaveFailed

LONGEST_NAME = 60  # characters; of four bytes each, a file system still takes them
REPLACING = "--overwrite replaces it"
_SUFFIXES = re.compile(r"(\.(x?html?|xht|php|aspx?|jsp|pdf|pagesight))?(\.gz)?$", re.IGNORECASE)


class Names:
    """Names of files, none of which is given twice."""

    def __init__(self) -> None:
        self._taken: set[str] = set()

    def new(self, source: str) -> str:
        """The name for a source, without a suffix: its slug."""
        return self.unique(slug_of(source))

    def unique(self, name: str) -> str:
        """The name itself, with a number if it is taken."""
        unique, number = name, 1
        while unique in self._taken:
            number += 1
            unique = f"{name}-{number}"
        self._taken.add(unique)
        return unique


@dataclass(frozen=True)
class Target:
    """Where -o leads: to one file for everything, or to a folder for one file per source."""

    path: Path
    is_folder: bool
    overwrite: bool = False
    names: Names = field(default_factory=Names, compare=False, repr=False)

    @classmethod
    def of(cls, given: str, *, overwrite: bool = False) -> Target:
        """The target that -o names, as `options.OUTPUT_RULE` describes it."""
        path = Path(given)  # without the slash at the end
        has_slash = given.endswith((os.sep, os.altsep or os.sep))
        is_folder = has_slash or path.is_dir() or not (path.suffix or path.exists())
        return cls(path, is_folder, overwrite)

    def prepare(self, *, several: bool = False) -> None:
        """Refuse what cannot be written, and make the folder, before anything is read.

        With `several`, there is one file per source and more than one source.
        """
        if str(self.path) == STDIN:
            raise WrongUse("-o names a file or a folder, not standard output")
        if self.is_folder:
            make_folder(self.path)
            return
        if several:
            raise WrongUse(f"{self.path} is a file, and there are several sources: name a folder")
        self.check(self.path)
        make_folder(self.path.parent)

    def check(self, path: Path) -> None:
        """Refuse a file that exists, unless it may be overwritten."""
        if os.path.lexists(path) and not self.overwrite:
            raise WrongUse(f"{path} exists; {REPLACING}")

    def path_for(self, source: str, suffix: str) -> Path:
        """The file for what is made of a source; call it once for each."""
        return self.path / (self.names.new(source) + suffix) if self.is_folder else self.path

    def save(self, source: str, suffix: str, data: bytes) -> Path:
        """Write what is made of a source; returns where to."""
        path = self.path_for(source, suffix)
        self.write(path, data)
        return path

    def write(self, path: Path, data: bytes) -> None:
        """Write one of the files."""
        write_file(path, data, overwrite=self.overwrite)


def write_file(path: Path, data: bytes, *, overwrite: bool = False) -> None:
    """Write a file whole or not at all, and in place of another one only with `overwrite`."""
    if os.path.lexists(path) and not overwrite:
        raise SaveFailed(f"{path} exists", hint=REPLACING)
    part = part_of(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            part.write_bytes(data)
            part.replace(path)
        finally:
            part.unlink(missing_ok=True)
    except OSError as error:
        raise SaveFailed(f"{path} cannot be written ({error.strerror or error})") from error


def part_of(path: Path) -> Path:
    """Where a file grows before it gets its name, which may be as long as names may be."""
    return path.with_name(f".{path.name[:LONGEST_NAME]}.{os.getpid()}.part")


def slug_of(source: str) -> str:
    """A file name for a source, without a suffix.

    >>> slug_of("saved/Green Tea.html")
    'green-tea'
    >>> slug_of("papers/2405.00123v2.pdf")
    '2405-00123v2'
    >>> slug_of("examples/product/index.html")
    'product'
    >>> slug_of("https://www.example.com/tea/green?page=2")
    'www-example-com-tea-green-page-2'
    """
    words = re.findall(r"\w+", _distinctive_part(source).lower())
    return "-".join(words)[:LONGEST_NAME].rstrip("-") or "page"


def _distinctive_part(source: str) -> str:
    from pagesight.sources.source import is_address, is_file_address

    if source == STDIN:
        return "stdin"
    if is_address(source):
        address = urlsplit(source)
        return f"{address.netloc} {address.path} {address.query}"
    path = Path(urlsplit(source).path if is_file_address(source) else source)
    stem = stem_of(path) or path.name
    return path.parent.name or stem if stem.lower() == "index" else stem


def stem_of(path: Path) -> str:
    """The name of a file without the suffixes of a page: other dots belong to the name."""
    return _SUFFIXES.sub("", path.name, count=1)


def make_folder(folder: Path) -> None:
    """Make a folder, and a file in it for a moment: better now than when all pages are read."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise WrongUse(f"{folder} cannot be used ({error.strerror or error})") from error


@contextmanager
def folder_for(file: Path | None) -> Iterator[None]:
    """Make the folder of a file to be written, and remove it again if it stays empty."""
    folders = [] if file is None else [file.parent, *file.parent.parents]
    made = [folder for folder in folders if not folder.exists()]
    if file is not None:
        make_folder(file.parent)
    try:
        yield
    finally:
        for folder in made:
            with suppress(OSError):  # there is something in it
                folder.rmdir()
