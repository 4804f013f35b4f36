"""Whether all readings of real pages are the same as before a change that should not matter.

    python benchmarks/same_readings.py before.json [--sample 200] [--seed 0]
    python benchmarks/same_readings.py after.json --before before.json

Writes the readings of a sample of each corpus as JSON; with `--before`, compares them with those of
another run, prints where they differ, and ends with status 1 if they do.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Iterator
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
    parser.add_argument("--sample", type=int, default=200, help="pages of each corpus")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    requests = samples(CORPORA, options.sample, options.seed)
    results = {source.name: read_all(data) for source, data in rendered(requests)}
    options.output.write_text(json.dumps(results))
    if options.before:
        compare(json.loads(options.before.read_text()), json.loads(options.output.read_text()))


def read_all(data: bytes) -> dict[str, Any]:
    """All readings of a page, as plain JSON types."""
    document = Document("page", Page.from_bytes(data))
    return {reading.name: document.glance(reading.name).to_json() for reading in readings()}


def compare(before: dict[str, Any], after: dict[str, Any]) -> None:
    """Print where the readings differ."""
    found = {page: list(differences(before.get(page), after[page])) for page in after}
    differing = {page: places for page, places in found.items() if places}
    for page, places in list(differing.items())[:MOST_SHOWN]:
        print(f"{page}: {len(places)} differences, the first in {places[0]}")
    print(f"{len(differing)} of {len(after)} pages differ")
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
