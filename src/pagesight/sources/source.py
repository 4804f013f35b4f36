"""What to load, what that may cost, and what comes of it: `Request`, `Limits` and `Source`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote

from pagesight.errors import SourceTooLarge

if TYPE_CHECKING:
    from pagesight.sources.egress import Guard

PAGE_MAGIC = b"PAGESIGHT\n"
"""The first bytes of a saved Page file."""

_LOGIN = re.compile(r"\A(https?://)([^/?#\\]*)@", re.IGNORECASE)
# What precedes the host if the password has characters that end a host: "http://me:se#cret@host".
_BROKEN_LOGIN = re.compile(r"\A(https?://)[^/?#\\@:\[]*:(?!\d*(?:[/?#\\]|\Z)).*@", re.IGNORECASE)


class Kind(StrEnum):
    """What the bytes of a source are."""

    HTML = "html"
    XHTML = "xhtml"
    PDF = "pdf"
    PAGE = "page"

    @property
    def is_markup(self) -> bool:
        return self in (Kind.HTML, Kind.XHTML)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Limits on the size of a page, on the time spent on it, and on where it may come from.

    Sizes are in bytes, times in seconds.
    """

    max_size: int = 20 * 1024 * 1024
    """Content of a page, before and after decompression."""

    max_redirects: int = 10

    connect_timeout: float = 10.0

    read_timeout: float = 20.0
    """Silence between two chunks of an answer."""

    total_timeout: float = 30.0
    """A whole fetch, so that a server that sends one byte per second comes to an end as well."""

    reading_time: float = 20.0
    """CPU time of each reading of a page."""

    guard: Guard | None = None
    """Decides which addresses may be reached, by a live page in the browser as well; None: any."""


DEFAULT_LIMITS = Limits()


def too_large(max_size: int) -> SourceTooLarge:
    """The error to raise for content of more than `max_size` bytes."""
    return SourceTooLarge(
        f"more than the limit of {_human_size(max_size)}", hint="Raise the limit with --max-size."
    )


def _human_size(size: int) -> str:
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size / unit:.4g} {name}"
    return f"{size} bytes"


@dataclass(frozen=True, slots=True, kw_only=True)
class Validators:
    """What a server said about a copy, by which it can tell whether the copy still holds."""

    etag: str | None = None
    last_modified: str | None = None

    @classmethod
    def of(cls, headers: Iterable[tuple[str, str]]) -> Validators:
        """Those in the headers of an answer, whose names are in lower case."""
        given = dict(headers)
        return cls(etag=given.get("etag"), last_modified=given.get("last-modified"))

    def headers(self) -> dict[str, str]:
        """The headers of a request for anything else than that copy."""
        named = {"if-none-match": self.etag, "if-modified-since": self.last_modified}
        return {name: value for name, value in named.items() if value}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One source to load: a path, an address, ``"-"`` for standard input, or the content itself."""

    source: str | Path | bytes
    url: str | None = None
    """The original address of a page that is read from elsewhere."""

    root: Path | None = None
    """The folder that addresses beginning with ``/`` are relative to."""

    validators: Validators | None = None
    """Of the copy at hand: if it still holds, `NotModified` is raised. For addresses."""

    content_type: str | None = None
    """What the server said that content from elsewhere is: ``text/html``."""

    charset: str | None = None
    """The encoding that the server named for content from elsewhere."""

    @property
    def name(self) -> str:
        """The source as messages name it: without a password."""
        return "<bytes>" if isinstance(self.source, bytes) else without_login(str(self.source))


def is_address(source: str) -> bool:
    """Whether `source` is to be fetched rather than read from disk."""
    return source[:8].lower().startswith(("http://", "https://"))


def is_file_address(source: str) -> bool:
    return source[:5].lower() == "file:"


def without_login(address: str) -> str:
    """An address without the user name and the password that may precede its host."""
    login = _LOGIN if _LOGIN.match(address) else _BROKEN_LOGIN
    return login.sub(r"\1", address)


def login_of(address: str) -> tuple[str, str] | None:
    """The user name and the password in an address, or None."""
    login = _LOGIN.match(address)
    if login is None:
        return None
    name, _, password = login[2].partition(":")
    return unquote(name), unquote(password)


@dataclass(frozen=True, kw_only=True)
class Source:
    """The content of a page with what is known about its origin, not yet parsed."""

    name: str
    """As it was asked for: a path, an address without a login, ``-`` or ``<bytes>``."""

    data: bytes = field(repr=False)
    """The content, decompressed."""

    kind: Kind

    url: str | None = None
    """The original address of the page, if it is known."""

    path: Path | None = None
    """The file that was read; the resources of the page may be next to it."""

    root: Path | None = None
    """The folder that addresses beginning with ``/`` are relative to."""

    live: bool = False
    """Whether it was fetched from the network just now."""

    guard: Guard | None = field(default=None, repr=False)
    """What decided that it may be fetched, and decides the same of all that it loads."""

    declared_encoding: str | None = None
    """The charset that the HTTP header names, as written there."""

    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """The headers of the answer, names in lower case."""

    login: tuple[str, str] | None = field(default=None, repr=False)
    """The user name and password of its address; the resources of the page may need them."""

    @cached_property
    def encoding(self) -> str:
        """The Python name of the encoding that a browser would read the markup in."""
        from pagesight.sources import charset

        if not self.kind.is_markup:
            raise TypeError(f"a source of kind {self.kind.value!r} has no text")
        return charset.decide(
            self.data, header=self.declared_encoding, is_xhtml=self.kind is Kind.XHTML
        )

    @cached_property
    def text(self) -> str:
        """The markup, decoded; bytes that mean nothing in its encoding become U+FFFD."""
        from pagesight.sources import charset

        return charset.decode(self.data, self.encoding)
