"""Tables on the terminal."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence


def table(
    header: Sequence[str], rows: Iterable[Sequence[object]], *, title: str = "", digits: int = 3
) -> str:
    """Rows in columns as wide as they need to be: names to the left, numbers to the right.

    Of numbers that are not whole, `digits` are shown; a dash where there is none.
    """
    written = [[_written(cell, digits) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(header, *written, strict=True)]
    lines = [title] if title else []
    for first, *numbers in (list(header), *written):
        cells = [cell.rjust(width) for cell, width in zip(numbers, widths[1:], strict=True)]
        lines.append("  ".join([first.ljust(widths[0]), *cells]).rstrip())
    return "\n".join(lines)


def _written(cell: object, digits: int) -> str:
    if cell is None:
        return "–"
    return f"{cell:.{digits}f}" if isinstance(cell, float) else str(cell)


def show(*parts: str) -> None:
    """Print texts and tables, with an empty line after each."""
    sys.stdout.write("".join(f"{part}\n\n" for part in parts if part))
