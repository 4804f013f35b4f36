"""The reading `outline`: which texts are headings, and on which level."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagesight.lazy import offered
from pagesight.readers.registry import LayerSpec, Reading

if TYPE_CHECKING:
    from pagesight.readers.outline.heading import Heading, OutlineReading
    from pagesight.readers.outline.reading import OutlineModel, Tags, read_outline

__all__ = ["READING", "Heading", "OutlineModel", "OutlineReading", "Tags", "read_outline"]

READING = Reading(
    name="outline",
    question="which texts are headings, and on which level?",
    read="pagesight.readers.outline.reading:read_outline",
    unread="pagesight.readers.outline.heading:unread",
    lines="pagesight.cli.commands.outline:lines",
    layers=(
        LayerSpec(
            name="headings",
            title="Headings",
            marks="pagesight.output.inspector.layers:heading_marks",
        ),
    ),
    train="pagesight.readers.outline.learning.training:train",
    evaluate="pagesight.readers.outline.learning.evaluation:evaluate",
)

if not TYPE_CHECKING:
    __getattr__ = offered(__name__, __all__, "heading", "reading")
