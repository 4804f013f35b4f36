"""What keeps a process from outliving the one that needs it."""

from __future__ import annotations

import contextlib
import signal
import sys


def die_with_parent() -> None:
    """End with the process that started this, however it ends (Linux; elsewhere by its input)."""
    if sys.platform == "linux":
        import ctypes

        pr_set_pdeathsig = 1
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(pr_set_pdeathsig, signal.SIGKILL)
