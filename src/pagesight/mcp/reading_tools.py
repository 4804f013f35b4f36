"""Tools that read a page: one for each reading that is registered, and one for all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any

from pydantic import Field

from pagesight.cpu import limited
from pagesight.document import Document
from pagesight.mcp.calls import Call
from pagesight.mcp.service import Service
from pagesight.mcp.tools import Found, Pieces, Tool
from pagesight.readers.registry import Reading, readings

Source = Annotated[
    str,
    Field(
        min_length=1,
        max_length=4096,
        description="The page: an http(s) address, or the path of a file (HTML, PDF, a saved "
        "Page) below a folder that the server may read.",
    ),
]


class Reads(Pieces):
    """Which page to read."""

    source: Source
    fresh: Annotated[
        bool, Field(description="Fetch the page again, even if it was read a few minutes ago.")
    ] = False


class FindsParts(Reads):
    """Which parts to look for."""

    containing: Annotated[
        str, Field(description="Only parts that say this; capitals do not matter.")
    ] = ""


def reading_tools() -> Iterator[Tool]:
    """The tools that read pages."""
    yield Tool(
        name="read",
        title="Read a page",
        description="Everything about a page at a glance: what it is called, its headings, its "
        "parts, what it lists, and whether it is an article. Long; prefer the tool for what you "
        "want to know.",
        arguments=Reads,
        run=_reads(Document.to_json),
        shape="read",
    )
    for reading in readings():
        yield _tool(reading)
    yield Tool(
        name="find_parts",
        title="Find the parts of a page",
        description="The parts that a page consists of, such as its news, its menu or a table, "
        "each with its text and the entries that it lists. To watch one, give its xpath to "
        "watch_part.",
        arguments=FindsParts,
        run=_find_parts,
        shape="offers",
    )


def _tool(reading: Reading) -> Tool:
    name = reading.name
    return Tool(
        name=name,
        title=f"Read: {name}",
        description=f"Reads a page by how it looks: {reading.question} Each value has a "
        "confidence from 0 to 1, and says where on the page it is.",
        arguments=Reads,
        run=_reads(lambda document: document.json_of(document.reading(name))),
        shape=name,
    )


def _reads(what: Callable[[Document], dict[str, Any]]) -> Callable[[Service, Reads, Call], Found]:
    def run(service: Service, given: Reads, call: Call) -> Found:
        with service.page_at(given.source, call, fresh=given.fresh) as (document, time):
            return Found(what(document), time)

    return run


def _find_parts(service: Service, given: FindsParts, call: Call) -> Found:
    from pagesight.watch.offering import parts_of

    wanted = given.containing.casefold()
    with service.page_at(given.source, call, fresh=given.fresh) as (document, time):
        offers = limited(lambda: parts_of(document.page), service.settings.limits.reading_time)
        parts = [offer.to_json() for offer in offers if wanted in offer.text.casefold()]
        return Found(document.state() | {"parts": parts}, time)
