"""PDFs: turning them into Pages and reading the articles in them, against bare loops.

    pip install -e .[benchmarks]
    python benchmarks/pdf.py [--rounds 3] [--write after.json [--before before.json]]

CPU time of the thread on the PDFs of the corpus, in rounds that take turns; of each PDF the
quickest round counts. The unit is a bare loop of pypdfium2 that asks for the text of each sheet and
for the box of each character, one by one, and makes nothing of them. pdfminer.six analyses the
layout, too, as far as lines and blocks. With `--write`, Pages (as hashes) and readings are written
as JSON; `--before` compares them with those of another run.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import json
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from corpora import corpora_folder
from pagesight.readers.article.reader import read_article
from pagesight.render.pdf.document import page_from_pdf
from pagesight.render.pdf.handles import open_document
from render import report
from same_readings import compare

PDFS = "articles/pdf/*.pdf"
MOST = {"rendered": 1.6, "rendered and read": 2.6}  # times the bare loop, by sums
Way = Callable[[bytes], object]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", type=Path, metavar="FILE", help="Pages and readings, as JSON")
    parser.add_argument("--before", type=Path, metavar="FILE", help="those of another run")
    options = parser.parse_args()
    pdfs = {path.name: path.read_bytes() for path in sorted(corpora_folder().glob(PDFS))}
    if options.write:
        results = {name: _results(data) for name, data in pdfs.items()}
        options.write.write_text(json.dumps(results))
        if options.before:
            compare(json.loads(options.before.read_text()), json.loads(json.dumps(results)))
        return
    ways: dict[str, Way] = {
        "bare loop of characters": _characters,
        "pdfminer.six, layout": _pdfminer(),
        "rendered": page_from_pdf,
        "rendered and read": lambda data: read_article(page_from_pdf(data)),
    }
    print_table(measure(ways, list(pdfs.values()), options.rounds))


def _characters(data: bytes) -> None:
    """What is least to be asked: the texts, and where each character is."""
    document = open_document(data)
    for sheet in document:
        text = sheet.get_textpage()
        text.get_text_range()
        for at in range(text.count_chars()):
            text.get_charbox(at, loose=True)
        text.close()
        sheet.close()
    document.close()


def _pdfminer() -> Way:
    try:
        from pdfminer.high_level import (  # type: ignore[import-not-found,unused-ignore]
            extract_pages,
        )
    except ImportError:
        sys.exit("no pdfminer.six: pip install -e .[benchmarks]")
    return lambda data: list(extract_pages(io.BytesIO(data)))


def _results(data: bytes) -> dict[str, Any]:
    page = page_from_pdf(data)
    digest = hashlib.sha256(page.to_bytes(compress=False)).hexdigest()
    return {"page": digest, "article": read_article(page).to_json()}


def measure(ways: dict[str, Way], pdfs: Sequence[bytes], rounds: int) -> dict[str, list[float]]:
    """Seconds of CPU time of each way on each PDF, in its quickest round."""
    for way in ways.values():  # what is loaded on first use
        way(pdfs[0])
    times = {name: [float("inf")] * len(pdfs) for name in ways}
    for _ in range(rounds):
        for at, data in enumerate(pdfs):
            for name, way in ways.items():
                start = time.thread_time()
                way(data)
                times[name][at] = min(times[name][at], time.thread_time() - start)
    return times


def print_table(times: dict[str, list[float]]) -> None:
    unit, *_ = times.values()
    print(f"\n{len(unit)} PDFs, CPU time against the bare loop")
    print(f"  {'':<26}{'ms, median':>12}{'ms, mean':>12}{'ratio':>8}{'of sums':>9}")
    for name, seconds in times.items():
        ratio = statistics.median(one / bare for one, bare in zip(seconds, unit, strict=True))
        print(
            f"  {name:<26}{statistics.median(seconds) * 1e3:>12.1f}"
            f"{statistics.mean(seconds) * 1e3:>12.1f}{ratio:>8.2f}{sum(seconds) / sum(unit):>9.2f}"
        )
    print("\n  times the bare loop, by sums")
    for name, most in MOST.items():
        report(name, sum(times[name]) / sum(unit), most, at_least=False)


if __name__ == "__main__":
    main()
