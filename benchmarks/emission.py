"""Pages given back with other headings: the same tree, the same bytes, the same look?

    python benchmarks/emission.py [--sample 200] [--headings found permuted] [--worst 10]

`found` gives pages the headings that the outline finds by sight. `permuted` is harder: it permutes
the levels of the page's own headings, drops a fifth of them and makes headings of some paragraphs.
Pictures are taken before and after, of the same page by the same browser.
"""

from __future__ import annotations

import argparse
import io
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from PIL import Image
from selectolax.lexbor import LexborHTMLParser

from corpora import sample
from pagesight.errors import PagesightError
from pagesight.markup.tags import tags
from pagesight.markup.tree import HEADINGS, elements
from pagesight.output.html import document_with_headings
from pagesight.page import Page
from pagesight.readers.outline import Heading, read_outline
from pagesight.render import AnyRenderer, Picture, open_renderer
from pagesight.sources import Request, Source, load
from render import report

MOST_PIXELS = 0.005  # of a page that looks the same
MOST_PAGES = 0.95  # that look the same
DROPPED, PROMOTED = 0.2, 0.05
CHANGEABLE = frozenset((*HEADINGS, "p", "div"))
Image.MAX_IMAGE_PIXELS = None


@dataclass(frozen=True)
class Result:
    """What became of one page."""

    name: str
    changed: bool
    same_tree: bool
    same_bytes: bool
    pixels: float


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=200, help="pages of the outlines corpus")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--headings", nargs="+", choices=[*WAYS], default=[*WAYS])
    parser.add_argument("--worst", type=int, default=0, help="list the pages that differ most")
    parser.add_argument("--keep", type=Path, help="a folder for the documents that differ")
    options = parser.parse_args()
    requests = sample("outlines", options.sample, options.seed)
    results: dict[str, list[Result]] = {way: [] for way in options.headings}
    with open_renderer("chromium") as chromium:
        for request in requests:
            try:
                for way, result in compared(request, options.headings, chromium, options.keep):
                    results[way].append(result)
            except PagesightError as error:
                print(f"  not rendered: {error}")
    for way, found in results.items():
        print_results(way, found, options.worst)


def print_results(way: str, results: Sequence[Result], worst: int) -> None:
    count = len(results)
    print(f"\nheadings {way}: {count} pages, {sum(r.changed for r in results)} of them changed")
    report("same tree except for changes", share(r.same_tree for r in results), 1, at_least=True)
    report("same bytes outside of them", share(r.same_bytes for r in results), 1, at_least=True)
    alike = share(r.pixels <= MOST_PIXELS for r in results)
    report(f"at most {MOST_PIXELS:.1%} other pixels", alike, MOST_PAGES, at_least=True)
    print(f"  {'not one other pixel':<34}{share(r.pixels == 0 for r in results):8.3f}")
    for result in sorted(results, key=lambda result: -result.pixels)[:worst]:
        print(f"  {result.pixels:8.4f}  {result.name}")


def share(of: Iterator[bool]) -> float:
    return float(np.mean([*of]))


def compared(
    request: Request, ways: Sequence[str], chromium: AnyRenderer, keep: Path | None
) -> Iterator[tuple[str, Result]]:
    source = load(request)
    page, before = chromium.render_with_picture(source)
    for way in ways:
        data = document_with_headings(source, page, WAYS[way](page, request.name))
        again = replace(source, data=data)
        _, after = chromium.render_with_picture(again)
        pixels = difference(before, after)
        if keep and pixels > MOST_PIXELS:
            keep.mkdir(parents=True, exist_ok=True)
            (keep / f"{way}-{Path(request.name).stem}.html").write_bytes(data)
        yield (
            way,
            Result(
                request.name,
                data != source.data,
                shape(source) == shape(again),
                rest(source.data) == rest(data),
                pixels,
            ),
        )


# headings


def found(page: Page, _: str) -> Sequence[Heading]:
    return read_outline(page).headings


def permuted(page: Page, seed: str) -> list[Heading]:
    rng = random.Random(Path(seed).name)
    nodes = [node for node in page.find(*HEADINGS) if node.text and node.visible]
    used = sorted({int(node.tag[1]) for node in nodes})
    other = dict(zip(used, rng.sample(range(1, 7), len(used)), strict=True))
    headings = [
        Heading.of(node, node.text, level=other[int(node.tag[1])], confidence=1.0)
        for node in nodes
        if rng.random() >= DROPPED
    ]
    promoted = (n for n in page.find("p") if n.text and n.visible and rng.random() < PROMOTED)
    return headings + [
        Heading.of(node, node.text, level=rng.randint(1, 4), confidence=1.0) for node in promoted
    ]


WAYS: dict[str, Callable[[Page, str], Sequence[Heading]]] = {"found": found, "permuted": permuted}


# what must not change


def shape(source: Source) -> list[tuple[str, int, dict[str, str | None]]]:
    """The tree without headings that are put around or in elements, without names that change."""
    number: list[int] = []
    kept: list[tuple[str, int, dict[str, str | None]]] = []
    for element in elements(LexborHTMLParser(source.text)):
        above = number[element.parent] if element.parent >= 0 else -1
        attributes = dict(element.node.attributes)
        style = attributes.pop("style", "") or ""
        if element.name in HEADINGS and style.startswith("all:unset") and not attributes:
            number.append(above)
            continue
        number.append(len(kept))
        name = "*" if element.name in CHANGEABLE else element.name
        kept.append((name, above, attributes))
    return kept


def rest(data: bytes) -> str:
    """A document without all tags of the kinds that may be changed."""
    text = data.decode("latin-1")
    parts, at = [], 0
    for tag in tags(text):
        if tag.name in CHANGEABLE:
            parts.append(text[at : tag.start])
            at = tag.stop
    return "".join((*parts, text[at:]))


def difference(before: Picture | None, after: Picture | None) -> float:
    """The share of pixels in which two pictures differ; what one of them lacks differs."""
    assert before is not None
    assert after is not None
    one, other = (
        np.asarray(Image.open(io.BytesIO(p.data)).convert("RGB")) for p in (before, after)
    )
    height, width = (min(one.shape[axis], other.shape[axis]) for axis in (0, 1))
    area = max(one.shape[0], other.shape[0]) * max(one.shape[1], other.shape[1])
    same = (one[:height, :width] == other[:height, :width]).all(axis=2).sum()
    return float(1 - same / area)


if __name__ == "__main__":
    main()
