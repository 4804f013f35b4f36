"""What a reading is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.text import Text

    from pagesight.document import Document


def no_fields(_: Document) -> None:
    """For readings that only a person wants."""


def no_lines(_: Document, __: int | None) -> Iterable[Text]:
    """For readings that only a program wants."""
    return ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """One thing that is read from a page, as programs and as people get it."""

    name: str

    fields: Callable[[Document], Any] = no_fields
    """What it is in JSON; None if it is for people only."""

    lines: Callable[[Document, int | None], Iterable[Text]] = no_lines
    """What it adds to the screen, whose width is given; None if that does not matter."""
