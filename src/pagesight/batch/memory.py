"""The memory of a worker: what a page may take of it, and when there is nothing left to wait for.

A page that takes too much becomes an error, where the system can say no (`setrlimit`). What pages
leave behind adds up: a worker that has grown is replaced between two pages.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from pagesight.errors import OutOfMemory

GROWN = 0.5  # of the limit of a page: a worker that uses more between two pages is replaced
_STATM = Path("/proc/self/statm")  # on Linux


def has_grown(limit: int) -> bool:
    """Whether this process uses so much between two pages that another one should take over."""
    return _in_use()[1] > GROWN * limit


@contextlib.contextmanager
def limited_memory(limit: int) -> Iterator[None]:
    """Raise `OutOfMemory` if what is done here takes more bytes than the limit.

    Browsers reserve far more than they use, so they must not be started within.
    """
    try:
        with _limited_address_space(_in_use()[0] + limit):
            yield
    except MemoryError as error:
        raise OutOfMemory(f"the readings need more than {limit >> 20:,} MB of memory") from error


def _in_use() -> tuple[int, int]:
    """The address space of this process and what of it is in memory, in bytes; 0 if not known."""
    try:
        import resource

        size, resident, *_ = map(int, _STATM.read_bytes().split())
        return size * resource.getpagesize(), resident * resource.getpagesize()
    except (ImportError, OSError):
        return 0, 0


@contextlib.contextmanager
def _limited_address_space(most: int) -> Iterator[None]:
    try:
        import resource

        before = resource.getrlimit(resource.RLIMIT_AS)
        lowest = [most, *(limit for limit in before if limit != resource.RLIM_INFINITY)]
        resource.setrlimit(resource.RLIMIT_AS, (min(lowest), before[1]))
    except (ImportError, OSError, ValueError):
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)
