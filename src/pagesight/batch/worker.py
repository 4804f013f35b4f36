"""The worker process of a batch: reads one shard after another until its input ends."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Any

from pagesight.batch.folder import Folder
from pagesight.batch.memory import has_grown
from pagesight.batch.options import BatchOptions
from pagesight.batch.plan import Planned
from pagesight.batch.rows import PageReader, Row
from pagesight.batch.shard import run_shard
from pagesight.errors import PagesightError, UnexpectedError
from pagesight.render.worker.child import collect_seldom, die_with_parent, pipes, silence
from pagesight.render.worker.protocol import receive, send

ALLOWANCE = 10.0  # seconds of CPU time for what is not a reading: decoding, building the page


class ShardWorker:
    """Reads shards of one batch; its renderer stays warm."""

    def __init__(self, folder: Path) -> None:
        self._folder = Folder(folder)
        self._options = self._folder.plan.options
        self._reader = PageReader(self._options)

    def run(self, number: int) -> bool:
        """Read a shard; whether it is complete, or another worker has to continue with it."""
        memory = self._options.memory
        return run_shard(self._folder, number, self._row, lambda: has_grown(memory))

    def close(self) -> None:
        """End the renderer."""
        self._reader.close()

    def _row(self, planned: Planned) -> Row:
        _limit_cpu_time(most_cpu_time(self._options))
        return self._reader.row(planned)


def most_cpu_time(options: BatchOptions) -> float:
    """What one page may cost a worker: each reading stops before, unless it hangs in a library."""
    return ALLOWANCE + (len(options.readings) + 1) * options.reading_time


def _limit_cpu_time(seconds: float) -> None:
    """Have the system end this process if it uses more from now on."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        soft = int(used.ru_utime + used.ru_stime + seconds) + 1
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (soft, hard))


def main() -> None:
    """Answer requests on stdin until it is closed."""
    requests, answers = pipes()
    silence()
    die_with_parent()
    collect_seldom()
    worker: ShardWorker | None = None
    while True:
        try:
            request, _ = receive(requests)
        except EOFError:
            break
        if worker is None:
            worker = ShardWorker(Path(request["folder"]))
        send(answers, _answer(worker, request["shard"]))
    if worker is not None:
        worker.close()


def _answer(worker: ShardWorker, number: int) -> dict[str, Any]:
    try:
        return {"complete": worker.run(number)}
    except PagesightError as error:
        return {"error": error.to_json(), "source": error.source}
    except OSError as error:  # the disk is full, for example: the others would fail as well
        message = f"{error.filename or 'a file of the batch'}: {error.strerror or error}"
        return {"error": {"kind": "save_failed", "message": message}}
    except Exception as error:  # noqa: BLE001 - the supervisor decides
        return {"error": UnexpectedError.of(error).to_json()}


if __name__ == "__main__":
    main()
