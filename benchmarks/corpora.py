"""The pages that benchmarks run on: samples of the corpora of real pages."""

from __future__ import annotations

import json
import os
import random
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from pagesight.sources import Request

VARIABLE = "PAGESIGHT_CORPORA"


def corpora_folder() -> Path:
    """Where the corpora are; ends the program where there are none."""
    return corpora_or_none() or sys.exit(f"no corpora: set {VARIABLE} to the folder that has them")


def corpora_or_none() -> Path | None:
    """Where the corpora are, if there are any."""
    named = os.environ.get(VARIABLE)
    return Path(named) if named and Path(named).is_dir() else None


def pages(corpus: str) -> Iterator[Request]:
    """All pages of a corpus that has a dev.jsonl."""
    folder = corpora_folder() / corpus
    for line in (folder / "dev.jsonl").read_text().splitlines():
        row = json.loads(line)
        root = folder / row["root"] if "root" in row else None
        yield Request(source=folder / row["file"], url=row.get("url"), root=root)


def sample(corpus: str, size: int, seed: int = 0) -> list[Request]:
    """A repeatable sample of a corpus."""
    everything = list(pages(corpus))
    return random.Random(seed).sample(everything, min(size, len(everything)))


def samples(corpora: Sequence[str], size: int, seed: int = 0) -> list[Request]:
    """A sample of each corpus, one after the other."""
    return [request for corpus in corpora for request in sample(corpus, size, seed)]
