"""What benchmarks that kill have in common: options, both databases, and the verdict."""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol

from database_server import database, programs


class Outcome(Protocol):
    """What came of all kills."""

    @property
    def is_flawless(self) -> bool: ...

    def lines(self) -> Iterator[str]: ...


def kill_on_databases(
    about: str,
    run: Callable[[Path, str, argparse.Namespace], Outcome],
    *,
    pages: int,
    kills: int,
    renderer: str = "embedded",
) -> None:
    """Run a benchmark on the databases that were asked for; ends the program."""
    parser = argparse.ArgumentParser(description=about.partition("\n")[0])
    parser.add_argument("--pages", type=int, default=pages)
    parser.add_argument("--kills", type=int, default=kills)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--renderer", default=renderer)
    parser.add_argument("--database", choices=["sqlite", "postgresql", "both"], default="both")
    options = parser.parse_args()
    flawless = True
    for kind in ["sqlite", "postgresql"] if options.database == "both" else [options.database]:
        if kind == "postgresql" and programs() is None:
            sys.exit("no PostgreSQL: apt-get install postgresql")
        with tempfile.TemporaryDirectory() as name, database(kind, Path(name)) as url:
            outcome = run(Path(name), url, options)
        print(f"{kind}, {options.pages} pages")
        print(*outcome.lines(), sep="\n", flush=True)
        flawless &= outcome.is_flawless
    sys.exit(not flawless)
