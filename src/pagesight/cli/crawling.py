"""A crawl with its progress, and the table at the end."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from pagesight.cli.options import FAILED, WrongUse
from pagesight.cli.output import say, say_error, say_json, say_lines
from pagesight.cli.progress import Progress
from pagesight.crawl import Crawl, CrawlOptions, Outcome, Table
from pagesight.crawl.addresses import cleaned
from pagesight.crawl.crawling import JOURNAL, is_begun
from pagesight.errors import BadManifest, PagesightError
from pagesight.sources import Request, manifest_entries


def run_crawl(
    starts: Iterable[str], list_: str | None, folder: Path, options: CrawlOptions, *, as_json: bool
) -> int:
    """Crawl into a folder of corpora, print what the pages were like, and return the status."""
    given = [_address(start) for start in starts]
    listed, is_flawless = _listed(list_)
    if not (given or listed or is_begun(folder)):
        raise WrongUse("no address to begin with; name one, or a list with --from")
    try:
        with Crawl(folder, options) as crawl:
            _run(crawl, [*given, *listed], as_json=as_json)
            _sum_up(crawl, folder, as_json=as_json)
            return 0 if crawl.kept and is_flawless else FAILED
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


def _listed(list_: str | None) -> tuple[list[str], bool]:
    """The addresses of a list, and whether each of its lines has one; the others are reported."""
    addresses, bad = [], 0
    for place, entry in [] if list_ is None else _entries(list_):
        try:
            addresses.append(_address_of(entry))
        except PagesightError as error:
            bad += 1
            error.about(place)
            say_error(str(error), error.hint)
    return addresses, not bad


def _entries(list_: str) -> list[tuple[str, Request | BadManifest]]:
    try:
        return [*manifest_entries(list_)]
    except PagesightError as error:
        raise WrongUse(str(error)) from error


def _address_of(entry: Request | BadManifest) -> str:
    if isinstance(entry, BadManifest):
        raise entry
    url = cleaned(str(entry.source))
    if url is None:
        raise BadManifest("this line is not an address with http:// or https://")
    return url


def _address(given: str) -> str:
    url = cleaned(given)
    if url is None:
        raise WrongUse(f"{given!r} is not an address with http:// or https://")
    return url
