"""Content from disk and from standard input."""

from __future__ import annotations

import errno
import re
import stat
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from pagesight.errors import SourceError, SourceNotFound, SourceUnreadable
from pagesight.sources.limits import too_large

if TYPE_CHECKING:
    from os import stat_result
    from typing import BinaryIO

_HOST = re.compile(r"(?:[a-z\d][a-z\d-]*\.)+[a-z]{2,}(?::\d+)?", re.IGNORECASE)
_PAGE = re.compile(r"\.(?:x?html?|mht(?:ml)?|php|aspx?|pdf|gz|zip|txt|xml|jsonl?)$", re.IGNORECASE)
_ABSENT = frozenset({errno.ENOENT, errno.ENOTDIR, errno.ENAMETOOLONG})


def read_file(path: Path, max_size: int) -> bytes:
    """The content of a regular file."""
    try:
        _check(path.stat(), max_size)
        with path.open("rb") as file:
            return read_at_most(file, max_size)
    # A path with a NUL in it is a ValueError.
    except (OSError, ValueError) as error:
        raise unreadable(error, path) from error


def read_stdin(max_size: int) -> bytes:
    """All that comes from standard input."""
    try:
        return read_at_most(stdin(), max_size)
    except (OSError, ValueError) as error:
        raise SourceUnreadable(f"standard input cannot be read ({error})") from error


def read_at_most(file: BinaryIO, max_size: int) -> bytes:
    # Files may grow while they are read, and those in /proc claim to have no size.
    data = file.read(max_size + 1)
    if len(data) > max_size:
        raise too_large(max_size)
    return data


def stdin() -> BinaryIO:
    if sys.stdin is None:
        raise SourceUnreadable("there is no standard input")
    return sys.stdin.buffer


def unreadable(error: Exception, path: Path) -> SourceError:
    """What an error of the operating system means for the file at `path`."""
    if not isinstance(error, OSError) or error.errno in _ABSENT:
        return SourceNotFound("there is no such file", hint=_hint_for(path))
    if isinstance(error, IsADirectoryError):
        return _folder()
    if isinstance(error, PermissionError):
        return SourceUnreadable("there is no permission to read this file")
    return SourceUnreadable(f"this file cannot be read ({error.strerror or error})")


def _folder() -> SourceUnreadable:
    return SourceUnreadable("this is a folder, not a file", hint="Name the files in it.")


def _check(status: stat_result, max_size: int) -> None:
    """Refuse what must not even be opened: a pipe may never answer, a device never end."""
    if stat.S_ISDIR(status.st_mode):
        raise _folder()
    if not stat.S_ISREG(status.st_mode):
        raise SourceUnreadable(
            "this is a pipe or a device, not a file", hint='Pipe the content in and name it "-".'
        )
    if status.st_size > max_size:
        raise too_large(max_size)


def _hint_for(path: Path) -> str | None:
    if str(path).lstrip().startswith("<"):
        return "This looks like markup; in Python, markup is given as bytes."
    host = path.parts[0] if path.parts else ""
    if host.endswith(":") and len(host) > 2:
        return "Only addresses that begin with http:// or https:// can be fetched."
    if _HOST.fullmatch(host) and not _PAGE.search(host):
        return f"To fetch it, write https://{path.as_posix()}"
    return None
