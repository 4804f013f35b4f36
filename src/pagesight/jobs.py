"""How many pages are read at a time."""

from __future__ import annotations

import os

MOST_JOBS = 4  # unless more are asked for: each costs the memory of a tab


def usual_jobs() -> int:
    """As many as processors, at most `MOST_JOBS`."""
    return min(MOST_JOBS, os.cpu_count() or 1)
