"""What a renderer is, and what all of them are told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pagesight.page import Page
from pagesight.render.picture import Picture
from pagesight.sources import Source


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderOptions:
    """How pages are rendered."""

    viewport: tuple[int, int] = (1280, 800)
    timeout: float = 30.0  # seconds for one page, loading and layout
    max_nodes: int = 400_000
    jobs: int = 1  # pages at a time

    def __post_init__(self) -> None:
        """Refuse what no renderer can do anything with."""
        for name in ("timeout", "max_nodes", "jobs"):
            if not getattr(self, name) > 0:  # nor is a NaN
                raise ValueError(f"{name} must be greater than 0, not {getattr(self, name)}")
        if min(self.viewport) < 1:
            raise ValueError(f"a viewport has a width and a height, not {self.viewport}")


class Renderer(Protocol):
    """Bytes in, a Page out. May be called from several threads; is closed once."""

    name: str

    @property
    def version(self) -> str:
        """Of the browser or library that does the layout."""
        ...

    def render(self, source: Source) -> Page:
        """Lay a page out; raises a `RenderError` where that cannot be done."""
        ...

    def render_with_picture(self, source: Source) -> tuple[Page, Picture | None]:
        """Lay a page out, and take a picture of it as a person sees it."""
        ...

    def close(self) -> None:
        """End all processes. Rendering after that is a mistake."""
        ...
