"""`pagesight crawl`: a corpus of pages with good headings, from the web."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pagesight.cli.options import parse_jobs, parse_seconds, parse_size

EXAMPLES = """\b
Examples:
  pagesight crawl https://example.com/ -o corpora
  pagesight crawl --from starts.txt -o corpora --pages 1000
  pagesight crawl -o corpora                     go on where it was ended
  pagesight train outline --corpora corpora      learn from the pages
"""


def crawl(
    output: Annotated[
        Path,
        typer.Option(
            "--output",
            "-o",
            metavar="DIR",
            file_okay=False,
            help='The folder of the corpora; the pages go into "outlines" in it. What is there '
            "already is gone on with.",
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
    pages: Annotated[
        int,
        typer.Option(
            metavar="N",
            parser=parse_jobs,
            help="Pages to keep, then end: 200 if not given.",
            show_default=False,
        ),
    ] = 200,
    addresses: Annotated[
        int,
        typer.Option(
            metavar="N",
            parser=parse_jobs,
            help="Addresses to visit, then end, whatever is kept: 5000 if not given.",
            show_default=False,
        ),
    ] = 5000,
    links: Annotated[
        int,
        typer.Option(
            metavar="N",
            min=0,
            help="Follow the first N links of each page: 50 if not given.",
            show_default=False,
        ),
    ] = 50,
    per_site: Annotated[
        int,
        typer.Option(
            metavar="N",
            parser=parse_jobs,
            help="Visit N pages of a site at most: 7 if not given.",
            show_default=False,
        ),
    ] = 7,
    delay: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0,
            help="Wait between two requests to a server, longer if its robots.txt says so: 1 if "
            "not given.",
            show_default=False,
        ),
    ] = 1.0,
    xhtml: Annotated[
        bool, typer.Option("--xhtml", help="Count only XHTML as well-formed, as published.")
    ] = False,
    strict: Annotated[
        bool,
        typer.Option(
            "--strict",
            help="Keep only pages whose headings begin with h1 and skip no level on the way down.",
        ),
    ] = False,
    pictures: Annotated[
        bool, typer.Option("--pictures", help="Save pictures and fonts, too.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print each visit as a JSON object, then the table.")
    ] = False,
    timeout: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            parser=parse_seconds,
            help="Time for one request: 30 if not given.",
            show_default=False,
        ),
    ] = 30.0,
    max_size: Annotated[
        int,
        typer.Option(
            metavar="SIZE",
            parser=parse_size,
            help="The largest page or file, in bytes or with a unit (500kB, 20MB): 5MiB if not "
            "given.",
            show_default=False,
        ),
    ] = 5 << 20,
) -> None:
    """Collect pages whose headings are in order, with their stylesheets, breadth first.

    Pages are fetched one at a time, as robots.txt of each server allows. Ended in the middle, the
    same command goes on where it was. Prints what the visited pages were like.
    """
    from pagesight.cli.crawling import run_crawl
    from pagesight.crawl import CrawlOptions
    from pagesight.sources import Limits

    limits = Limits(
        max_size=max_size,
        connect_timeout=min(timeout, Limits().connect_timeout),
        read_timeout=timeout,
        total_timeout=timeout,
    )
    options = CrawlOptions(
        pages=pages,
        addresses=addresses,
        links=links,
        per_site=per_site,
        delay=delay,
        xhtml=xhtml,
        strict=strict,
        pictures=pictures,
        limits=limits,
    )
    if status := run_crawl(starts or [], list_, output, options, as_json=as_json):
        raise typer.Exit(status)
