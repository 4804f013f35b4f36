"""`pagesight crawl`: a corpus of pages with good headings, from the web."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pagesight.cli.options import (
    FAILED,
    PublicOnly,
    WrongUse,
    count_option,
    flag,
    limits_of,
    parse_delay,
    seconds_option,
    size_option,
)
from pagesight.cli.output import Progress, counted, say, say_error, say_json, say_lines
from pagesight.errors import BadManifest, PagesightError

if TYPE_CHECKING:
    from pagesight.crawl import Crawl, CrawlOptions

EXAMPLES = """\
  pagesight crawl https://example.com/ -o corpora
  pagesight crawl --from starts.txt -o corpora --pages 1000
  pagesight crawl -o corpora                     continue where it was ended
  pagesight train outline --corpora corpora      learn from the pages
"""
ADDRESS = "an address with http:// or https://"


# What is not given is what `CrawlOptions` has.
def crawl(
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            file_okay=False,
            help='The folder of the corpora; the pages go into "outlines" in it. A crawl that is '
            "there already is continued.",
        ),
    ],
    starts: Annotated[
        list[str] | None,
        typer.Argument(metavar="URL", help="Where to begin: addresses with http:// or https://."),
    ] = None,
    list_: Annotated[
        str | None,
        typer.Option(
            "--from", metavar="FILE", help="Addresses to begin with, one a line; - for stdin."
        ),
    ] = None,
    pages: Annotated[int | None, count_option("Pages to keep, then end: 200 if not given.")] = None,
    addresses: Annotated[
        int | None,
        count_option("Addresses to visit, then end, whatever is kept: 5000 if not given."),
    ] = None,
    links: Annotated[
        int | None,
        count_option("Follow the first N links of each page: 50 if not given.", least=0),
    ] = None,
    per_site: Annotated[
        int | None, count_option("Visit N pages of a site at most: 7 if not given.")
    ] = None,
    delay: Annotated[
        float | None,
        typer.Option(
            metavar="SECONDS",
            parser=parse_delay,
            help="Wait between two requests to a server, longer if its robots.txt says so: 1 if "
            "not given.",
        ),
    ] = None,
    xhtml: Annotated[
        bool, flag("--xhtml", "Count only XHTML as well-formed, as published.")
    ] = False,
    strict: Annotated[
        bool,
        flag(
            "--strict",
            "Keep only pages whose headings begin with h1 and skip no level on the way down.",
        ),
    ] = False,
    pictures: Annotated[bool, flag("--pictures", "Save pictures and fonts, too.")] = False,
    as_json: Annotated[
        bool, flag("--json", "Print each visit as a JSON object, then the table.")
    ] = False,
    timeout: Annotated[float, seconds_option("Time for one request: 30 if not given.")] = 30.0,
    max_size: Annotated[
        int,
        size_option(
            "The largest page or file, in bytes or with a unit (500kB, 20MB): 5MiB if not given."
        ),
    ] = 5 << 20,
    public_only: PublicOnly = False,
) -> None:
    """Collect pages whose headings are in order, with their stylesheets, breadth first.

    Pages are fetched one at a time, as robots.txt of each server allows. Ended in the middle, the
    same command continues where it was. Prints what the visited pages were like.
    """
    from pagesight.crawl import CrawlOptions

    numbers = {"pages": pages, "addresses": addresses, "links": links, "per_site": per_site,
               "delay": delay}  # fmt: skip
    given: dict[str, Any] = {name: value for name, value in numbers.items() if value is not None}
    limits = limits_of(timeout, max_size, public_only=public_only)
    options = CrawlOptions(xhtml=xhtml, strict=strict, pictures=pictures, limits=limits, **given)
    if not run_crawl(starts or [], list_, output, options, as_json=as_json):
        raise typer.Exit(FAILED)


def run_crawl(
    starts: Iterable[str], list_: str | None, folder: Path, options: CrawlOptions, *, as_json: bool
) -> bool:
    """Crawl into a folder of corpora, print what the pages were like; whether all is well."""
    from pagesight.crawl import Crawl
    from pagesight.crawl.crawling import is_begun

    given = [_address(start) for start in starts]
    listed, is_flawless = ([], True) if list_ is None else _listed(list_)
    if not (given or listed or is_begun(folder)):
        raise WrongUse("no address to begin with; name one, or a list with --from")
    try:
        with Crawl(folder, options) as crawl:
            _run(crawl, [*given, *listed], as_json=as_json)
            _sum_up(crawl, folder, as_json=as_json)
            return bool(crawl.kept) and is_flawless
    except PagesightError as error:
        say_error(str(error), error.hint)
        return False


def _run(crawl: Crawl, starts: list[str], *, as_json: bool) -> None:
    from pagesight.crawl import Outcome

    with Progress(max(0, crawl.options.pages - crawl.kept)) as progress:
        for visit in crawl.run(starts):
            if as_json:
                with progress.aside():
                    say_json(visit.fields())
            if visit.outcome is Outcome.KEPT:
                progress.advance()


def _sum_up(crawl: Crawl, folder: Path, *, as_json: bool) -> None:
    from pagesight.crawl import Outcome, statistics, table_lines
    from pagesight.crawl.crawling import JOURNAL

    journal = crawl.folder / JOURNAL
    if as_json:
        say_json({"table": statistics(crawl.visits)})
    else:
        say_lines(table_lines(crawl.visits))
    if failed := sum(visit.outcome is Outcome.FAILED for visit in crawl.visits):
        say(f"{counted(failed, 'address', 'addresses')} failed, listed in {journal}")
    if crawl.kept:
        learning = f"pagesight train outline --corpora {folder}"
        say(f"{counted(crawl.kept, 'page')} kept; to learn: {learning}")
    else:
        say_error("no page was kept", f"{journal} lists what became of each address")


def _listed(list_: str) -> tuple[list[str], bool]:
    """The addresses of a list, and whether each of its lines has one; the others are reported."""
    from pagesight.crawl.addresses import cleaned
    from pagesight.sources import manifest_entries

    addresses, flawless = [], True
    try:
        for place, entry in manifest_entries(list_):
            if isinstance(entry, BadManifest):
                error = entry
            elif url := cleaned(str(entry.source)):
                addresses.append(url)
                continue
            else:
                error = BadManifest(f"this line is not {ADDRESS}")
            flawless = False
            say_error(str(error.about(place)), error.hint)
    except PagesightError as error:
        raise WrongUse(str(error)) from error
    return addresses, flawless


def _address(given: str) -> str:
    from pagesight.crawl.addresses import cleaned

    if url := cleaned(given):
        return url
    raise WrongUse(f"{given!r} is not {ADDRESS}")
