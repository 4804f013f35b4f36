"""Running a worker until a signal comes."""

from __future__ import annotations

import logging
import os
import signal
import threading
from types import FrameType

from pagesight.portal.settings import Settings
from pagesight.portal.work.worker import Worker

LOOK = 0.2  # seconds between two looks whether it shall end


def run_worker(config: Settings, ended: threading.Event | None = None) -> int:
    """Work until SIGTERM or SIGINT, or until something has `ended`; the exit status."""
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    ended = ended or threading.Event()

    def stop(_: int, __: FrameType | None) -> None:
        ended.set()

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, stop)
    with Worker(config) as worker:
        watching = threading.Thread(target=_stop_with, args=(ended, worker), daemon=True)
        watching.start()
        is_done = worker.run()
    if not is_done:
        os._exit(0)  # threads that do not end would keep the process; their jobs are put back
    return 0


def _stop_with(ended: threading.Event, worker: Worker) -> None:
    while not ended.wait(LOOK):
        pass
    worker.stop()
