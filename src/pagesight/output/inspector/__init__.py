"""The inspector: what was read from a page, laid over the page, for people."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagesight.lazy import offered

if TYPE_CHECKING:
    from pagesight.output.inspector.layers import page_layers, zone_marks
    from pagesight.output.inspector.overlay import overlay_png
    from pagesight.output.inspector.report import Layer, Mark, inspector_html

__all__ = [
    "Layer",
    "Mark",
    "inspector_html",
    "overlay_png",
    "page_layers",
    "zone_marks",
]

if not TYPE_CHECKING:
    __getattr__ = offered(__name__, __all__, "report", "layers", "overlay")
