"""How much a source may cost before loading it is given up."""

from __future__ import annotations

from dataclasses import dataclass

from pagesight.errors import SourceTooLarge


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Bounds on the size of a page and on the time spent to fetch it.

    Sizes are in bytes, times in seconds.
    """

    max_size: int = 20 * 1024 * 1024
    """Content of a page, before and after decompression."""

    max_redirects: int = 10

    connect_timeout: float = 10.0

    read_timeout: float = 20.0
    """Silence between two pieces of an answer."""

    total_timeout: float = 30.0
    """A whole fetch, so that a server that drips a byte a second comes to an end too."""


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
