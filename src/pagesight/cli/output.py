"""What is printed: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import sys
import unicodedata
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

    from pagesight.errors import PagesightError

_reasons: list[BaseException] = []  # to end the program
_JOINING = "\u200c\u200d\u200e\u200f\u061c"  # words are misspelt without them
_undisturbed: list[bool] = []  # not empty while a reason has to wait

LABEL = 12  # columns of a screen
USUAL_WIDTH = 100  # of a line, where there is no screen


@cache
def results() -> Console:
    """Standard output."""
    return _console(stderr=False)


@cache
def messages() -> Console:
    """Standard error."""
    return _console(stderr=True)


def _console(*, stderr: bool) -> Console:
    from rich.console import Console

    class Raising(Console):
        """Rich would end the program itself when a pipe is closed; that is up to `app`."""

        def on_broken_pipe(self) -> None:
            raise

    return Raising(stderr=stderr, markup=False, emoji=False, highlight=False)


def end(reason: BaseException) -> None:
    """End the program by an exception, because of a signal for example; see `end_if_due`."""
    _reasons.append(reason)
    if _undisturbed:
        _undisturbed.clear()  # asked twice, it is meant
    else:
        raise reason


@contextmanager
def undisturbed() -> Iterator[None]:
    """Finish this before the program ends, unless a second reason to end comes."""
    before = len(_reasons)
    _undisturbed.append(True)
    try:
        yield
    finally:
        _undisturbed.clear()
    if len(_reasons) > before:
        end_if_due()


def end_if_due() -> None:
    """Raise what was to end the program, if it was swallowed, as finalizers and numpy do."""
    if _reasons:
        raise _reasons[0]


def width() -> int | None:
    """The width of the terminal that results go to; None for a file or a pipe."""
    return results().width if results().is_terminal else None


def styled(*parts: str | tuple[str, str] | Text, style: str = "") -> Text:
    """A printable line of texts, each of which may have a style; without any, an empty line."""
    from rich.text import Text

    shown = [printable(part) if isinstance(part, str) else part for part in parts]
    return Text.assemble(*shown, style=style)


def labelled(label: str, text: str | Text, style: str = "dim", room: int = LABEL) -> Text:
    """A line with a label."""
    return styled((f"{label:<{room}}", style), text)


def headline(title: str | None, source: str) -> tuple[Text, Text]:
    """What the screen of every command begins with."""
    bold = styled(title or "(no title)", style="bold")
    return bold, styled(source, style="cyan")


def headed(heading: str) -> tuple[Text, Text]:
    """What a section of a screen begins with."""
    return styled(), styled(heading, style="bold")


def counted(number: int, noun: str, plural: str = "") -> str:
    """A number of things.

    >>> counted(1, "page"), counted(1200, "page"), counted(2, "address", "addresses")
    ('1 page', '1,200 pages', '2 addresses')
    """
    return f"{number:,} {noun if number == 1 else plural or noun + 's'}"


def say_lines(lines: Iterable[Text | str], *, cut: bool = True) -> None:
    """Print lines; a terminal cuts them off at its edge if `cut`, a pipe gets them whole."""
    end_if_due()
    cut = cut and width() is not None
    for line in lines:
        results().print(line, no_wrap=True, overflow="ellipsis" if cut else "ignore", crop=cut)


def say_screen(title: str | None, source: str, lines: Iterable[Text]) -> None:
    """Print what a command found on a page."""
    say_lines([*headline(title, source), *lines, ""])


def say_line(line: str) -> None:
    """Print one line, whatever it quotes from a page."""
    say_lines([printable(line)])


def say_json(fields: dict[str, Any]) -> None:
    """Print one object as a line, at once, in UTF-8 whatever the terminal uses."""
    say_bytes(json_line(fields))


def say_bytes(data: bytes) -> None:
    """Print what is made for programs, after what was printed before."""
    end_if_due()
    _put(data)


def say_last(data: bytes) -> None:
    """Print what is made for programs even if this one is to end, and then end it."""
    _put(data)
    end_if_due()


def _put(data: bytes) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def json_line(fields: dict[str, Any]) -> bytes:
    """An object as a line of JSON Lines."""
    try:
        return json.dumps(fields, ensure_ascii=False).encode() + b"\n"
    except UnicodeEncodeError:  # half a character, from a file name or from a script
        return json.dumps(fields).encode() + b"\n"


def say(message: str, style: str = "") -> None:
    """Print a line on standard error, however long it is."""
    messages().print(printable(message), style=style, soft_wrap=True)


def say_error(message: str, hint: str | None = None) -> None:
    """Print an error, and what can be done about it."""
    say(f"error: {message}", "red")
    if hint:
        say(f"  hint: {hint}", "dim")


def error_fields(error: PagesightError) -> dict[str, str]:
    """An error as JSON output has it."""
    fields = {"kind": error.kind, "message": error.message}
    return fields | ({"hint": error.hint} if error.hint else {})


def printable(text: str) -> str:
    """Text without the characters by which a page could control the terminal."""
    return "".join(char if char.isprintable() else _stand_in(char) for char in text)


def _stand_in(char: str) -> str:
    if char.isspace():
        return " "
    category = unicodedata.category(char)
    if category == "Cf":  # shows nothing itself
        return char if char in _JOINING else ""
    # Python need not know all letters yet.
    return char if category == "Cn" else "\N{REPLACEMENT CHARACTER}"
