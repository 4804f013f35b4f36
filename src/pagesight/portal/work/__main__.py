"""A worker as a process of its own: settings come in one line on standard input.

It ends when standard input does, or with SIGTERM: whoever has started it need not end it.
"""

from __future__ import annotations

import json
import os
import sys
import threading

from pagesight.portal.settings import Settings
from pagesight.portal.work.running import run_worker


def main() -> int:
    """Work until standard input ends."""
    config = Settings(**json.loads(sys.stdin.buffer.readline()))
    ended = threading.Event()

    def wait() -> None:
        while os.read(sys.stdin.fileno(), 1024):  # a reader with a lock would disturb the ending
            pass
        ended.set()

    threading.Thread(target=wait, daemon=True).start()
    return run_worker(config, ended)


if __name__ == "__main__":
    sys.exit(main())
