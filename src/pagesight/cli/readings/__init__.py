"""What `pagesight read` shows on a screen.

Each reading has a module here, or elsewhere, whose function ``lines(result, width)`` its `Reading`
names. `facts` and `first_sight` are about the page itself.
"""

from __future__ import annotations

from rich.text import Text

from pagesight.cli.output import printable

LABEL = 12  # columns
USUAL_WIDTH = 100  # of a line, where there is no screen


def labelled(label: str, text: str) -> Text:
    """A line with a label."""
    return Text.assemble((f"{label:<{LABEL}}", "dim"), printable(text))


def cut(text: str, room: int) -> str:
    """As much of a text as there is room for."""
    return text if len(text) <= room else text[: room - 1] + "…"


def headline(title: str | None, source: str) -> tuple[Text, Text]:
    """What the screen of every command begins with."""
    called = Text(printable(title or "(no title)"), style="bold")
    return called, Text(printable(source), style="cyan")
