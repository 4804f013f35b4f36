"""The content of a page with what is known about where it came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pagesight.sources import charset

if TYPE_CHECKING:
    from pathlib import Path

    from pagesight.sources.kind import Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Source:
    """A page as bytes, not yet parsed."""

    name: str
    """As it was asked for: a path, an address without a login, ``-`` or ``<bytes>``."""

    data: bytes = field(repr=False)
    """The content, decompressed."""

    kind: Kind

    url: str | None = None
    """The original address of the page, if it is known."""

    path: Path | None = None
    """The file that was read; the resources of the page may lie beside it."""

    root: Path | None = None
    """The folder that addresses beginning with ``/`` are relative to."""

    live: bool = False
    """Whether it was fetched from the network just now."""

    declared_encoding: str | None = None
    """The charset that the HTTP header names, as written there."""

    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    """The headers of the answer, names in lower case."""

    login: tuple[str, str] | None = field(default=None, repr=False)
    """The name and the password that its address had; what belongs to the page may need them."""

    _encoding: str | None = field(default=None, init=False, repr=False, compare=False)
    _text: str | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def encoding(self) -> str:
        """The Python name of the encoding that a browser would read the markup in."""
        if self._encoding is None:
            object.__setattr__(self, "_encoding", self._decide_encoding())
        assert self._encoding is not None
        return self._encoding

    @property
    def text(self) -> str:
        """The markup, decoded; bytes that mean nothing in its encoding become U+FFFD."""
        if self._text is None:
            object.__setattr__(self, "_text", charset.decode(self.data, self.encoding))
        assert self._text is not None
        return self._text

    def _decide_encoding(self) -> str:
        if not self.kind.is_markup:
            raise TypeError(f"a source of kind {self.kind.value!r} has no text")
        return charset.decide(self.data, header=self.declared_encoding, kind=self.kind)
