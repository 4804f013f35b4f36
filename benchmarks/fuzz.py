"""Damaged pages: each must become a reading or a typed error, within its limits.

    python benchmarks/fuzz.py [--pages 10000] [--seed 0] [--renderer chromium embedded]
    python benchmarks/fuzz.py --only 4711 --keep mutant.html

Pages are made of the examples, and of the corpora where there are any, by seeded mutations. Of the
same seed and the same pages, a number gives the same page. Ends with status 1 if a page gave
something else than a reading or a typed error, or took more than its limits.
"""

from __future__ import annotations

import argparse
import random
import re
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import NamedTuple

from corpora import corpora_or_none
from pagesight.cpu import limited
from pagesight.document import Document
from pagesight.errors import (
    NoSuchPart,
    PagesightError,
    ReadingTimeout,
    RenderCrash,
    RenderTimeout,
    UnexpectedError,
)
from pagesight.page import Page
from pagesight.readers.registry import readings
from pagesight.render import AnyRenderer, RenderOptions, open_renderer
from pagesight.sources import DEFAULT_LIMITS, Request, load
from pagesight.watch.components import find, learn

EXAMPLES = Path(__file__).parent.parent / "examples"
LARGEST = 400_000  # bytes of a page to begin with
PER_FOLDER = 40  # pages of each corpus
LEEWAY = 1.2  # of a limit: clocks are looked at now and then
MOST_LISTED = 20
LIMIT = DEFAULT_LIMITS.reading_time
FOLDERS = {
    "titles/pages": "*.html", "articles/html": "*.html", "articles/pdf": "*.pdf",
    "outlines/pages": "**/*.html", "segments": "*/page.html", "records/lists": "*/*/page.html",
    "records/details": "*.html", "snapshots": "*/*/*.html",
}  # fmt: skip

Mutation = Callable[[bytes, random.Random, Sequence[bytes]], bytes]


class Mutant(NamedTuple):
    """A damaged page."""

    number: int
    source: Path
    mutations: tuple[str, ...]
    data: bytes

    def __str__(self) -> str:
        return f"{self.number}: {self.source} ({', '.join(self.mutations)})"


# Mutations


def place(data: bytes, rng: random.Random, of: bytes = b"") -> int:
    """Somewhere in the data; after one of the bytes `of` if there is one soon."""
    at = rng.randrange(len(data) + 1)
    found = data.find(of, at) if of else -1
    return found + 1 if found >= 0 else at


def cut(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """Without a part, or without an end."""
    start = place(data, rng)
    end = len(data) if rng.random() < 0.3 else start + rng.randrange(1, 5000)
    return data[:start] + data[end:]


def flip(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """With other bits in some places."""
    changed = bytearray(data)
    for _time in range(min(len(changed), 1 << rng.randrange(10))):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def splice(data: bytes, rng: random.Random, others: Sequence[bytes]) -> bytes:
    """With a part of another page."""
    other = rng.choice(others)
    start = place(other, rng, b">")
    at = place(data, rng, b">")
    return data[:at] + other[start : start + rng.randrange(1, 50_000)] + data[at:]


def repeat(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """With a part of it many times."""
    start = place(data, rng, b">")
    part = data[start : start + rng.randrange(1, 300)]
    return data[:start] + part * rng.randrange(2, 200) + data[start:]


def nest(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """With elements or brackets in one another."""
    opening, closing = rng.choice(NESTED)
    depth = 1 << rng.randrange(4, 12)
    start = place(data, rng, b">")
    end = place(data[start:], rng, b">") + start
    closed = closing * depth if rng.random() < 0.7 else b""
    return data[:start] + opening * depth + data[start:end] + closed + data[end:]


def charset(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """In another charset than it says, or saying another one than it is in."""
    name = rng.choice(CHARSETS)
    if rng.random() < 0.5:
        return data.decode("utf-8", "replace").encode(name, "xmlcharrefreplace")
    return f'<meta charset="{name}">'.encode() + data


def numbers(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """With other numbers in stylesheets, styles and attributes."""
    share = rng.choice((0.02, 0.2, 1.0))

    def other(match: re.Match[bytes]) -> bytes:
        return match[1] + rng.choice(NUMBERS) if rng.random() < share else match[0]

    return NUMBER.sub(other, data)


def styles(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """With rules that no author writes."""
    rules = b"".join(
        b"%s{%s:%s}" % (rng.choice(SELECTORS), rng.choice(PROPERTIES), rng.choice(VALUES))
        for _ in range(rng.randrange(1, 12))
    )
    at = place(data, rng, b">")
    return data[:at] + b"<style>" + rules + b"</style>" + data[at:]


def controls(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """With control, joining and bidirectional characters, and lone halves of others."""
    for _time in range(1 << rng.randrange(8)):
        at = place(data, rng, b" ")
        data = data[:at] + rng.choice(CONTROLS) * rng.choice((1, 1, 1, 50)) + data[at:]
    return data


def noise(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """With a long text of one kind in one place."""
    at = place(data, rng, b">")
    part = rng.choice(NOISE)
    return data[:at] + part * ((1 << rng.randrange(6, 16)) // len(part)) + data[at:]


def swap(data: bytes, rng: random.Random, _: Sequence[bytes]) -> bytes:
    """With tags of other names."""
    one, other = (rng.choice(TAGS) for _ in range(2))
    return re.sub(rb"(</?)%s\b" % one, rb"\1" + other, data)


NESTED = [
    (b"<div>", b"</div>"), (b"<b>", b"</b>"), (b"<table><tr><td>", b"</table>"),
    (b"<ul><li>", b"</ul>"), (b"<div style='float:left'>", b"</div>"), (b"(", b")"), (b"[", b"]"),
    (b"<div style='position:absolute;overflow:hidden'>", b"</div>"), (b"<span>", b"</span>"),
    (b"<svg>", b"</svg>"), (b"<object>", b"</object>"), (b"<div style='display:flex'>", b"</div>"),
    (b"<fieldset>", b"</fieldset>"), (b"<font>", b""), (b"<a href=x>", b""), (b"{", b"}"),
]  # fmt: skip
CHARSETS = ["utf-16", "utf-7", "latin-1", "shift_jis", "koi8-r", "big5", "utf-8-sig", "cp037"]
SHEET = re.compile(rb"""<link\b[^<>]*?\bhref=["']?([^"'<>\s]+\.css)["']?[^<>]*>""", re.IGNORECASE)
NUMBER = re.compile(rb"([:\s(,=\"'-])(\d+(?:\.\d+)?)")
NUMBERS = [
    b"0", b"-1", b"1e9", b"1e38", b"1e-38", b"99999999999", b"-99999", b"NaN", b"Infinity",
    b"calc(1/0)", b"0.0000001", b"2147483648", b"65536", b"1.7976931348623157e308", b"--1", b"1e",
    b"calc(infinity)", b"100vw", b"100vh", b"1000em", b"-1%", b"1000%", b"3.5.7",
]  # fmt: skip
SELECTORS = [b"*", b"p", b"div", b"body", b"html", b"a", b"::before", b"li", b":root", b"td",
             b"h1", b"div div", b":not(p)", b"p::first-letter", b"span", b"table"]  # fmt: skip
PROPERTIES = [
    b"width", b"height", b"font-size", b"line-height", b"margin", b"padding", b"position",
    b"display", b"float", b"color", b"background", b"opacity", b"transform", b"overflow",
    b"letter-spacing", b"text-indent", b"border", b"columns", b"z-index", b"clip-path", b"content",
    b"writing-mode", b"direction", b"zoom", b"top", b"left", b"max-height", b"min-width",
    b"text-transform", b"white-space", b"word-spacing", b"flex", b"visibility", b"contain",
    b"counter-increment", b"list-style", b"vertical-align", b"font", b"outline", b"box-shadow",
    b"border-radius", b"border-spacing", b"page-break-before", b"quotes", b"aspect-ratio",
]  # fmt: skip
VALUES = [
    b"0", b"-1px", b"1e9px", b"1e38px", b"-1e9em", b"100%", b"-100%", b"NaN", b"inherit", b"none",
    b"fixed", b"absolute", b"sticky", b"relative", b"left", b"flex", b"grid", b"inline",
    b"table-cell", b"contents", b"rgb(NaN 0 0)", b"rgba(1e99,0,-1,2)", b"hsl(1e9deg 1% 1%)",
    b"color(srgb 1 NaN 0)", b"oklch(1e9 1e9 1e9)", b"lab(NaN 1 1)", b"scale(1e9)", b"scale(0)",
    b"rotate(1e9deg)", b"matrix(NaN,0,0,1e38,0,0)", b"hidden", b"scroll", b"auto", b"clip",
    b"999999", b"-2147483649", b"circle(0)", b"'\\110000'", b"attr(class)", b"counter(x)",
    b"vertical-rl", b"rtl", b"0.0001", b"1000", b"always", b"inline-block", b"table", b"run-in",
    b"calc(1px / 0)", b"calc(1e38px * 1e38)", b"var(--x)", b"min(1px, NaN)", b"url(x)", b"1/0",
    b"list-item", b"-webkit-box", b"table-caption", b"inline-table", b"both", b"pre", b"0 0 1e9px",
]  # fmt: skip
CONTROLS = [
    b"\x00", b"\x01", b"\x08", b"\x0c", b"\x1b[31m", b"\x7f", b"\xc2\x85", b"\xe2\x80\xae",
    b"\xe2\x80\xab", b"\xe2\x81\xa6", b"\xe2\x80\x8b", b"\xe2\x80\x8d", b"\xef\xbb\xbf",
    b"\xef\xbf\xbe", b"\xed\xa0\x80", b"\xff", b"\xcc\x81", b"\xf0\x9f\x91\xa8", b"&#0;",
    b"&#xD800;", b"&#x10FFFF;", b"&#99999999;", b"\xc2\xad", b"\xe2\x80\xa8", b"\t",
    b"\xe1\x85\x9f",
]  # fmt: skip
NOISE = [
    b".", b"a", b"A. ", b"(", b"[1]", b"@", b"a@b.de, ", b"1", b"-", b",", b"and ", b"&amp;", b"<",
    b"<b>", b"<p>x", b"<br>", b"<a href=x>y</a>", b"10.1000/", b"http://", b"\xe8\x8c\xb6",
    b"<td>", b"<li>x", b"<h2>x", b"<img src=x>", b"<div style='float:left'>x</div>", b"2010;",
    b"| ", b"&nbsp;", b"<input>", b"<span>x</span> ", b"<!--", b"<style>", b"{", b"</div>",
    b"\xcc\x81",
]  # fmt: skip
TAGS = [b"div", b"p", b"span", b"a", b"li", b"ul", b"td", b"tr", b"table", b"h1", b"h2", b"body",
        b"head", b"title", b"script", b"style", b"noscript", b"template", b"svg", b"math",
        b"select", b"frameset", b"plaintext", b"textarea", b"button", b"object",
        b"iframe"]  # fmt: skip
OF_ANY: tuple[Mutation, ...] = (cut, flip, splice)
OF_MARKUP: tuple[Mutation, ...] = (
    *OF_ANY, repeat, nest, charset, numbers, styles, controls, noise, swap,
)  # fmt: skip


def mutant(number: int, seed: int, sources: Sequence[Path]) -> Mutant:
    """The page of a number: a source with one to four mutations."""
    rng = random.Random(f"{seed} {number}")
    source = rng.choice(sources)
    alike = [path for path in sources if path.suffix == source.suffix]
    others = [rng.choice(alike).read_bytes() for _ in range(2)]
    data, kinds = with_styles(source), OF_ANY if source.suffix == ".pdf" else OF_MARKUP
    chosen = [rng.choice(kinds) for _ in range(rng.choice((1, 1, 2, 3, 4)))]
    for mutation in chosen:
        data = mutation(data, rng, others) or b"<p>"
    return Mutant(number, source, tuple(mutation.__name__ for mutation in chosen), data)


def with_styles(path: Path) -> bytes:
    """A page with the stylesheets beside it in itself, where they can be mutated as well."""

    def style(link: re.Match[bytes]) -> bytes:
        sheet = path.parent / link[1].decode(errors="replace")
        is_there = len(link[1]) < 200 and b"\0" not in link[1] and sheet.is_file()
        return b"<style>" + sheet.read_bytes() + b"</style>" if is_there else link[0]

    return SHEET.sub(style, path.read_bytes()) if path.suffix == ".html" else path.read_bytes()


def sources(examples: bool = False) -> list[Path]:
    """The pages to begin with: the examples, and some of each corpus if there are corpora."""
    pages = sorted(EXAMPLES.glob("*/index.html"))
    corpora = None if examples else corpora_or_none()
    for folder, pattern in FOLDERS.items() if corpora else ():
        found = sorted((corpora / folder).glob(pattern)) if corpora else []
        small = [path for path in found if path.stat().st_size <= LARGEST]
        pages += random.Random(0).sample(small, min(PER_FOLDER, len(small)))
    return pages


# Reading


@dataclass
class Tally:
    """What became of pages."""

    outcomes: Counter[tuple[str, str]] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    slowest: dict[str, tuple[float, str]] = field(default_factory=dict)
    """By what was done the greatest share of its limit, and which page took it."""

    def took(self, what: str, share: float, page: Mutant) -> None:
        self.slowest[what] = max(self.slowest.get(what, (0.0, "")), (share, str(page)))
        if share > LEEWAY:
            self.wrong.append(f"{what} took {share:.2f} of its limit: {page}")

    def show(self) -> None:
        for (renderer, outcome), count in sorted(self.outcomes.items()):
            print(f"{renderer:<10}{outcome:<30}{count:>7,}")
        print("\nthe most of a limit that was taken:")
        for what, (share, page) in sorted(self.slowest.items()):
            print(f"  {what:<22}{share:6.3f}   {page}")
        for title, pages in (("failed to render", self.failed), ("WRONG", self.wrong)):
            if pages:
                print(f"\n{title}: {len(pages):,}", *pages[:MOST_LISTED], sep="\n  ")


def read_mutant(page: Mutant, renderer: AnyRenderer, tally: Tally) -> None:
    """Render and read a page, and note what came of it."""
    name = "pdf" if page.data.startswith(b"%PDF") else renderer.name
    began = time.perf_counter()
    try:
        source = load(Request(source=page.data))
        document = Document(str(page), renderer.render(source))
        tally.took(f"{name} rendering", seconds_of(began) / renderer.options.timeout, page)
        outcome = read_all(document, page, tally)
    except PagesightError as error:
        outcome = error.kind
        if isinstance(error, UnexpectedError):
            tally.wrong.append(f"{error}: {page}")
        if isinstance(error, RenderCrash | RenderTimeout):
            tally.failed.append(f"{name}: {error.message[:100]}: {page}")
    except Exception as error:  # noqa: BLE001 - which is what this program looks for
        outcome = "MISTAKE"
        tally.wrong.append(f"{type(error).__name__} {error}: {page}"[:1000])
    tally.outcomes[name, outcome] += 1


def read_all(document: Document, page: Mutant, tally: Tally) -> str:
    """Make all readings of a document, and their JSON; learn its parts, and find them again."""
    work: dict[str, Callable[[], object]] = {
        reading.name: partial(document.reading, reading.name) for reading in readings()
    }
    work["components"] = lambda: limited(lambda: learn_and_find(document.page), LIMIT)
    late = []
    for name, read in work.items():
        began = time.thread_time()
        try:
            read()
        except ReadingTimeout:
            late.append(name)
        tally.took(f"reading {name}", (time.thread_time() - began) / LIMIT, page)
    document.to_json()
    late += document.problems
    return f"out of time: {', '.join(late)}" if late else "read"


def learn_and_find(page: Page) -> None:
    """Learn all parts of a page, and find them on itself."""
    try:
        index = learn([page])
    except NoSuchPart:  # the page has none
        return
    index.to_json()
    find(index, page).to_json()


def seconds_of(began: float) -> float:
    return time.perf_counter() - began


def run(
    numbers: Sequence[int], seed: int, paths: Sequence[Path], renderers: Sequence[AnyRenderer]
) -> Iterator[Tally]:
    """Read mutants, each by the next renderer; the tally after each of them."""
    tally = Tally()
    for number in numbers:
        page = mutant(number, seed, paths)
        read_mutant(page, renderers[number % len(renderers)], tally)
        yield tally


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first page")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--renderer", nargs="+", default=["chromium", "embedded"])
    parser.add_argument("--examples", action="store_true", help="of the examples only")
    parser.add_argument("--timeout", type=float, default=RenderOptions().timeout)
    parser.add_argument("--only", type=int, help="the number of one page")
    parser.add_argument("--keep", type=Path, help="where to write the page of --only")
    options = parser.parse_args()
    paths = sources(options.examples)
    numbers = range(options.first, options.first + options.pages)
    if options.only is not None:
        numbers = range(options.only, options.only + 1)
        page = mutant(options.only, options.seed, paths)
        print(page)
        if options.keep:
            options.keep.write_bytes(page.data)
            return
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was found so far is printed
    settings = RenderOptions(timeout=options.timeout)
    opened = [open_renderer(name, settings) for name in options.renderer]
    began, tally, said = time.perf_counter(), Tally(), 0
    try:
        for done, tally in enumerate(run(numbers, options.seed, paths, opened), start=1):
            for wrong in tally.wrong[said:]:
                print(f"WRONG {wrong}", file=sys.stderr, flush=True)
            said = len(tally.wrong)
            if done % 100 == 0:
                pace = done / seconds_of(began)
                print(f"{done:,} of {len(numbers):,}, {pace:.1f}/s, {len(tally.wrong)} wrong",
                      file=sys.stderr, flush=True)  # fmt: skip
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
    finally:
        for renderer in opened:
            renderer.close()
    print(f"limits: rendering {options.timeout:g} s, reading {LIMIT:g} s of CPU")
    tally.show()
    sys.exit(1 if tally.wrong else 0)


if __name__ == "__main__":
    main()
