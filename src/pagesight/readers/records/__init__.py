"""The reading `records`: the products or other records that a page lists, and their attributes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pagesight.lazy import offered
from pagesight.readers.registry import LayerSpec, Reading

if TYPE_CHECKING:
    from pagesight.readers.records.reader import read_records
    from pagesight.readers.records.reading import (
        Availability,
        Cell,
        Kind,
        Picture,
        Price,
        Rating,
        Record,
        RecordsReading,
        Region,
        Reviews,
        Stock,
        UnitPrice,
    )

__all__ = ["READING", "Availability", "Cell", "Kind", "Picture", "Price", "Rating", "Record",
           "RecordsReading", "Region", "Reviews", "Stock", "UnitPrice", "read_records"]  # fmt: skip

READING = Reading(
    name="records",
    question="what does the page list, or which product is it about?",
    read="pagesight.readers.records.reader:read_records",
    unread="pagesight.readers.records.reading:unread",
    lines="pagesight.cli.commands.records:lines",
    section=True,
    layers=(
        LayerSpec(
            name="records",
            title="Records",
            marks="pagesight.output.inspector.layers:record_marks",
            table="record",
        ),
    ),
    train="pagesight.readers.records.learning.training:train",
    evaluate="pagesight.readers.records.learning.evaluation:evaluate",
)

if not TYPE_CHECKING:
    __getattr__ = offered(__name__, __all__, "reading", "reader")
