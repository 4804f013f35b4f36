"""How many records both renderers lead to, with the weights as shipped.

    python benchmarks/same_records.py [--sample 80] [--seed 0]

The pages come from the corpora, see `PAGESIGHT_CORPORA`.
"""

from __future__ import annotations

import argparse
import random

from pagesight.learning.corpora import Corpora, rows
from pagesight.learning.tables import show, table
from pagesight.readers.records.learning.corpus import CORPUS, LISTS, OTHERS, PRODUCTS
from pagesight.readers.records.reader import read_records
from pagesight.readers.records.reading import Record, RecordsReading


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=80, help="lists that are compared")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    folder = Corpora().folder_of(CORPUS)
    listed = rows(folder, LISTS)
    chosen = random.Random(options.seed).sample(listed, min(options.sample, len(listed)))
    one, other = (
        {row["file"]: read_records(page) for row, page in Corpora(None, name).pages(folder, chosen)}
        for name in ("chromium", "embedded")
    )
    lines = []
    for group in (PRODUCTS, OTHERS):
        files = [row["file"] for row in chosen if row["group"] == group]
        pairs = [(one[file], other[file]) for file in files if file in one and file in other]
        kinds = [first.kind is second.kind for first, second in pairs]
        lines.append([group, len(pairs), sum(kinds) / max(1, len(kinds)), *agreement(pairs)])
    title = "Records that both renderers lead to, of those that either does"
    show(table(["", "pages", "same kind", "records", "same values"], lines, title=title))


def agreement(pairs: list[tuple[RecordsReading, RecordsReading]]) -> tuple[float, float]:
    """The share of records that both have, by their elements; and of these with the same values."""
    both = all_of = same = 0
    for readings in pairs:
        one, other = ({record.xpath: record for record in some.records} for some in readings)
        shared = one.keys() & other.keys()
        both += len(shared)
        all_of += len(one.keys() | other.keys())
        same += sum(values_of(one[xpath]) == values_of(other[xpath]) for xpath in shared)
    return both / max(1, all_of), same / max(1, both)


def values_of(record: Record) -> tuple[str, float | None]:
    """What a record is called, whatever separates the words, and its price."""
    name = "".join(record.name.text.split()) if record.name else ""
    return name, record.price.amount if record.price else None


if __name__ == "__main__":
    main()
