"""The folder of a batch: what is in it, and under which name.

plan.json            the plan, with its key
rows/00017.parquet   the rows of a shard: there when the shard is complete, and not before
summaries/00017.json what its pages were like
report.html          at the end
work/                what is there while shards are being worked on
00017.journal    rows that are read already, a line each
00017.beat       which page is being read now
00017.deaths     pages that were being read when a worker died, a line for each time
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import IO, Any

from pagesight.batch.durable import append_durably, write_durably
from pagesight.batch.plan import Plan
from pagesight.batch.summary import Summary
from pagesight.errors import FolderBusy, ForeignFolder

PATIENCE = 30.0  # seconds to wait for a lock: whoever held it may be dying
_FOLDERS = ("rows", "summaries", "work")
_HINT = "name another folder with -o, or remove this one"


@dataclass(frozen=True)
class Beat:
    """What is being done in a shard at this moment."""

    position: int
    """Of the page that is being read."""

    errors: dict[str, int]
    """How many pages before it could not be read, by kind of error."""

    def write(self, handle: int) -> None:
        """Write it to an open file. It need not survive the machine, only the process."""
        data = json.dumps({"position": self.position, "errors": self.errors}).encode()
        os.pwrite(handle, data, 0)
        os.ftruncate(handle, len(data))

    @classmethod
    def from_bytes(cls, data: bytes) -> Beat:
        """What was written; raises `ValueError` or `KeyError` for anything else."""
        fields = json.loads(data)
        return cls(fields["position"], fields["errors"])


@dataclass(frozen=True)
class Folder:
    """The folder that a batch is written to."""

    path: Path

    @property
    def plan_file(self) -> Path:
        return self.path / "plan.json"

    @property
    def report(self) -> Path:
        return self.path / "report.html"

    @property
    def work(self) -> Path:
        return self.path / "work"

    @property
    def has_plan(self) -> bool:
        return self.plan_file.is_file()

    @cached_property
    def plan(self) -> Plan:
        """The plan; raises `ForeignFolder` if there is none that can be read."""
        try:
            return Plan.from_bytes(self.plan_file.read_bytes())
        except FileNotFoundError as error:
            raise ForeignFolder("there is no batch in this folder", source=self._name) from error
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ForeignFolder(
                f"the plan cannot be read ({error})", source=self._name, hint=_HINT
            ) from error

    @property
    def _name(self) -> str:
        return str(self.path)

    def check(self, key: str) -> None:
        """Refuse a folder whose plan is another one, or that has other things in it."""
        if self.has_plan:
            if self.plan.key != key:
                raise ForeignFolder(
                    "this folder has the rows of other inputs, other options or another version "
                    "of Pagesight",
                    source=self._name,
                    hint=f"repeat the command that it was begun with, or {_HINT}",
                )
        elif self.path.exists() and any(map(_is_foreign, self.path.iterdir())):
            raise ForeignFolder(
                "this folder is not empty, and there is no batch in it",
                source=self._name,
                hint=_HINT,
            )

    def keep(self, plan: Plan) -> None:
        """Write the plan. Of several that begin at once with the same one, all write the same."""
        for name in _FOLDERS:
            (self.path / name).mkdir(parents=True, exist_ok=True)
        write_durably(self.plan_file, plan.to_bytes())

    def rows_file(self, number: int) -> Path:
        return self.path / "rows" / f"{number:05}.{self.plan.options.format}"

    def summary_file(self, number: int) -> Path:
        return self.path / "summaries" / f"{number:05}.json"

    def work_file(self, number: int, what: str) -> Path:
        return self.work / f"{number:05}.{what}"

    def is_done(self, number: int) -> bool:
        """Whether the rows of a shard are complete."""
        return self.rows_file(number).exists()

    def done_shards(self) -> set[int]:
        """The numbers of the shards that are complete."""
        return _numbers(self.path / "rows")

    def begun_shards(self) -> set[int]:
        """The numbers of the shards that somebody has worked on, and that are not complete."""
        return _numbers(self.work) - self.done_shards()

    def open_shards(self, numbers: Iterable[int] | None = None) -> list[int]:
        """The shards that are not complete, of these numbers or of all."""
        wanted = range(len(self.plan.shards)) if numbers is None else numbers
        return [number for number in wanted if not self.is_done(number)]

    def tidy(self, number: int) -> None:
        """Remove what only a shard that is being worked on needs."""
        for what in ("journal", "beat", "deaths", "part"):
            self.work_file(number, what).unlink(missing_ok=True)

    # Deaths

    def deaths(self, number: int) -> dict[int, list[str]]:
        """How workers died while they read a page of a shard, by the page's position."""
        ways = defaultdict[int, list[str]](list)
        with contextlib.suppress(FileNotFoundError):
            for line in self.work_file(number, "deaths").read_text("utf-8").splitlines():
                position, _, way = line.partition(" ")
                ways[int(position)].append(way)
        return ways

    def note_death(self, number: int, way: str) -> int | None:
        """Blame the page that was being read when a worker died; its position, if there is one."""
        beat = self.beat(number)
        if beat is None or self.is_done(number):
            return None
        append_durably(self.work_file(number, "deaths"), f"{beat.position} {way}\n".encode())
        self.forget_beat(number)
        return beat.position

    def forget_beat(self, number: int) -> None:
        """No page of this shard is being read: if a worker dies now, no page is to blame."""
        self.work_file(number, "beat").unlink(missing_ok=True)

    def beat(self, number: int) -> Beat | None:
        """What is being done in a shard, or was when its worker died."""
        with contextlib.suppress(FileNotFoundError, ValueError, KeyError):
            return Beat.from_bytes(self.work_file(number, "beat").read_bytes())
        return None

    def rows_so_far(self, number: int) -> int:
        """How many rows of a shard have been read."""
        if self.is_done(number):
            return self.plan.shards[number].count
        if (beat := self.beat(number)) is not None:
            return beat.position
        try:
            with self.work_file(number, "journal").open("rb") as journal:
                return sum(1 for _ in journal)
        except FileNotFoundError:
            return 0

    # What has been done

    def summary(self, number: int) -> Summary:
        """What the pages of a complete shard were like."""
        return Summary.from_json(json.loads(self.summary_file(number).read_bytes()))

    @contextlib.contextmanager
    def lock(self, name: str, patience: float = PATIENCE) -> Iterator[IO[bytes]]:
        """Hold a file in `work`, so that nobody else works on the same."""
        with (self.work / name).open("a+b") as file:
            end = time.monotonic() + patience
            while not _locked(file):
                if time.monotonic() >= end:
                    raise FolderBusy(
                        "another run is working here", source=self._name,
                        hint="wait for it, or see pagesight batch --status",
                    )  # fmt: skip
                time.sleep(0.1)
            yield file

    def is_locked(self, name: str) -> bool:
        """Whether anybody holds a lock."""
        try:
            with (self.work / name).open("rb") as file:
                return not _locked(file)
        except OSError:
            return False


def _numbers(folder: Path) -> set[int]:
    """The numbers that names of files in a folder begin with."""
    starts = (path.name.partition(".")[0] for path in folder.iterdir())
    return {int(start) for start in starts if start.isdecimal()}


def _is_foreign(path: Path) -> bool:
    """Whether this is nothing that others have made who begin the same batch at this moment."""
    return path.name not in _FOLDERS and path.suffix != ".part"


def _locked(file: Any) -> bool:
    """Lock a file until it is closed; whether that worked. On Windows, nothing is locked."""
    try:
        import fcntl
    except ImportError:
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
