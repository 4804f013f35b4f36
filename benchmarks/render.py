"""Renderers compared: agreement, time as ratios, memory.

    python benchmarks/render.py [--sample 60] [--memory-pages 300] [--only agreement ...]

Every time is a ratio against something measured in the same run, on the same pages, page by page.
"""

from __future__ import annotations

import argparse
import re
import statistics
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, fields
from functools import partial
from typing import Any
from unittest.mock import patch

import psutil  # type: ignore[import-untyped]
from playwright.sync_api import sync_playwright

from agreement import Agreement, agreement
from corpora import sample
from pagesight.errors import PagesightError
from pagesight.page import Page
from pagesight.page.head import join
from pagesight.render import AnyRenderer, RenderOptions, open_renderer
from pagesight.render.cache import CachedRenderer
from pagesight.render.chromium.discovery import find_browser
from pagesight.render.chromium.snapshot import CAPTURE, page_from_snapshot
from pagesight.render.resources import BASE, Loads, Neighbourhood
from pagesight.sources import Request, Source, load

LINK = re.compile(r"<link\b[^>]*>", re.IGNORECASE)
HREF = re.compile(r"""href\s*=\s*["']?([^"'\s>]+)""", re.IGNORECASE)
TARGETS = {
    "coverage": 0.98, "above": 0.985, "left_of": 0.96, "font_size": 0.96, "bold": 0.98,
    "visibility": 0.98,
}  # fmt: skip


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sample", type=int, default=60, help="pages of each corpus")
    parser.add_argument("--memory-pages", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--worst", type=int, default=0, help="list the pages that agree least")
    parser.add_argument(
        "--only", nargs="+", choices=["agreement", "time", "memory"],
        default=["agreement", "time", "memory"],
    )  # fmt: skip
    options = parser.parse_args()
    corpora = {name: sample(name, options.sample, options.seed) for name in ("outlines", "titles")}
    if "agreement" in options.only:
        for name, requests in corpora.items():
            print_agreement(name, requests, options.worst)
    if "time" in options.only:
        print_times([request for requests in corpora.values() for request in requests])
    if "memory" in options.only:
        third = options.memory_pages // 3
        requests = sample("titles", third // 2, 1) + sample("outlines", third - third // 2, 1)
        for renderer in ("chromium", "embedded"):
            print_memory(renderer, requests)


def report(name: str, value: float, bound: float, *, at_least: bool) -> None:
    met = value >= bound if at_least else value <= bound
    sign = "≥" if at_least else "≤"
    print(f"  {name:<34}{value:8.3f}   {sign} {bound:<6g} {'met' if met else 'NOT MET'}")


# (a) agreement


def print_agreement(corpus: str, requests: list[Request], worst: int) -> None:
    print(f"\n(a) embedded against chromium, {len(requests)} pages of {corpus}: median over pages")
    compared: list[tuple[Agreement, str]] = []
    with open_renderer("chromium") as chromium, open_renderer("embedded") as embedded:
        cached = CachedRenderer(chromium), CachedRenderer(embedded)
        for request in requests:
            try:
                source = load(request)
                seen = cached[0].render(source), cached[1].render(source)
            except PagesightError as error:
                print(f"  not rendered: {error}")
                continue
            compared.append((agreement(*seen), request.name))
    for index, field in enumerate(fields(Agreement)):
        values = [astuple(each)[index] for each, _ in compared]
        known = [value for value in values if value == value]
        report(field.name, statistics.median(known), TARGETS[field.name], at_least=True)
        print(f"  {'':<34}{statistics.fmean(known):8.3f}   on average")
    for each, name in sorted(compared, key=lambda row: sum(astuple(row[0])))[:worst]:
        print("  ", " ".join(f"{value:.3f}" for value in astuple(each)), name)


# (b), (c), (d) time


def print_times(requests: list[Request]) -> None:
    sources = [load(request) for request in requests]
    for source in sources:
        _ = source.text  # decoding is not rendering
    builds: list[float] = []
    with (
        timed_builds(builds),
        bare_loop() as bare,
        open_renderer("chromium") as chromium,
        open_renderer("embedded") as embedded,
    ):
        ways: list[Callable[[Source], float | None]] = [
            bare,
            partial(clocked, chromium.render),
            partial(clocked, embedded.render),
        ]
        rows = []
        for number, source in enumerate([*sources[:3], *sources]):
            builds.clear()
            took = [way(source) for way in ways]
            if number >= 3 and None not in took:  # the first ones warm up
                rows.append((*took, sum(builds)))
    medians = [statistics.median(column) for column in zip(*rows, strict=True)]
    print(f"\n    times, {len(rows)} pages of outlines and titles, page by page in one run")
    report("(b) chromium / bare snapshot loop", medians[1] / medians[0], 1.3, at_least=False)
    report("(c) embedded / chromium", medians[2] / medians[1], 1.0, at_least=False)
    report("(d) building the Page / render", medians[3] / medians[1], 0.15, at_least=False)


def clocked(way: Callable[[Source], Any], source: Source) -> float | None:
    start = time.perf_counter()
    try:
        way(source)
    except PagesightError:
        return None
    return time.perf_counter() - start


@contextmanager
def bare_loop() -> Iterator[Callable[[Source], float]]:
    """What anybody would write: set the content, take the snapshot, in one tab for all pages.

    Such a document has no address. Stylesheets beside the file are put into it beforehand, so that
    both lay out the same page; loading them, and waiting for it, is part of our renderer's time.
    """
    found = find_browser()
    assert found is not None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=found.path)
        context = browser.new_context(
            viewport={"width": 1280, "height": 800}, offline=True, java_script_enabled=False
        )
        page = context.new_page()
        session = context.new_cdp_session(page)
        frame = session.send("Page.getFrameTree")["frameTree"]["frame"]["id"]

        def capture(source: Source) -> float:
            html = self_contained(source)
            start = time.perf_counter()
            session.send("Page.setDocumentContent", {"frameId": frame, "html": html})
            session.send("DOMSnapshot.captureSnapshot", CAPTURE)
            return time.perf_counter() - start

        yield capture
        browser.close()


def self_contained(source: Source) -> str:
    """The document with the stylesheets that it links to, where they are files."""
    files, unused = Neighbourhood(source.path, source.root), Loads()

    def style(link: re.Match[str]) -> str:
        address = HREF.search(link[0])
        url = join(BASE, address[1]) if address and "stylesheet" in link[0].lower() else None
        found = files.load(url, document=False, loads=unused) if url else None
        return f"<style>{found.data.decode('utf-8', 'replace')}</style>" if found else link[0]

    return LINK.sub(style, source.text)


@contextmanager
def timed_builds(into: list[float]) -> Iterator[None]:
    """Note how long each Page takes to be built from its snapshot."""

    def timed(*arguments: Any) -> Page:
        start = time.perf_counter()
        try:
            return page_from_snapshot(*arguments)
        finally:
            into.append(time.perf_counter() - start)

    with patch("pagesight.render.chromium.renderer.page_from_snapshot", timed):
        yield


# (e) memory


def print_memory(name: str, requests: list[Request]) -> None:
    """The same pages three times: what is more in the end was not given back."""
    peaks = []
    with open_renderer(name, RenderOptions(jobs=1)) as renderer, PeakMemory() as memory:
        for _ in range(3):
            for request in requests:
                render_quietly(renderer, request)
            peaks.append(memory.take())
    megabytes = ", ".join(f"{peak / 2**20:.0f}" for peak in peaks)
    count = 3 * len(requests)
    print(f"\n(e) {name}: peak memory of all processes in MB, by thirds of {count} pages:")
    print(f"    {megabytes}")
    report("last third / first third", peaks[-1] / peaks[0], 1.15, at_least=False)


def render_quietly(renderer: AnyRenderer, request: Request) -> None:
    try:
        renderer.render(load(request))
    except PagesightError as error:
        print(f"  not rendered: {error}")


class PeakMemory:
    """Watches the memory of this process and all below it (shared pages counted once)."""

    def __enter__(self) -> PeakMemory:
        self.peak = 0
        self.ended = threading.Event()
        self.thread = threading.Thread(target=self.watch, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.thread.join()

    def watch(self) -> None:
        own = psutil.Process()
        while not self.ended.wait(0.25):
            processes = [own, *own.children(recursive=True)]
            self.peak = max(self.peak, sum(map(unique_memory, processes)))

    def take(self) -> int:
        """The peak since the last call."""
        time.sleep(0.3)
        peak, self.peak = self.peak, 0
        return peak


def unique_memory(process: psutil.Process) -> int:
    try:
        return int(process.memory_full_info().uss)
    except psutil.Error:
        return 0


if __name__ == "__main__":
    main()
