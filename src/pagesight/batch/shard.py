"""One shard, from its pages to the file of its rows. This is all that runs on another machine.

Rows go to a journal first, page by page. Whoever continues a shard begins after its last row. When
all are there, the file is written beside, put on the disk, and gets its name: it is complete.
"""

from __future__ import annotations

import json
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from typing import IO, Any

from pagesight.batch.durable import rename_durably, write_durably
from pagesight.batch.folder import Beat, Folder
from pagesight.batch.plan import Planned
from pagesight.batch.rows import Row, failed_row
from pagesight.batch.summary import Summary
from pagesight.errors import WorkerDied

CHANCES = 2  # times that a page may end its worker; then it is not read any more
MakeRow = Callable[[Planned], Row]


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
            written = _kept_rows(journal)
            if not _add_rows(folder, number, make_row, is_spent, journal, written):
                return False
            _complete(folder, number, journal)
        folder.tidy(number)
    return True


def _kept_rows(journal: IO[bytes]) -> int:
    """How many rows a journal has; what is left of one that was being written is cut off."""
    journal.seek(0)
    count, end = 0, 0
    for line in journal:
        if not line.endswith(b"\n") or not _is_row(line):
            break
        count += 1
        end += len(line)
    journal.truncate(end)
    journal.seek(end)
    return count


def _is_row(line: bytes) -> bool:
    """Whether a line is whole; after a power failure there may be zeros instead."""
    try:
        return isinstance(json.loads(line), dict)
    except ValueError:
        return False


def _add_rows(
    folder: Folder,
    number: int,
    make_row: MakeRow,
    is_spent: Callable[[], bool],
    journal: IO[bytes],
    written: int,
) -> bool:
    """Add the rows that are missing to a journal, or some of them; whether it has all."""
    deaths = folder.deaths(number)
    errors: Counter[str] = Counter()  # of this attempt
    spent = False
    beat = os.open(folder.work_file(number, "beat"), os.O_WRONLY | os.O_CREAT, 0o666)
    try:
        for position, planned in enumerate(folder.plan.items(number, written), written):
            Beat(position, dict(errors)).write(beat)
            start = time.perf_counter()
            ways = deaths.get(position, [])
            row = _died(planned, ways) if len(ways) >= CHANCES else make_row(planned)
            seconds = time.perf_counter() - start
            if row["error"]:
                errors[row["error"]["kind"]] += 1
            journal.write(json.dumps({"seconds": round(seconds, 4), "row": row}).encode() + b"\n")
            journal.flush()
            if spent := is_spent():
                break
    finally:
        os.close(beat)
    folder.forget_beat(number)
    return not spent


def _died(planned: Planned, ways: list[str]) -> Row:
    """The row of a page that is not read once more."""
    message = f"{len(ways)} processes died while they read this page ({', '.join(ways)})"
    return failed_row(planned, WorkerDied(message))


def _complete(folder: Folder, number: int, journal: IO[bytes]) -> None:
    """Write the rows of a journal as the file of a shard."""
    part = folder.work_file(number, "part")
    summary = Summary()
    rows = _counted(journal, summary)
    if folder.plan.options.format == "parquet":
        from pagesight.batch.schema import write_parquet

        write_parquet(rows, part, folder.plan.options.readings)
    else:
        with part.open("wb") as file:
            file.writelines(json.dumps(row, ensure_ascii=True).encode() + b"\n" for row in rows)
    write_durably(folder.summary_file(number), json.dumps(summary.to_json()).encode())
    rename_durably(part, folder.rows_file(number))


def _counted(journal: IO[bytes], summary: Summary) -> Iterator[Row]:
    journal.seek(0)
    for line in journal:
        entry: dict[str, Any] = json.loads(line)
        summary.add(entry["row"], entry["seconds"])
        yield entry["row"]
