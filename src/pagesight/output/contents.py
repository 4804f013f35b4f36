"""An outline as a table of contents in Markdown."""

from __future__ import annotations

from pagesight.output.markdown import escaped
from pagesight.readers.outline import OutlineReading
from pagesight.readers.outline.levels import without_gaps


def table_of_contents(reading: OutlineReading) -> str:
    """A nested list in CommonMark; gaps between levels are closed, since lists have none."""
    depths = without_gaps([heading.level for heading in reading.headings]).tolist()
    return "".join(
        f"{'  ' * (depth - 1)}- {escaped(heading.text)}\n"
        for depth, heading in zip(depths, reading.headings, strict=True)
    )
