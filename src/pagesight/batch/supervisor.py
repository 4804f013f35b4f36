"""The local engine: worker processes, each of which has a shard, and is replaced when it dies.

`multiprocessing.Pool` hangs when a worker is killed, and `ProcessPoolExecutor` breaks as a whole.
Here each worker has a thread that waits for it. A death is noted in the folder with the page that
was being read, and another worker continues with the shard.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from pagesight import errors
from pagesight.batch.folder import Beat, Folder
from pagesight.errors import BatchError, PagesightError
from pagesight.render.worker.process import ProcessDied, WorkerProcess

WORKER = "pagesight.batch.worker"
TICK = 0.5  # seconds between two looks at the workers, which cost what workers could use
STUCK = 1800.0  # seconds without a new page after which a worker is taken for dead
TO_CLOSE = 10.0  # seconds for a worker to end its renderer
STARTS_IN_VAIN = 5  # deaths in a row without a page to blame: something else is wrong
Tell = Callable[[], None]


def run_locally(folder: Folder, numbers: Iterable[int], workers: int, tell: Tell) -> None:
    """Read these shards with so many workers; `tell` is called every moment."""
    with _running(_Supervisor(folder, deque(numbers)), workers) as supervisor:
        while supervisor.is_at_work:
            tell()
            supervisor.end_stuck_workers()
            supervisor.wait(TICK)
        tell()
        if supervisor.error:
            raise supervisor.error


@contextmanager
def _running(supervisor: _Supervisor, workers: int) -> Iterator[_Supervisor]:
    """A supervisor whose workers end with the block, however it ends."""
    supervisor.start(workers)
    try:
        yield supervisor
    finally:
        supervisor.stop()


@dataclass
class _Busy:
    """A worker, the shard that it has, and since when which page of it is being read."""

    process: WorkerProcess
    shard: int
    beat: Beat | None = None
    since: float = field(default_factory=time.monotonic)


class _Supervisor:
    def __init__(self, folder: Folder, waiting: deque[int]) -> None:
        self.error: PagesightError | None = None
        self._folder = folder
        self._waiting = waiting
        self._threads: list[threading.Thread] = []
        self._busy: dict[int, _Busy] = {}  # by the number of the thread
        self._stopped = False

    @property
    def is_at_work(self) -> bool:
        return any(thread.is_alive() for thread in self._threads)

    def wait(self, seconds: float) -> None:
        """Wait so long, or until a thread has nothing left to do."""
        at_work = next(filter(threading.Thread.is_alive, self._threads), None)
        if at_work:
            at_work.join(seconds)

    def start(self, workers: int) -> None:
        for number in range(min(workers, len(self._waiting))):
            thread = threading.Thread(target=self._serve, args=(number,), daemon=True)
            self._threads.append(thread)
            thread.start()

    def stop(self) -> None:
        """End all workers; what they have written stays, and is continued the next time."""
        self._end_all()
        for thread in self._threads:
            thread.join()

    def _end_all(self) -> None:
        self._stopped = True
        for busy in [*self._busy.values()]:
            busy.process.kill()

    def end_stuck_workers(self) -> None:
        """Kill workers that have been at the same page for too long, whatever they wait for."""
        now = time.monotonic()
        for busy in [*self._busy.values()]:
            beat = self._folder.beat(busy.shard)
            if beat != busy.beat:
                busy.beat, busy.since = beat, now
            elif now - busy.since > STUCK:
                busy.process.kill()

    def _serve(self, thread: int) -> None:
        """Have one worker after another read shards until none is left."""
        in_vain = 0
        # A worker ends with the thread that started it, which is this one.
        process: WorkerProcess | None = None
        try:
            while not self._stopped and self._waiting:
                number = self._waiting.popleft()
                self._folder.forget_beat(number)  # of a run that was killed
                process = process or WorkerProcess(WORKER)
                self._busy[thread] = _Busy(process, number)
                if self._stopped:  # before it could see this worker
                    break
                complete, way = self._run(process, number)
                if complete:
                    in_vain = 0
                    continue
                self._waiting.appendleft(number)
                if way is None:  # it has grown too large
                    process.close(TO_CLOSE)
                    process, in_vain = None, 0
                    continue
                blamed = self._stopped or self._folder.note_death(number, way) is not None
                process.kill()
                process, in_vain = None, 0 if blamed else in_vain + 1
                if in_vain >= STARTS_IN_VAIN:
                    raise BatchError("workers die before they have read a page")
        except IndexError:
            pass  # another thread was faster
        except PagesightError as error:
            self._fail(error)
        except OSError as error:  # no process can be started, or nothing written
            self._fail(BatchError(f"workers cannot be looked after ({error})"))
        finally:
            self._busy.pop(thread, None)
            if process:
                process.close(0.0 if self._stopped else TO_CLOSE)

    def _run(self, process: WorkerProcess, number: int) -> tuple[bool, str | None]:
        """Have a worker read a shard: whether it is complete, and how the worker died, if it did.

        Raises what ends the batch.
        """
        request = {"folder": str(self._folder.path), "shard": number}
        try:
            answer, _ = process.ask(request)
        except (ProcessDied, TimeoutError) as died:
            return False, str(died) or "out of time"
        if "error" in answer:
            raise told_error(answer)
        return answer["complete"], None

    def _fail(self, error: PagesightError) -> None:
        self.error = self.error or error
        self._end_all()


def told_error(answer: dict[str, Any]) -> PagesightError:
    """The error that a worker tells of."""
    fields = answer["error"]
    name = "".join(part.capitalize() for part in fields["kind"].split("_"))
    kind = getattr(errors, name, BatchError)
    error: PagesightError = kind(
        fields["message"], source=answer.get("source"), hint=fields.get("hint")
    )
    return error
