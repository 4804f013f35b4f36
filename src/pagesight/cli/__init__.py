"""The command line.

Everything that `pagesight --help` imports is light: `app`, `options`, `output` and the modules in
`commands`. What does the work (`work`, `saving`, `diagnosis`, `readings`) is imported by a command
when it runs.
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
