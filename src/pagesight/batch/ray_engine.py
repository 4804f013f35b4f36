"""The Ray engine: actors with warm renderers on all nodes of a cluster, each with one shard.

Ray restarts nothing here: an actor that dies is replaced, and its shard continues where it was. All
nodes need the same Pagesight, the inputs, and the folder of the batch at the same paths.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from importlib import import_module
from pathlib import Path
from typing import Any

from pagesight.batch.folder import Folder
from pagesight.batch.worker import ShardWorker
from pagesight.errors import BatchError, PagesightError

TICK = 0.5  # seconds between two looks at the cluster
DEATHS_IN_VAIN = 20  # in a row, without a page to blame: the cluster cannot run this


def run_on_ray(
    folder: Folder,
    numbers: Iterable[int],
    workers: int | None,
    address: str | None,
    tell: Callable[[], None],
) -> None:
    """Read these shards on a cluster, or on this machine if there is none at hand."""
    ray: Any = import_module("ray")
    was_open = ray.is_initialized()
    if not was_open:
        ray.init(address=address, log_to_driver=False, configure_logging=False)
    try:
        cluster = _Cluster(ray, Folder(folder.path.resolve()), deque(numbers), workers)
        while cluster.is_at_work:
            cluster.fill()
            cluster.collect()
            tell()
    finally:
        if not was_open:
            ray.shutdown()


class _Cluster:
    def __init__(self, ray: Any, folder: Folder, waiting: deque[int], workers: int | None) -> None:
        self._ray = ray
        self._folder = folder
        self._waiting = waiting
        self._workers = workers
        self._actor_class = ray.remote(num_cpus=1, max_restarts=0)(ShardWorker)
        self._idle: list[Any] = []
        self._busy: dict[Any, tuple[Any, int]] = {}  # by the answer that is to come
        self._in_vain = 0

    @property
    def is_at_work(self) -> bool:
        return bool(self._waiting or self._busy)

    def fill(self) -> None:
        """Give a shard to each actor that has none, with an actor for each processor."""
        most = self._workers or int(self._ray.cluster_resources().get("CPU", 1))
        while self._waiting and len(self._busy) < most:
            number = self._waiting.popleft()
            self._folder.forget_beat(number)  # of a run that was killed
            actor = self._idle.pop() if self._idle else self._new_actor()
            self._busy[actor.run.remote(number)] = actor, number

    def collect(self) -> None:
        """Take the answers that have come, for a moment."""
        ready, _ = self._ray.wait([*self._busy], num_returns=1, timeout=TICK)
        for answer in ready:
            actor, number = self._busy.pop(answer)
            try:
                complete = self._ray.get(answer)
            except self._ray.exceptions.RayTaskError as error:
                raise _cause(error) from error
            except self._ray.exceptions.RayError as error:
                self._note_death(number, type(error).__name__)
            else:
                self._in_vain = 0
                if complete:
                    self._release(actor)
                else:  # it has grown too large
                    self._waiting.appendleft(number)
                    self._ray.kill(actor)

    def _release(self, actor: Any) -> None:
        """Keep an actor for the next shard; without one, its processor is for those who wait."""
        if self._waiting:
            self._idle.append(actor)
        else:
            self._ray.kill(actor)

    def _note_death(self, number: int, way: str) -> None:
        self._waiting.appendleft(number)
        blamed = self._folder.note_death(number, way) is not None
        self._in_vain = 0 if blamed else self._in_vain + 1
        if self._in_vain >= DEATHS_IN_VAIN:
            raise BatchError("the actors die before they have read a page")

    def _new_actor(self) -> Any:
        return self._actor_class.remote(Path(self._folder.path))


def _cause(error: Any) -> PagesightError:
    """What went wrong in an actor."""
    cause = getattr(error, "cause", None)
    return cause if isinstance(cause, PagesightError) else BatchError(str(error))
