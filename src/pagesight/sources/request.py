"""What to load, before it is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


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
        return "<bytes>" if isinstance(self.source, bytes) else str(self.source)


def is_address(source: str) -> bool:
    """Whether `source` is to be fetched rather than read from disk."""
    return source[:8].lower().startswith(("http://", "https://"))


def is_file_address(source: str) -> bool:
    return source[:5].lower() == "file:"
