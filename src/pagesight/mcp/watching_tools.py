"""Tools about parts of pages that are watched."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from pagesight.errors import McpError, WrongArguments
from pagesight.mcp.calls import Call
from pagesight.mcp.reading_tools import Source
from pagesight.mcp.service import Service
from pagesight.mcp.tools import Arguments, Found, Pieces, Tool
from pagesight.watch.values import PartState

if TYPE_CHECKING:
    from pagesight.watch import Observation, Part, Watch

USUALLY = timedelta(days=1)  # ago, if it is not said since when
ENOUGH = 0.5  # of the time of a call, after which no further page is checked

PartNumber = Annotated[int, Field(ge=1, description="The number of a part; see list_parts.")]
ObservationNumber = Annotated[int, Field(ge=1)]
WithHtml = Annotated[bool, Field(description="With the HTML of the part, which may be long.")]


class WatchesPart(Arguments):
    """Which parts of a page to watch."""

    source: Source
    select: Annotated[
        list[Annotated[str, Field(min_length=1)]],
        Field(
            min_length=1,
            max_length=20,
            description="CSS selectors or XPaths; those that find_parts gives, for example.",
        ),
    ]
    name: Annotated[
        str | None, Field(min_length=1, max_length=200, description="What to call it, if it is one")
    ] = None


class ListsParts(Pieces):
    """Which watched parts to list."""


class ReadsPart(Pieces):
    """Which observation of a part to read."""

    part: PartNumber
    observation: Annotated[
        ObservationNumber | None,
        Field(description="The number of an observation, from 1; the last if not given."),
    ] = None
    html: WithHtml = False


class AsksForChanges(Pieces):
    """Since when to compare, and which parts."""

    since: Annotated[
        datetime | None,
        Field(
            description="A date and time with its offset from UTC, such as 2026-11-18T08:00:00Z; "
            "yesterday at this time if not given."
        ),
    ] = None
    parts: Annotated[
        list[PartNumber] | None, Field(description="Numbers of parts; all if not given.")
    ] = None


class ComparesPart(Pieces):
    """Which observations of a part to compare."""

    part: PartNumber
    before: Annotated[
        ObservationNumber | None,
        Field(description="The number of an observation; the last but one if not given."),
    ] = None
    after: Annotated[
        ObservationNumber | None,
        Field(description="The number of another one; the last if not given."),
    ] = None
    html: Annotated[
        bool, Field(description="With an HTML document in which the changes are marked.")
    ] = False


class ConfirmsMatch(Arguments):
    """What a part is that a check was unsure about."""

    part: PartNumber
    node: Annotated[
        str | None,
        Field(
            min_length=1,
            description="Not the candidate is the part, but what this CSS selector or XPath "
            "selects on the page as it was then.",
        ),
    ] = None
    gone: Annotated[bool, Field(description="The part is no longer on the page.")] = False


class Checks(Arguments):
    """Which pages to look at again."""

    parts: Annotated[
        list[PartNumber] | None,
        Field(min_length=1, description="Numbers of parts, whose pages are checked; all if none."),
    ] = None
    due: Annotated[
        bool, Field(description="Only pages whose last check is an hour ago, or longer.")
    ] = False


def watching_tools() -> Iterator[Tool]:
    """The tools about watched parts."""
    yield Tool(
        name="watch_part",
        title="Watch parts of a page",
        description="Watches parts of a page from now on: they are found again at every check, "
        "after a redesign as well, and what they say is kept.",
        arguments=WatchesPart,
        run=_watch_part,
        shape="watchedParts",
        writes=True,
    )
    yield Tool(
        name="list_parts",
        title="List watched parts",
        description="The parts that are watched, page by page, with how each was seen last. One "
        "with the status unsure waits for confirm_match.",
        arguments=ListsParts,
        run=_list_parts,
        shape="watchedParts",
        asks_the_web=False,
    )
    yield Tool(
        name="read_part",
        title="Read a watched part",
        description="What a watched part says, as it was seen at the last check or in an earlier "
        "observation.",
        arguments=ReadsPart,
        run=_read_part,
        shape="watchedPart",
        asks_the_web=False,
    )
    yield Tool(
        name="what_changed",
        title="What changed",
        description="What is not as it was at a time, in all watched parts or in some; which parts "
        "are unsure, and which pages could not be checked. It looks at no page: check_now does.",
        arguments=AsksForChanges,
        run=_what_changed,
        shape="whatChanged",
        asks_the_web=False,
    )
    yield Tool(
        name="diff_part",
        title="Compare two observations",
        description="What changed in a watched part between two observations, line by line.",
        arguments=ComparesPart,
        run=_diff_part,
        shape="partChanges",
        asks_the_web=False,
    )
    yield Tool(
        name="confirm_match",
        title="Confirm a match",
        description="Answers what a check was unsure of: the candidate is the part, another "
        "element is, or the part is gone. Ask the user first, and show what read_part says.",
        arguments=ConfirmsMatch,
        run=_confirm_match,
        shape="watchedPart",
        writes=True,
        asks_the_web=False,
    )
    yield Tool(
        name="check_now",
        title="Check pages now",
        description="Looks at watched pages again, politely, and tells what is new. What is told "
        "is kept. Pages for which there was no time are in not_checked: call again with those.",
        arguments=Checks,
        run=_check_now,
        shape="checks",
        writes=True,
    )


def _watch_part(service: Service, given: WatchesPart, call: Call) -> Found:
    place = service.access.checked(given.source)
    watch = service.watch()
    call.go_on()
    parts = watch.add(place, select=given.select, name=given.name)
    return Found({"parts": _parts(watch, parts)})


def _list_parts(service: Service, _given: ListsParts, _call: Call) -> Found:
    watch = service.watch()
    return Found({"parts": _parts(watch, watch.parts())})


def _read_part(service: Service, given: ReadsPart, _call: Call) -> Found:
    watch = service.watch()
    seen = watch.observation(given.part, given.observation)
    return Found(_part(watch.part(given.part), seen, html=given.html))


def _what_changed(service: Service, given: AsksForChanges, _call: Call) -> Found:
    watch = service.watch()
    since = _aware(given.since) if given.since else datetime.now(UTC) - USUALLY
    parts = watch.parts() if given.parts is None else [watch.part(one) for one in given.parts]
    latest = watch.latest(parts)
    watched = [part for part in parts if part.state is PartState.WATCHED]
    failing = {part.page.id: part.page for part in parts if part.page.failing_since}
    return Found(
        {
            "since": since.isoformat(),
            "changed": [
                _named(part) | changes.to_json(html=False)
                for part, changes in watch.changed(since, given.parts)
            ],
            "unsure": [_named(one) for one in watched if latest[one.id].status.value == "unsure"],
            "failing": [page.to_json() for page in failing.values()],
        }
    )


def _diff_part(service: Service, given: ComparesPart, _call: Call) -> Found:
    watch = service.watch()
    changes = watch.diff(given.part, given.before, given.after)
    return Found(_named(watch.part(given.part)) | changes.to_json(html=given.html))


def _confirm_match(service: Service, given: ConfirmsMatch, call: Call) -> Found:
    if given.node and given.gone:
        raise WrongArguments("node and gone do not agree")
    watch = service.watch()
    call.go_on()
    seen = watch.confirm(given.part, node=given.node, gone=given.gone)
    return Found(_part(watch.part(given.part), seen))


def _check_now(service: Service, given: Checks, call: Call) -> Found:
    watch = service.watch()
    wanted = [watch.part(number) for number in given.parts or ()] or [
        part for part in watch.parts() if part.state is PartState.WATCHED
    ]
    left = {part.id: part for part in wanted}
    refused = {part.id: told for part in wanted if (told := _refusal(service, part))}
    checked = []
    allowed = [part.id for part in wanted if part.id not in refused]
    for result in watch.check(allowed, due=given.due):
        checked.append(result.to_json())
        left = {number: part for number, part in left.items() if part.page.id != result.page.id}
        call.go_on()
        if call.time_used > ENOUGH:
            break
    else:
        left = {number: part for number, part in left.items() if number in refused}
    return Found(
        {
            "checked": checked,
            "not_checked": [
                {"id": part.id, "name": part.name, "reason": refused.get(part.id, "out of time")}
                for part in left.values()
            ],
        }
    )


def _refusal(service: Service, part: Part) -> str | None:
    """Why the page of a part must not be looked at, or None."""
    try:
        service.access.checked(part.page.address)
    except McpError as error:
        return error.message
    return None


def _parts(watch: Watch, parts: Sequence[Part]) -> list[dict[str, Any]]:
    latest = watch.latest(parts)
    return [_part(part, latest[part.id]) for part in parts]


def _part(part: Part, seen: Observation, *, html: bool = False) -> dict[str, Any]:
    fields = seen.to_json()
    if not html:
        del fields["html"]
    return part.to_json() | {"observation": fields}


def _named(part: Part) -> dict[str, Any]:
    return {"part": part.id, "name": part.name, "address": part.page.address}


def _aware(time: datetime) -> datetime:
    if time.tzinfo is None:
        raise WrongArguments("since: a time needs its offset from UTC, such as Z or +01:00")
    return time.astimezone(UTC)
