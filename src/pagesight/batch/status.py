"""How far a batch is: of a folder that is being worked on, or of one that was left."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from pagesight.batch.folder import Folder
from pagesight.batch.summary import Summary

RUN_LOCK = "run"  # what the locks of runs begin with


@dataclass(frozen=True)
class Status:
    """What there is to do, and what has been done."""

    pages: int
    rows: int
    shards: int
    shards_done: int
    errors: Counter[str]
    """Pages that could not be read, by kind."""

    blamed: int
    """Pages during which a worker died, in shards that are not complete."""

    running: bool
    summary: Summary
    """Of the shards that are complete."""

    @property
    def is_complete(self) -> bool:
        return self.shards_done == self.shards

    def to_json(self) -> dict[str, Any]:
        """As plain JSON types."""
        return {
            "pages": self.pages,
            "rows": self.rows,
            "shards": self.shards,
            "shards_done": self.shards_done,
            "complete": self.is_complete,
            "running": self.running,
            "errors": dict(self.errors),
            "blamed": self.blamed,
        }


class StatusReader:
    """Reads the status of a folder again and again; what is complete is read once."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._done: set[int] = set()
        self._summary = Summary()  # of these; adding up thousands each time would take longer

    def read(self) -> Status:
        """How far it is now."""
        folder, plan = self._folder, self._folder.plan
        for number in folder.done_shards() - self._done:
            self._summary += folder.summary(number)
            self._done.add(number)
        begun = folder.begun_shards()
        summary = self._summary
        errors = Counter(summary.errors)
        for number in begun:
            if beat := folder.beat(number):
                errors.update(beat.errors)
        return Status(
            pages=plan.count,
            rows=summary.rows + sum(folder.rows_so_far(number) for number in begun),
            shards=len(plan.shards),
            shards_done=len(self._done),
            errors=errors,
            blamed=sum(len(folder.deaths(number)) for number in begun),
            running=any(folder.is_locked(path.name) for path in folder.work.glob(f"{RUN_LOCK}*")),
            summary=summary,
        )
