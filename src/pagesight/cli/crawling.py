"""A crawl with its progress, and the table in the end."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

from pagesight.cli.options import FAILED, STDIN, WrongUse
from pagesight.cli.output import say, say_error, say_json, say_lines
from pagesight.cli.progress import Progress
from pagesight.crawl import Crawl, CrawlOptions, Outcome, Table
from pagesight.crawl.addresses import cleaned
from pagesight.crawl.crawling import JOURNAL, is_begun
from pagesight.errors import PagesightError


def run_crawl(
    starts: Iterable[str], list_: str | None, folder: Path, options: CrawlOptions, *, as_json: bool
) -> int:
    """Crawl into a folder of corpora, and print what the pages were like; tells the status."""
    begins = [_address(start) for start in (*starts, *_listed(list_))]
    if not begins and not is_begun(folder):
        raise WrongUse("no address to begin with; name one, or a list with --from")
    try:
        with Crawl(folder, options) as crawl:
            _run(crawl, begins, as_json=as_json)
            _sum_up(crawl, folder, as_json=as_json)
            return 0 if crawl.kept else FAILED
    except PagesightError as error:
        say_error(str(error), error.hint)
        return FAILED


def _run(crawl: Crawl, starts: list[str], *, as_json: bool) -> None:
    with Progress(max(0, crawl.options.pages - crawl.kept)) as progress:
        for visit in crawl.run(starts):
            if as_json:
                with progress.aside():
                    say_json(visit.fields())
            if visit.outcome is Outcome.KEPT:
                progress.advance()


def _sum_up(crawl: Crawl, folder: Path, *, as_json: bool) -> None:
    table = Table(crawl.visits)
    if as_json:
        say_json({"table": dict(table.rows())})
    else:
        say_lines(table.lines())
    failed = sum(visit.outcome is Outcome.FAILED for visit in crawl.visits)
    if failed:
        addresses = "address" if failed == 1 else "addresses"
        say(f"{failed} {addresses} failed, listed in {crawl.folder / JOURNAL}")
    if crawl.kept:
        pages = "page" if crawl.kept == 1 else "pages"
        say(f"{crawl.kept} {pages} kept; to learn: pagesight train outline --corpora {folder}")
    else:
        say_error("no page was kept", f"{crawl.folder / JOURNAL} says what became of each address")


def _listed(list_: str | None) -> Iterator[str]:
    """The addresses of a list; blank lines and those that begin with # are none."""
    if list_ is None:
        return
    try:
        text = sys.stdin.read() if list_ == STDIN else Path(list_).read_text("utf-8-sig")
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise WrongUse(f"{list_} is no list of addresses ({reason})") from error
    yield from (line.strip() for line in text.splitlines() if line.strip()[:1] not in ("", "#"))


def _address(given: str) -> str:
    url = cleaned(given)
    if url is None:
        raise WrongUse(f"{given!r} is no address with http:// or https://")
    return url
