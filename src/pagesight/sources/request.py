"""What to load, before it is loaded."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import unquote

if TYPE_CHECKING:
    from pathlib import Path

_LOGIN = re.compile(r"\A(https?://)([^/?#\\]*)@", re.IGNORECASE)
# What stands before the host if the password has signs that end a host: "http://me:se#cret@host".
_BROKEN = re.compile(r"\A(https?://)[^/?#\\@:\[]*:(?!\d*(?:[/?#\\]|\Z)).*@", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One piece of work: a path, an address, ``"-"`` for standard input, or the content itself."""

    source: str | Path | bytes
    url: str | None = None
    """The original address of a page that is read from elsewhere."""

    root: Path | None = None
    """The folder that addresses beginning with ``/`` are relative to."""

    @property
    def name(self) -> str:
        """The source as it is spoken of: without a password."""
        return "<bytes>" if isinstance(self.source, bytes) else without_login(str(self.source))


def is_address(source: str) -> bool:
    """Whether `source` is to be fetched rather than read from disk."""
    return source[:8].lower().startswith(("http://", "https://"))


def without_login(address: str) -> str:
    """An address without the name and the password that may stand before its host."""
    login = _LOGIN if _LOGIN.match(address) else _BROKEN
    return login.sub(r"\1", address)


def login_of(address: str) -> tuple[str, str] | None:
    """The name and the password in an address, or None."""
    found = _LOGIN.match(address)
    if found is None:
        return None
    name, _, password = found[2].partition(":")
    return unquote(name), unquote(password)


def is_file_address(source: str) -> bool:
    return source[:5].lower() == "file:"
