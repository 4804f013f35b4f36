"""The inspector: what was read from a page, laid over the page, for people."""

from pagesight.output.inspector.layers import TITLES, page_layers, zone_layer
from pagesight.output.inspector.overlay import overlay_png
from pagesight.output.inspector.report import Layer, Mark, inspector_html

__all__ = [
    "TITLES",
    "Layer",
    "Mark",
    "inspector_html",
    "overlay_png",
    "page_layers",
    "zone_layer",
]
