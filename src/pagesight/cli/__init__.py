"""The command line.

Each command has a module in `commands`: its options, what it does, and what it shows on a screen.
They are imported when they are used, and import in their turn what is heavy when they run, so that
help is there at once. What they share is in `options`, `sources` (what they read), `files` (what
they write) and `output` (what they print).
"""

from __future__ import annotations

import os

__all__ = ["main"]


def main() -> None:
    """The entry point of the installed script."""
    try:
        from pagesight.cli.app import main as run

        run()
    except KeyboardInterrupt:  # while the program starts: `app` sees to all that come later
        os._exit(128 + 2)  # Python might end by the signal instead; nothing is written yet
