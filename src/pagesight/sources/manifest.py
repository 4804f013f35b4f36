"""Lists of sources to work through, as JSON Lines."""

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
_HINT = 'A line looks like {"source": "page.html", "url": "https://example.com/"}.'


def read_manifest(path: str | Path) -> Iterator[Request]:
    """The requests that a manifest lists, read while they are worked through.

    Each line is a JSON object with a ``source`` and, if wanted, a ``url`` and a ``root``. Paths
    are relative to the folder of the manifest; ``"-"`` reads the lines from standard input, and
    paths are then relative to the working directory. Blank lines and other keys are ignored.
    """
    name = "<stdin>" if path == "-" else str(path)
    folder = Path() if path == "-" else Path(path).parent
    with _opened(path, name) as file:
        for number, line in enumerate(iter(lambda: file.readline(_MAX_LINE), b""), start=1):
            try:
                if text := _decoded(line):
                    yield _request(text, folder)
            except BadManifest as error:
                error.about(f"{name}:{number}")
                raise


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


def _decoded(line: bytes) -> str:
    if len(line) == _MAX_LINE:
        raise BadManifest("this line is too long", hint=_HINT)
    try:
        return line.decode("utf-8-sig").strip()
    except UnicodeDecodeError as error:
        raise BadManifest("this line is not UTF-8", hint=_HINT) from error


def _request(line: str, folder: Path) -> Request:
    fields = _parsed(line)
    source = _text(fields, "source")
    if source is None:
        raise BadManifest('this line has no "source"', hint=_HINT)
    if source == "-":
        raise BadManifest("a manifest cannot list standard input")
    root = _text(fields, "root")
    return Request(
        source=_located(source, folder),
        url=_text(fields, "url"),
        root=None if root is None else folder / root,
    )


def _parsed(line: str) -> dict[str, object]:
    try:
        fields = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise BadManifest("this line is not JSON", hint=_HINT) from error
    if not isinstance(fields, dict):
        raise BadManifest("this line is not a JSON object", hint=_HINT)
    return fields


def _text(fields: dict[str, object], key: str) -> str | None:
    value = fields.get(key)
    if value is not None and not (isinstance(value, str) and value):
        raise BadManifest(f'"{key}" is not a text', hint=_HINT)
    return value


def _located(source: str, folder: Path) -> str | Path:
    return source if is_address(source) or is_file_address(source) else folder / source
