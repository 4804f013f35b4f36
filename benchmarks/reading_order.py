"""Reading order of PDFs: do sentences follow each other as they should?

    python benchmarks/reading_order.py [--failures]

Beside each PDF of the corpus lies what its publisher says is in it. The sentences of its abstract,
and those of its paragraphs, are looked for in the text of the zones in reading order: where columns
are mixed up, sentences are torn or change places.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

from corpora import corpora_folder
from integrity import KnownField, ZoneText, words_of
from pagesight.errors import PagesightError
from pagesight.learning.corpora import rendered
from pagesight.page import Page
from pagesight.segment import leaf_zones, reading_order, zone_tree
from pagesight.sources import Request

SENTENCE_END = re.compile(r"(?<=[.?!])\s+(?=[A-Z])")
SHORTEST = 6  # words; less is a heading, or occurs by chance
NEAR = 60  # words between two sentences: a footer, a page number, a header


@dataclass(frozen=True, slots=True)
class Order:
    """How the sentences of one article lie in the text of its PDF."""

    name: str
    sentences: int  # of the abstract
    found: int  # of these, the ones that are not torn
    in_order: bool  # whether those that are found follow each other
    pairs: int  # of sentences that follow each other in a paragraph of the body
    adjacent: int  # of these, the ones that do so here

    @property
    def right(self) -> bool:
        return self.in_order and self.found >= 0.8 * self.sentences


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--failures", action="store_true", help="list the PDFs that are not right")
    options = parser.parse_args()
    orders = list(pdf_orders(corpora_folder() / "articles" / "pdf"))
    shares = {
        "abstracts in order": sum(o.right for o in orders) / len(orders),
        "their sentences unbroken": share(orders, "found", "sentences"),
        "paragraphs' sentences in order": share(orders, "adjacent", "pairs"),
    }
    print(f"{len(orders)} PDFs with an abstract")
    for name, value in shares.items():
        print(f"  {name:<34}{value:8.3f}")
    for order in orders if options.failures else ():
        if not order.right or order.adjacent < 0.9 * order.pairs:
            print("  ", order)


def share(orders: Sequence[Order], part: str, whole: str) -> float:
    parts, wholes = ([int(getattr(o, name)) for o in orders] for name in (part, whole))
    return sum(parts) / max(1, sum(wholes))


def pdf_orders(folder: Path, most: int | None = None) -> Iterator[Order]:
    """The order of sentences in each PDF whose article has an abstract."""
    paths = [path for path in sorted(folder.glob("*.pdf")) if sentences_of(path, "abstract")][:most]
    requests = [Request(source=path) for path in paths]
    for path, page in zip(paths, rendered(requests), strict=True):
        if not isinstance(page, PagesightError):
            yield order_of(path, page)


def order_of(path: Path, page: Page) -> Order:
    text = read_text(page)
    abstract = [s for paragraph in sentences_of(path, "abstract") for s in paragraph]
    places = [list(text.places(KnownField(words, words))) for words in abstract]
    position, in_order = -1, True
    for found in filter(None, places):
        later = [start for start, _ in found if start > position]
        in_order &= bool(later)
        position = later[0] if later else position
    pairs, adjacent = 0, 0
    for paragraph in sentences_of(path, "body"):
        known = [set(text.places(KnownField(words, words))) for words in paragraph]
        for one, other in pairwise(found for found in known if found):
            pairs += 1
            adjacent += any(0 <= b - a <= NEAR for _, a in one for b, _ in other)
    return Order(path.stem, len(abstract), sum(map(bool, places)), in_order, pairs, adjacent)


def read_text(page: Page) -> ZoneText:
    """The text of a page in reading order."""
    leaves = leaf_zones(page)
    order = reading_order(zone_tree(page, leaves)).tolist()
    return ZoneText([_joined([leaves.text(leaf) for leaf in order])])


def sentences_of(path: Path, part: str) -> list[list[tuple[str, ...]]]:
    """The sentences of an article's abstract or body, by paragraph, as words."""
    root = ElementTree.parse(path.with_suffix(".xml")).getroot()
    found = root.find({"abstract": ".//article-meta/abstract", "body": "./body"}[part])
    if found is None:
        return []
    paragraphs = [p for p in found.iter("p") if p.find(".//p") is None]
    texts = [" ".join("".join(p.itertext()).split()) for p in paragraphs]
    sentences = [[words_of(s) for s in SENTENCE_END.split(text)] for text in texts]
    return [[words for words in each if len(words) >= SHORTEST] for each in sentences if each]


def _joined(lines: Sequence[str]) -> str:
    """Lines as one text, words that are divided at the end of a line put together."""
    return re.sub(r"(\w)[-\u00ad]\n(?=[a-z])", r"\1", "\n".join(lines))


if __name__ == "__main__":
    main()
