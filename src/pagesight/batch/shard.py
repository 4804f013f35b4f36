"""One shard, from its pages to the file of its rows. This is all that runs on another machine.

Rows go to a journal first, page by page, and then into a file beside. Whoever continues a shard
begins that file anew, with the rows of the journal. When all are there, it is put on the disk, and
gets its name: it is complete.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import IO, Any

from pagesight.batch.durable import rename_durably, write_durably
from pagesight.batch.folder import Beat, Folder
from pagesight.batch.options import BatchOptions
from pagesight.batch.plan import Planned
from pagesight.batch.rows import Row, failed_row
from pagesight.batch.summary import Summary
from pagesight.errors import WorkerDied

CHANCES = 2  # times that a page may end its worker; then it is not read any more
MakeRow = Callable[[Planned], Row]
_Entry = dict[str, Any]  # of a journal: a row, and the seconds that it took


def run_shard(
    folder: Folder, number: int, make_row: MakeRow, is_spent: Callable[[], bool] = lambda: False
) -> bool:
    """Read the pages of a shard that have not been read yet, and write its file.

    Whether it is complete: after any page `is_spent` may say that somebody else has to continue.
    """
    if folder.is_done(number):
        return True
    with folder.lock(f"{number:05}.journal") as journal:
        if not folder.is_done(number):  # by whoever held the lock
            attempt = _Attempt(folder, number, make_row, is_spent, journal)
            part = folder.work_file(number, "part")
            _write(attempt.rows(), part, folder.plan.options)
            if attempt.given_up:
                return False
            summary = json.dumps(attempt.summary.to_json())
            write_durably(folder.summary_file(number), summary.encode())
            rename_durably(part, folder.rows_file(number))
        folder.tidy(number)
    return True


def _write(rows: Iterator[Row], part: Path, options: BatchOptions) -> None:
    """Write rows as they come; what a journal keeps of them is read by the next attempt only."""
    if options.format == "parquet":
        from pagesight.batch.schema import write_parquet

        write_parquet(rows, part, options.readings)
    else:
        with part.open("wb") as file:
            file.writelines(json.dumps(row, ensure_ascii=True).encode() + b"\n" for row in rows)


@dataclass
class _Attempt:
    """Somebody reads a shard, after others perhaps, whose rows are in the journal."""

    folder: Folder
    number: int
    make_row: MakeRow
    is_spent: Callable[[], bool]
    journal: IO[bytes]
    summary: Summary = field(default_factory=Summary)
    given_up: bool = False

    def rows(self) -> Iterator[Row]:
        """All rows of the shard, or as many as there are when it is given up."""
        for entry in chain(self._kept(), self._new()):
            self.summary.add(entry["row"], entry["seconds"])
            yield entry["row"]

    def _kept(self) -> Iterator[_Entry]:
        """What the journal has; what is left of a row that was being written is cut off."""
        self.journal.seek(0)
        end = 0
        for line in self.journal:
            if (entry := _entry(line)) is None:
                break
            end += len(line)
            yield entry
        self.journal.truncate(end)
        self.journal.seek(end)

    def _new(self) -> Iterator[_Entry]:
        """What is missing, as it is read; it is in the journal before anybody sees it."""
        folder, number, written = self.folder, self.number, self.summary.rows
        deaths = folder.deaths(number)
        errors: Counter[str] = Counter()  # of this attempt
        beat = os.open(folder.work_file(number, "beat"), os.O_WRONLY | os.O_CREAT, 0o666)
        try:
            for position, planned in enumerate(folder.plan.items(number, written), written):
                Beat(position, dict(errors)).write(beat)
                start = time.perf_counter()
                ways = deaths.get(position, [])
                row = _died(planned, ways) if len(ways) >= CHANCES else self.make_row(planned)
                seconds = round(time.perf_counter() - start, 4)
                if row["error"]:
                    errors[row["error"]["kind"]] += 1
                entry = {"seconds": seconds, "row": row}
                self.journal.write(json.dumps(entry).encode() + b"\n")
                self.journal.flush()
                yield entry
                if self.is_spent():
                    self.given_up = True
                    break
        finally:
            os.close(beat)
        folder.forget_beat(number)


def _entry(line: bytes) -> _Entry | None:
    """A line of a journal, if it is whole; after a power failure there may be zeros instead."""
    try:
        entry = json.loads(line) if line.endswith(b"\n") else None
    except ValueError:
        return None
    return entry if isinstance(entry, dict) else None


def _died(planned: Planned, ways: list[str]) -> Row:
    """The row of a page that is not read once more."""
    message = f"{len(ways)} processes died while they read this page ({', '.join(ways)})"
    return failed_row(planned, WorkerDied(message))
