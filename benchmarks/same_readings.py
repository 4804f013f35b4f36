"""Whether all readings of real pages are the same as before a change that should not matter.

    python benchmarks/same_readings.py before.jsonl [--sample 310] [--seed 0]
    python benchmarks/same_readings.py after.jsonl --before before.jsonl

Writes all readings of a sample of each corpus, about 1,000 pages, as JSON Lines. With `--before`,
compares them with those of another run, prints where they differ, and ends with status 1 if they
do.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path
from typing import Any

from corpora import samples
from pagesight.document import Document
from pagesight.page import Page
from pagesight.readers.registry import readings
from timing import rendered

CORPORA = ("titles", "outlines", "segments", "snapshots")  # those with a dev.jsonl
MOST_SHOWN = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("output", type=Path)
    parser.add_argument("--before", type=Path)
    parser.add_argument("--sample", type=int, default=310, help="pages of each corpus")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    requests = samples(CORPORA, options.sample, options.seed)
    with options.output.open("w") as lines:
        for source, data in rendered(requests):
            lines.write(json.dumps({"source": source.name, **read_all(data)}) + "\n")
    if options.before:
        compare(options.before, options.output)


def read_all(data: bytes) -> dict[str, Any]:
    """All readings of a page, as plain JSON types."""
    document = Document("page", Page.from_bytes(data))
    return {reading.name: document.glance(reading.name).to_json() for reading in readings()}


def compare(before: Path, after: Path) -> None:
    """Print where the readings in two files differ; page by page, since they are large."""
    differing = pages = 0
    with before.open() as one, after.open() as other:
        for lines in zip_longest(one, other, fillvalue="null"):
            pages += 1
            was, now = map(json.loads, lines)
            if places := list(differences(was, now)):
                differing += 1
                if differing <= MOST_SHOWN:
                    page = (now or was)["source"]
                    print(f"{page}: {len(places)} differences, the first in {places[0]}")
    print(f"{differing} of {pages} pages differ")
    sys.exit(bool(differing))


def differences(one: Any, other: Any, place: str = "") -> Iterator[str]:
    """The places in which two JSON values differ."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        for name in one:
            yield from differences(one[name], other[name], f"{place}/{name}")
    elif isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        for number, pair in enumerate(zip(one, other, strict=True)):
            yield from differences(*pair, f"{place}/{number}")
    elif one != other:
        yield place or "/"


if __name__ == "__main__":
    main()
