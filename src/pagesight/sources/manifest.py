"""Lists of sources to work through: one path, address or JSON object per line."""

from __future__ import annotations

import json
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pagesight.errors import BadManifest
from pagesight.sources.loading import stdin, unreadable
from pagesight.sources.source import Request, is_address, is_file_address

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import BinaryIO

_MAX_LINE = 1024 * 1024
_BOM = b"\xef\xbb\xbf"
_NOTHING = (b"", b"#")  # how blank lines and comments begin
_HINT = 'A line is a path, an address, or {"source": "page.html", "url": "https://example.com/"}.'


def read_manifest(path: str | Path) -> Iterator[Request]:
    """The requests that a list names, read while they are worked through.

    A line that begins with ``{`` is a JSON object with a ``source`` and optionally a ``url`` and
    a ``root``; other keys are ignored. Any other line is a path or an address. Blank lines and
    lines that begin with ``#`` are skipped. Paths are relative to the folder of the list; ``"-"``
    reads the lines from standard input, and paths are then relative to the working directory.

    Raises `BadManifest` at the first line that does not name a source; `manifest_entries`
    continues after it.
    """
    for _, entry in manifest_entries(path):
        if isinstance(entry, BadManifest):
            raise entry
        yield entry


def manifest_entries(path: str | Path) -> Iterator[tuple[str, Request | BadManifest]]:
    """As `read_manifest`, with an error for each line that does not name a source.

    Each entry comes with its place, such as ``list.txt:17``.
    """
    name = "<stdin>" if path == "-" else str(path)
    folder = Path() if path == "-" else Path(path).parent
    with _opened(path, name) as file:
        for number, line in enumerate(_lines(file), start=1):
            place = f"{name}:{number}"
            try:
                if text := _decoded(line):
                    yield place, _request(text, folder)
            except BadManifest as error:
                error.about(place)
                yield place, error


def count_entries(path: str | Path) -> int | None:
    """How many entries a list has; None if only reading it would tell, as with a pipe."""
    if path == "-" or not Path(path).is_file():
        return None
    try:
        with Path(path).open("rb") as file:
            return sum(_is_entry(line) for line in _lines(file))
    except OSError:
        return None


@contextmanager
def _opened(path: str | Path, name: str) -> Iterator[BinaryIO]:
    if path == "-":
        yield stdin()
        return
    try:
        with Path(path).open("rb") as file:
            yield file
    except (OSError, ValueError) as error:
        raise unreadable(error, Path(path)).about(name) from error


def _lines(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; of one that is too long, only the beginning."""
    while line := file.readline(_MAX_LINE):
        rest = line
        while len(rest) == _MAX_LINE and not rest.endswith(b"\n"):
            rest = file.readline(_MAX_LINE)
        yield line


def _is_entry(line: bytes) -> bool:
    return line.removeprefix(_BOM).strip()[:1] not in _NOTHING


def _decoded(line: bytes) -> str:
    """The text of a line, which is empty for blank lines and comments."""
    if not _is_entry(line):
        return ""
    if len(line) == _MAX_LINE:
        raise BadManifest("this line is too long", hint=_HINT)
    try:
        return line.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise BadManifest("this line is not UTF-8", hint=_HINT) from error


def _request(line: str, folder: Path) -> Request:
    fields: dict[str, object] = _parsed(line) if line.startswith("{") else {"source": line}
    source = _text(fields, "source")
    if source is None:
        raise BadManifest('this line has no "source"', hint=_HINT)
    if source == "-":
        raise BadManifest("a list cannot name standard input")
    root = _text(fields, "root")
    return Request(
        source=_located(source, folder),
        url=_text(fields, "url"),
        root=None if root is None else folder / root,
    )


def _parsed(line: str) -> dict[str, object]:
    try:
        fields: dict[str, object] = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadManifest("this line is not JSON", hint=_HINT) from error
    return fields


def _text(fields: dict[str, object], key: str) -> str | None:
    """The text under a key; None if there is none, or only space."""
    value = fields.get(key)
    if value is not None and not isinstance(value, str):
        raise BadManifest(f'"{key}" is not a text', hint=_HINT)
    return value if value and value.strip() else None


def _located(source: str, folder: Path) -> str | Path:
    return source if is_address(source) or is_file_address(source) else folder / source
