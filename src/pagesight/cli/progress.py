"""A progress bar on standard error, if a person is looking at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, Task
from rich.progress import Progress as Bar
from rich.text import Text

from pagesight.cli.output import end_if_due, messages, results


def is_watched() -> bool:
    """Whether standard error is a terminal that can show a bar."""
    return messages().is_terminal and not messages().is_dumb_terminal


class Progress:
    """Counts what is done; `total` is None where nobody knows how much there is to do."""

    def __init__(self, total: int | None) -> None:
        self._bar: Bar | None = None
        if total != 1 and is_watched():
            columns = (BarColumn(), MofNCompleteColumn(), PaceColumn())
            self._bar = Bar(*columns, console=messages(), transient=True, redirect_stdout=False)
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


class PaceColumn(ProgressColumn):
    """The pace so far, and the time left at that pace; the time passed if no total is known."""

    def render(self, task: Task) -> Text:
        """The text beside the bar."""
        total = None if task.total is None else int(task.total)
        return Text(pace(int(task.completed), total, task.elapsed or 0.0), style="cyan")


def pace(done: int, total: int | None, seconds: float) -> str:
    """How fast it goes, and how long it will take.

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
