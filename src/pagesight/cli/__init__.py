"""The command line.

Everything that `pagesight --help` imports is light: `app`, `options`, `output` and the modules in
`commands`. What does the work (`work`, `saving`, `diagnosis`, `readings`) is imported by a command
when it runs.
"""

from pagesight.cli.app import main

__all__ = ["main"]
