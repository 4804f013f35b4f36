"""What a worker process does before its first question."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import sys
from typing import BinaryIO

_OBJECTS = 50_000  # more than were freed, after which Python looks for cycles; usually 700
_LOOKS = 20  # at young objects before it looks at older ones, too


def pipes() -> tuple[BinaryIO, BinaryIO]:
    """Where questions come from and answers go to, whatever libraries print."""
    return sys.stdin.buffer, os.fdopen(os.dup(1), "wb")


def silence() -> None:
    """Keep what libraries print away from the messages and from the user's screen."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    if "PAGESIGHT_DEBUG" not in os.environ:
        os.dup2(nowhere, 2)


def die_with_parent() -> None:
    """End with the parent, however it ends (on Linux; elsewhere the input ends)."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent handles Ctrl-C
    if sys.platform == "linux":
        import ctypes

        pr_set_pdeathsig = 1
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)


def collect_seldom() -> None:
    """Look for cycles of objects less often than usual: pages make many objects and few cycles."""
    gc.set_threshold(_OBJECTS, _LOOKS, _LOOKS)
