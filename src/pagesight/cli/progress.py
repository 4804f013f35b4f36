"""A progress bar on standard error, if a person looks at it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from rich.progress import BarColumn, MofNCompleteColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from pagesight.cli.output import go_on, messages, results


class Progress:
    """Counts sources; `total` is None where nobody knows how many there are."""

    def __init__(self, total: int | None) -> None:
        self._bar: Bar | None = None
        if total != 1 and messages().is_terminal and not messages().is_dumb_terminal:
            columns = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
            self._bar = Bar(*columns, console=messages(), transient=True, redirect_stdout=False)
            self._task = self._bar.add_task("", total=total)

    def __enter__(self) -> Self:
        if self._bar:
            self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar:
            self._bar.stop()

    def advance(self) -> None:
        """One more is done."""
        go_on()
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
