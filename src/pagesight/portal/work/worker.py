"""A worker: takes jobs, does several side by side, and says that it is there."""

from __future__ import annotations

import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import cache
from hashlib import sha256
from pathlib import Path
from queue import SimpleQueue
from typing import Self

from pagesight.errors import StoreError, UnexpectedError
from pagesight.portal.foreign.styling import styled
from pagesight.portal.intervals import LearnedPace
from pagesight.portal.settings import Settings
from pagesight.portal.store.hosts import HostTurns
from pagesight.portal.store.opening import open_database
from pagesight.portal.store.queue import Queue
from pagesight.portal.values import Job
from pagesight.portal.work.tasks import PutBack, Tasks, wait_after
from pagesight.render import AnyRenderer, RenderOptions, open_renderer
from pagesight.watch.store.store import Store
from pagesight.watch.watching import Watch

POLL = 0.25  # seconds between two looks for work
BEAT = 5.0  # seconds between two signs of life
DIGESTS = 60.0  # seconds between two looks for digests that are due
ORDER = 3600.0  # seconds after which what nobody needs is forgotten
LONGEST_JOB = 300.0  # seconds after which a job is left to others
STUCK = 2 * LONGEST_JOB  # seconds after which a worker is of no use
PATIENCE = 10.0  # seconds for jobs to end when the worker is asked to
TABS = 2  # pages that the browser shows side by side

log = logging.getLogger(__name__)


def name_of(process: int) -> str:
    """The name of the worker that is a process of this machine."""
    return f"{socket.gethostname()}-{_machine()}:{process}"


@cache
def _machine() -> str:
    """What tells apart machines and containers that have the same name."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text("ascii")
        processes = Path("/proc/self/ns/pid").stat().st_ino
    except OSError:
        return ""
    return sha256(f"{boot} {processes}".encode()).hexdigest()[:8]


class Worker:
    """Does the work of a portal, until it is told to stop. Use it as a context manager."""

    def __init__(self, config: Settings) -> None:
        self.name = name_of(os.getpid())
        self.config = config
        self._stopping = threading.Event()
        self._running: dict[int, float] = {}  # by job since when
        self._stack = ExitStack()
        self._store = Store(open_database(config.database))
        self._stack.callback(self._store.close)
        self.tasks = Tasks(config, self._store)
        self.queue = Queue(self._store, config.clock)
        self._renderer = self._opened_renderer()
        self._watches: SimpleQueue[Watch] = SimpleQueue()
        for _ in range(config.threads):
            self._watches.put(self._new_watch())

    def _opened_renderer(self) -> AnyRenderer:
        if isinstance(self.config.renderer, AnyRenderer):
            return self.config.renderer
        jobs = min(TABS, self.config.threads)
        options = RenderOptions(timeout=self.config.timeout, jobs=jobs)
        return self._stack.enter_context(open_renderer(self.config.renderer, options))

    def _new_watch(self) -> Watch:
        config, clock = self.config, self.config.clock
        return Watch(
            self._store,
            renderer=self._renderer,
            limits=config.guarded_limits,
            delay=config.delay,
            clock=clock,
            turns=HostTurns(self._store, clock, self.name),
            pace=LearnedPace(self._store, clock),
            styled=styled,
        )

    def __enter__(self) -> Self:
        self.queue.gone(self.name)  # what one of the same name has left
        self.queue.here(self.name)
        return self

    def __exit__(self, *_: object) -> None:
        self._stack.close()

    def stop(self) -> None:
        """Take no more jobs, and end when those that are taken are done."""
        self._stopping.set()

    def run(self) -> bool:
        """Work until told to stop; whether all jobs have ended by then."""
        beating = threading.Thread(target=self._beat, daemon=True)
        beating.start()
        pool = ThreadPoolExecutor(self.config.threads)
        free = threading.Semaphore(self.config.threads)
        while not self._stopping.is_set():
            if not free.acquire(timeout=POLL):
                continue
            job = self._taken()
            if job is None:
                free.release()
                self._stopping.wait(POLL)
                continue
            self._running[job.id] = time.monotonic()
            pool.submit(self._do, job).add_done_callback(lambda _: free.release())
        pool.shutdown(wait=False, cancel_futures=True)
        until = time.monotonic() + PATIENCE
        while self._running and time.monotonic() < until:
            time.sleep(POLL / 5)
        self._quietly(lambda: self.queue.gone(self.name))
        return not self._running

    def do_all(self) -> int:
        """Do all that can be done now, in this thread; how many jobs that were. For tests."""
        count = 0
        self.queue.plan()
        self.tasks.plan_digests()
        while job := self.queue.take(self.name):
            self._do(job)
            count += 1
        return count

    def _taken(self) -> Job | None:
        try:
            return self.queue.take(self.name)
        except StoreError as error:  # which may be well again soon
            log.warning("%s", error)
            self._stopping.wait(1.0)
            return None

    def _do(self, job: Job) -> None:
        watch = self._watches.get()
        try:
            self.tasks.do(job, watch)
            self.queue.done(job, self.name)
        except PutBack as back:
            error, wait = back.error, back.wait
            self._quietly(lambda: self.queue.put_back(job, self.name, error, wait))
        except StoreError as unusable:  # its lease runs out, and somebody does it again
            log.warning("%s", unusable)
        except Exception as defect:
            log.exception("a defect of a %s job", job.kind)
            told, later = UnexpectedError.of(defect).to_json(), wait_after(job.attempts)
            self._quietly(lambda: self.queue.put_back(job, self.name, told, later))
        finally:
            self._watches.put(watch)
            self._running.pop(job.id, None)

    def _beat(self) -> None:
        """Say that the worker is there, and see what is due."""
        turns = {self._plan: BEAT, self.tasks.plan_digests: DIGESTS, self.tasks.expire: ORDER}
        last = dict.fromkeys(turns, float("-inf"))
        while not self._stopping.is_set():
            for work, every in turns.items():
                if time.monotonic() - last[work] >= every:
                    last[work] = time.monotonic()
                    self._quietly(work)
            if any(time.monotonic() - since > STUCK for since in [*self._running.values()]):
                log.error("a job does not end: the worker does")
                os._exit(1)
            self._stopping.wait(1.0)

    def _plan(self) -> None:
        now = time.monotonic()
        alive = [job for job, since in [*self._running.items()] if now - since < LONGEST_JOB]
        self.queue.here(self.name, alive)
        self.queue.plan()

    def _quietly(self, work: Callable[[], None]) -> None:
        """Do something that is done again later anyway."""
        try:
            work()
        except StoreError as error:
            log.warning("%s", error)
        except Exception:
            log.exception("a defect of the worker")
