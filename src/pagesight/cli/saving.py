"""Saving rendered pages in a folder, with a manifest to read them again."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any
from urllib.parse import urlsplit

from pagesight.cli.options import STDIN, ReadingOptions, WrongUse
from pagesight.cli.output import json_line, printable, say, say_json, say_lines
from pagesight.cli.work import failure_fields, work_through
from pagesight.document import Document, Failure
from pagesight.errors import SaveFailed
from pagesight.sources import PAGE_MAGIC
from pagesight.sources.source import is_address, is_file_address

SUFFIX = ".pagesight"
MANIFEST = "manifest.jsonl"
ERRORS = "errors.jsonl"
_SUFFIXES = re.compile(r"(\.(x?html?|xht|php|aspx?|jsp|pdf|pagesight))?(\.gz)?$", re.IGNORECASE)
LONGEST_NAME = 60  # characters; of four bytes each, a file system still takes them


def save_all(options: ReadingOptions, folder: Path) -> int:
    """Render all sources into `folder`, and tell how many failed.

    What an earlier run has left is overwritten; no other file is.
    """
    _prepare(folder)
    names = Names()
    with _rewritten(folder / MANIFEST) as manifest, _rewritten(folder / ERRORS) as errors:

        def use(document: Document) -> None:
            path = folder / names.new(document.source)
            save(document, path)
            _add(
                manifest,
                {"source": path.name, "url": document.page.url, "from": document.source},
            )
            _tell(document, path, as_json=options.as_json)

        def fail(failure: Failure) -> None:
            _add(errors, failure_fields(failure))

        failures = work_through(options, use, fail)
    if not options.as_json:
        _sum_up(folder, failures)
    return failures


def save(document: Document, path: Path) -> None:
    """Write the page of a document into a file, or leave all as it was."""
    write_over_own(path, document.page.to_bytes(), _is_page, "is not a saved Page")


def write_over_own(
    path: Path, data: bytes, is_own: Callable[[IO[bytes]], bool], otherwise: str
) -> None:
    """Write a file whole or not at all, and never over one that `is_own` does not know.

    `otherwise` says what is wrong with such a file.
    """
    try:
        if not _may_overwrite(path, is_own):
            raise SaveFailed(
                f"{path} is there already and {otherwise}",
                hint="move it away, or choose another name",
            )
        path.parent.mkdir(parents=True, exist_ok=True)
        part = _part_of(path)
        part.write_bytes(data)
        part.replace(path)
    except OSError as error:
        raise SaveFailed(f"{path} cannot be written ({error.strerror or error})") from error


class Names:
    """File names for sources: each is given once, in the order of asking."""

    def __init__(self, suffix: str = SUFFIX) -> None:
        self._suffix = suffix
        self._taken: set[str] = set()

    def new(self, source: str) -> str:
        """The name for the next source: its slug, with a number if that is taken."""
        slug = slug_of(source)
        name, number = slug, 1
        while name in self._taken:
            number += 1
            name = f"{slug}-{number}"
        self._taken.add(name)
        return name + self._suffix


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
    words = re.findall(r"\w+", _telling_part(source).lower())
    return "-".join(words)[:LONGEST_NAME].rstrip("-") or "page"


def _telling_part(source: str) -> str:
    if source == "-":
        return "stdin"
    if is_address(source):
        address = urlsplit(source)
        return f"{address.netloc} {address.path} {address.query}"
    path = Path(urlsplit(source).path if is_file_address(source) else source)
    stem = stem_of(path) or path.name
    return path.parent.name or stem if stem.lower() == "index" else stem


def stem_of(path: Path) -> str:
    """The name of a file without what says that it is a page: other dots belong to the name."""
    return _SUFFIXES.sub("", path.name, count=1)


def _prepare(folder: Path) -> None:
    """Make the folder, and make sure that nothing of somebody else's is lost."""
    if str(folder) == STDIN:
        raise WrongUse("saved Pages go into a folder, not to standard output")
    make_folder(folder)
    try:
        for name, key in ((MANIFEST, "from"), (ERRORS, "error")):
            if not _may_overwrite(folder / name, partial(_has_lines_with, key=key)):
                raise WrongUse(f"{folder / name} is there already, and not from pagesight render")
    except OSError as error:
        raise _useless(folder, error) from error


def make_folder(folder: Path) -> None:
    """Make a folder, and a file in it for a moment: better now than when all pages are read."""
    if str(folder) == STDIN:
        raise WrongUse("-o - would be a folder of that name; leave it out for standard output")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise _useless(folder, error) from error


@contextmanager
def folder_for(file: Path | None) -> Iterator[None]:
    """Make the folder of a file that is to come, and take it away again if nothing comes of it."""
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


def _useless(folder: Path, error: OSError) -> WrongUse:
    return WrongUse(f"{folder} cannot be used ({error.strerror or error})")


def _may_overwrite(path: Path, is_ours: Callable[[IO[bytes]], bool]) -> bool:
    try:
        with path.open("rb") as file:
            return is_ours(file)
    except FileNotFoundError:
        return True


def _is_page(file: IO[bytes]) -> bool:
    return file.read(len(PAGE_MAGIC)) == PAGE_MAGIC


def _has_lines_with(file: IO[bytes], key: str) -> bool:
    """Whether a file is empty or begins with a line that only this module writes."""
    line = file.readline(1 << 20)
    try:
        return not line or {"source", key} <= json.loads(line).keys()
    except (ValueError, AttributeError):
        return False


@contextmanager
def _rewritten(path: Path) -> Iterator[IO[bytes]]:
    """A file that takes the place of `path` in the end, also of an early one; not if it is empty.

    What was saved before an interrupt is saved, and stands in the manifest.
    """
    part = _part_of(path)
    with part.open("wb") as file:
        try:
            yield file
        finally:
            file.close()
            if part.stat().st_size:
                part.replace(path)
            else:
                part.unlink()
                path.unlink(missing_ok=True)


def _part_of(path: Path) -> Path:
    """Where a file grows before it gets its name, which may be as long as names may be."""
    return path.with_name(f".{path.name[:LONGEST_NAME]}.{os.getpid()}.part")


def _add(file: IO[bytes], fields: dict[str, Any]) -> None:
    file.write(json_line(fields))
    file.flush()


def _sum_up(folder: Path, failures: int) -> None:
    if (manifest := folder / MANIFEST).exists():
        say(f"to read them: pagesight read --from {manifest}")
    if failures:
        say(f"{failures} failed, listed in {folder / ERRORS}", "red")


def _tell(document: Document, path: Path, *, as_json: bool) -> None:
    nodes = len(document.page)
    if as_json:
        say_json(document.state() | {"file": str(path), "nodes": nodes})
    else:
        say_lines([printable(f"{path}: {nodes:,} nodes, from {document.source}")])
