"""What is printed: results to standard output, everything else to standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress as Bar
    from rich.progress import Task
    from rich.text import Text

_reasons: list[BaseException] = []  # to end the program
_undisturbed: list[bool] = []  # not empty while a reason has to wait

LABEL = 12  # columns of a screen
USUAL_WIDTH = 100  # columns of a line, where nobody knows the screen


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

    return Text.assemble(*map(_shown, parts), style=style)


def _shown(part: str | tuple[str, str] | Text) -> str | tuple[str, str] | Text:
    """A text whose characters are all printable; a `Text` was made of such ones."""
    if isinstance(part, str):
        return printable(part)
    return (printable(part[0]), part[1]) if isinstance(part, tuple) else part


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
    """Print what a command has read on a page."""
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


def printable(text: str) -> str:
    """Text without the characters by which a page could control the terminal."""
    if text.isprintable():
        return text
    from pagesight.characters import readable

    return readable(text)


def is_watched() -> bool:
    """Whether standard error is a terminal that can show a progress bar."""
    return messages().is_terminal and not messages().is_dumb_terminal


class Progress:
    """A bar on standard error, if a person is looking; `total` is None where it is not known."""

    def __init__(self, total: int | None) -> None:
        self._bar: Bar | None = None
        if total != 1 and is_watched():
            self._bar = _bar()
            self._task = self._bar.add_task("", total=total)

    def __enter__(self) -> Self:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def expect(self, count: int) -> None:
        """Count on so many more."""
        if self._bar:
            total = self._bar.tasks[self._task].total
            self._bar.update(self._task, total=(total or 0) + count)

    def advance(self) -> None:
        """Count one more as done."""
        end_if_due()
        if self._bar:
            self._bar.advance(self._task)

    def reach(self, done: int, text: str) -> None:
        """Count so many as done, and show a text instead of the pace."""
        end_if_due()
        if self._bar:
            self._bar.update(self._task, completed=done, description=text)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take the bar away while results are printed on the same terminal."""
        if self._bar is None or not results().is_terminal:
            yield
            return
        self._bar.stop()
        try:
            yield
        finally:
            self._bar.start()


def _bar() -> Bar:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn
    from rich.text import Text

    class PaceColumn(ProgressColumn):
        def render(self, task: Task) -> Text:
            if task.description:
                return Text(task.description, style="cyan")
            total = None if task.total is None else int(task.total)
            return Text(pace(int(task.completed), total, task.elapsed or 0.0), style="cyan")

    columns = (BarColumn(), MofNCompleteColumn(), PaceColumn())
    return Progress(*columns, console=messages(), transient=True, redirect_stdout=False)


def pace(done: int, total: int | None, seconds: float) -> str:
    """The pace so far, and the time left at that pace; the time passed if no total is known.

    >>> pace(30, 90, 60)
    '0.5/s, 0:02:00 left'
    >>> pace(30, None, 60)
    '0.5/s, 0:01:00'
    >>> pace(0, 90, 2)
    '0:00:02'
    """
    if not (done and seconds):
        return _clock(seconds)
    rate = f"{done / seconds:.2g}/s" if done < 10 * seconds else f"{done / seconds:,.0f}/s"
    if total is None:
        return f"{rate}, {_clock(seconds)}"
    return f"{rate}, {_clock(max(0, total - done) * seconds / done)} left"


def _clock(seconds: float) -> str:
    return str(timedelta(seconds=round(seconds)))
