"""`pagesight crawl`: a corpus of pages with good headings, from the web."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from pagesight.cli.options import limits_of, parse_count, parse_delay, parse_seconds, parse_size

EXAMPLES = """\b
Examples:
  pagesight crawl https://example.com/ -o corpora
  pagesight crawl --from starts.txt -o corpora --pages 1000
  pagesight crawl -o corpora                     go on where it was ended
  pagesight train outline --corpora corpora      learn from the pages
"""


def _number(help_: str) -> Any:
    return typer.Option(metavar="N", parser=parse_count, help=help_)


# What is not given is what `CrawlOptions` has.
Output = Annotated[
    Path,
    typer.Option(
        "--output",
        "-o",
        metavar="DIR",
        file_okay=False,
        help='The folder of the corpora; the pages go into "outlines" in it. What is there '
        "already is gone on with.",
    ),
]
Starts = Annotated[
    list[str] | None,
    typer.Argument(metavar="URL", help="Where to begin: addresses with http:// or https://."),
]
StartList = Annotated[
    str | None,
    typer.Option(
        "--from", metavar="FILE", help="Addresses to begin with, one a line; - for stdin."
    ),
]
Pages = Annotated[int | None, _number("Pages to keep, then end: 200 if not given.")]
Addresses = Annotated[
    int | None, _number("Addresses to visit, then end, whatever is kept: 5000 if not given.")
]
Links = Annotated[
    int | None,
    typer.Option(
        metavar="N", min=0, help="Follow the first N links of each page: 50 if not given."
    ),
]
PerSite = Annotated[int | None, _number("Visit N pages of a site at most: 7 if not given.")]
Delay = Annotated[
    float | None,
    typer.Option(
        metavar="SECONDS",
        parser=parse_delay,
        help="Wait between two requests to a server, longer if its robots.txt says so: 1 if not "
        "given.",
    ),
]
Xhtml = Annotated[
    bool, typer.Option("--xhtml", help="Count only XHTML as well-formed, as published.")
]
Strict = Annotated[
    bool,
    typer.Option(
        "--strict",
        help="Keep only pages whose headings begin with h1 and skip no level on the way down.",
    ),
]
Pictures = Annotated[bool, typer.Option("--pictures", help="Save pictures and fonts, too.")]
AsJson = Annotated[
    bool, typer.Option("--json", help="Print each visit as a JSON object, then the table.")
]
Timeout = Annotated[
    float,
    typer.Option(
        metavar="SECONDS",
        parser=parse_seconds,
        help="Time for one request: 30 if not given.",
        show_default=False,
    ),
]
MaxSize = Annotated[
    int,
    typer.Option(
        metavar="SIZE",
        parser=parse_size,
        help="The largest page or file, in bytes or with a unit (500kB, 20MB): 5MiB if not given.",
        show_default=False,
    ),
]


def crawl(
    output: Output,
    starts: Starts = None,
    list_: StartList = None,
    pages: Pages = None,
    addresses: Addresses = None,
    links: Links = None,
    per_site: PerSite = None,
    delay: Delay = None,
    xhtml: Xhtml = False,
    strict: Strict = False,
    pictures: Pictures = False,
    as_json: AsJson = False,
    timeout: Timeout = 30.0,
    max_size: MaxSize = 5 << 20,
) -> None:
    """Collect pages whose headings are in order, with their stylesheets, breadth first.

    Pages are fetched one at a time, as robots.txt of each server allows. Ended in the middle, the
    same command goes on where it was. Prints what the visited pages were like.
    """
    from pagesight.cli.crawling import run_crawl
    from pagesight.crawl import CrawlOptions

    numbers = {"pages": pages, "addresses": addresses, "links": links, "per_site": per_site,
               "delay": delay}  # fmt: skip
    given: dict[str, Any] = {name: value for name, value in numbers.items() if value is not None}
    options = CrawlOptions(
        xhtml=xhtml, strict=strict, pictures=pictures, limits=limits_of(timeout, max_size), **given
    )
    if status := run_crawl(starts or [], list_, output, options, as_json=as_json):
        raise typer.Exit(status)
