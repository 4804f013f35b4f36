"""Items that arrive one by one, from a producer that may be slow."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from queue import Empty, Queue
from threading import Thread
from typing import TypeVar

T = TypeVar("T")

MOMENT = 0.05  # seconds without anything new
_MOST_WAITING = 64


def arriving(items: Iterable[T]) -> Iterator[T | None]:
    """The items in their order, and None for every moment in which none arrives.

    A thread waits for them. It ends with the items, or with the program (see `app`).
    """
    queue: Queue[tuple[T] | BaseException] = Queue(_MOST_WAITING)
    Thread(target=_put_all, args=(items, queue), name="pagesight-arriving", daemon=True).start()
    while True:
        try:
            arrived = queue.get(timeout=MOMENT)
        except Empty:
            yield None
            continue
        if isinstance(arrived, StopIteration):
            return
        if isinstance(arrived, BaseException):
            raise arrived
        yield arrived[0]


def _put_all(items: Iterable[T], queue: Queue[tuple[T] | BaseException]) -> None:
    try:
        for item in items:
            queue.put((item,))
    except BaseException as error:  # noqa: BLE001 - it is raised where the items are used
        queue.put(error)
    else:
        queue.put(StopIteration())
