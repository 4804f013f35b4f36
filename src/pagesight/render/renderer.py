"""What a renderer is, what it is given, and what it returns besides a Page: a `Picture`."""

from __future__ import annotations

import struct
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

from pagesight.errors import RenderTimeout
from pagesight.page import Page
from pagesight.sources import Source

LONGEST_SIDE = 16_000  # px of a picture; what is beyond is left out
MOST_PIXELS = 64_000_000  # of a picture; a very wide page is cut to less of its height
_HEADER = struct.Struct(">8s8xII")  # signature, length and name of the first chunk, sizes
_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_FORMATS = {_SIGNATURE: "image/png", b"\xff\xd8": "image/jpeg", b"RIFF": "image/webp"}


def clipped(width: float, height: float) -> tuple[int, int]:
    """How much of a page of this size is in a picture."""
    wide = max(1, min(round(width), LONGEST_SIDE))
    return wide, max(1, min(round(height), LONGEST_SIDE, MOST_PIXELS // wide))


@dataclass(frozen=True, slots=True)
class Picture:
    """What a page looks like, from its top left corner: a PNG, one pixel for one CSS pixel.

    It is for people; no reading needs it. Smaller copies and drawings may use another format.
    """

    data: bytes = field(repr=False)
    width: int  # that it covers, in CSS pixels of the page
    height: int

    @property
    def media_type(self) -> str:
        """The format, by its first bytes: PNG, JPEG, WebP or SVG."""
        formats = (kind for start, kind in _FORMATS.items() if self.data.startswith(start))
        return next(formats, "image/svg+xml")

    @classmethod
    def of_png(cls, data: bytes) -> Picture:
        """A picture of the size that its header states."""
        signature, width, height = _HEADER.unpack_from(data)
        if signature != _SIGNATURE:
            raise ValueError("not a PNG")
        return cls(data, width, height)


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderOptions:
    """How pages are rendered."""

    viewport: tuple[int, int] = (1280, 800)
    timeout: float = 30.0  # seconds for one page, loading and layout
    max_nodes: int = 400_000
    jobs: int = 1  # pages at a time
    cpu_time: bool = False  # whether layout processes have `timeout` seconds of CPU time instead

    def __post_init__(self) -> None:
        """Refuse values that no renderer can use."""
        for name in ("timeout", "max_nodes", "jobs"):
            if not getattr(self, name) > 0:  # a NaN is not either
                raise ValueError(f"{name} must be greater than 0, not {getattr(self, name)}")
        if min(self.viewport) < 1:
            raise ValueError(f"a viewport has a width and a height, not {self.viewport}")


class Renderer(ABC):
    """Bytes in, a Page out. May be called from several threads; closed once."""

    name: str

    @property
    @abstractmethod
    def version(self) -> str:
        """The version of the browser or library that does the layout."""

    def render(self, source: Source, *, timeout: float | None = None) -> Page:
        """Lay a page out, within the time limit of the options or another.

        Raises a `RenderError` if that fails.
        """
        return self._render(source, picture=False, timeout=timeout)[0]

    def render_with_picture(
        self, source: Source, *, timeout: float | None = None
    ) -> tuple[Page, Picture | None]:
        """Lay a page out, and take a picture of it."""
        return self._render(source, picture=True, timeout=timeout)

    @abstractmethod
    def _render(
        self, source: Source, *, picture: bool, timeout: float | None
    ) -> tuple[Page, Picture | None]: ...

    @abstractmethod
    def close(self) -> None:
        """End all processes. Nothing can be rendered afterwards."""


def too_slow(timeout: float, source: str, *, cpu_time: bool = False) -> RenderTimeout:
    """The error to raise for a page that takes longer than its time limit."""
    return RenderTimeout(
        f"not rendered within {timeout:g} s" + (" of CPU time" if cpu_time else ""),
        source=source,
        hint="raise the limit with --timeout",
    )
