"""The reading `zones`: the parts of a page that a person would draw, and what each is."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagesight.lazy import offered
from pagesight.readers.registry import LayerSpec, Reading

if TYPE_CHECKING:
    from pagesight.readers.zones.model import COARSE, FINE, KINDS, MEDIUM
    from pagesight.readers.zones.reader import read_zones
    from pagesight.readers.zones.reading import PagePart, ZonesReading

__all__ = ["COARSE", "FINE", "KINDS", "MEDIUM", "READING", "PagePart", "ZonesReading", "read_zones"]

_LAYERS = "pagesight.output.inspector.layers"

READING = Reading(
    name="zones",
    question="which parts does the page consist of?",
    read="pagesight.readers.zones.reader:read_zones",
    unread="pagesight.readers.zones.reading:unread",
    lines="pagesight.cli.commands.zones:lines",
    section=True,
    layers=(
        LayerSpec(name="blocks", title="Blocks", marks=f"{_LAYERS}:part_marks"),
        LayerSpec(name="xycut", title="X-Y cut", marks=f"{_LAYERS}:xycut_marks"),
        LayerSpec(name="vips", title="VIPS", marks=f"{_LAYERS}:vips_marks"),
    ),
    train="pagesight.readers.zones.learning.training:train",
    evaluate="pagesight.readers.zones.learning.evaluation:evaluate",
)

if not TYPE_CHECKING:
    __getattr__ = offered(__name__, __all__, "reading", "model", "reader")
