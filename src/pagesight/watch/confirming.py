"""Answering what a check was unsure of, on the page that it has kept."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from pagesight.errors import NoSuchPart, WatchError
from pagesight.page import Page
from pagesight.watch.checking import Checks
from pagesight.watch.components.selecting import selected_nodes
from pagesight.watch.components.sight import sight_of
from pagesight.watch.observing import Shown
from pagesight.watch.store.store import Overtaken
from pagesight.watch.values import Observation, Outcome, Part, PartState, Sight, Status


def confirm_part(checks: Checks, number: int, *, node: str | None, gone: bool) -> None:
    """Write down what a part is: the candidate, what a selector names, or nothing any more."""
    while True:
        part = checks.store.part(number)
        before = checks.store.latest([number])[number]
        shown = _unsure(checks, part, before)
        nodes = [] if gone else [_answer(shown.page, before, node)]
        with suppress(Overtaken):
            return _write(checks, part, before, shown, nodes)


def candidates_of(checks: Checks, number: int) -> list[Sight]:
    """What a part may be that a check was unsure of: the best candidate, and the second.

    Raises a `WatchError` if nothing is unsure.
    """
    part = checks.store.part(number)
    shown = _unsure(checks, part, checks.store.latest([number])[number])
    learned = checks.store.learned(part.page.id)[part.learned]
    return checks.looks.candidates(learned, part, shown)


def _unsure(checks: Checks, part: Part, before: Observation) -> Shown:
    """The page on which a part was unsure."""
    snapshot = checks.store.snapshot(part.page.id)
    if before.status is not Status.UNSURE or snapshot is None:
        raise WatchError(f"part {part.id} is not unsure: it was {before.status}")
    return Shown.of_snapshot(snapshot, part.page.address, checks.looks.styled)


def _answer(page: Page, seen: Observation, selector: str | None) -> int:
    return _candidate(page, seen) if selector is None else _named(page, selector)


def _candidate(page: Page, seen: Observation) -> int:
    """The element that was shown as what may be the part."""
    for node in page:
        if node.xpath == seen.xpath:
            return node.id
    raise NoSuchPart(f"there is no candidate for part {seen.part}", hint="name one with --node")


def _named(page: Page, selector: str) -> int:
    """The only element that a selector selects, if somebody can see it."""
    nodes = selected_nodes(page, selector)
    if len(nodes) != 1:
        told = f"selects {len(nodes)} elements" if nodes else "selects nothing"
        raise NoSuchPart(f"{selector!r} {told} on the page; a part is one")
    if sight_of(page).units.of_node[nodes[0]] < 0:
        raise NoSuchPart(f"{selector!r} selects nothing that is seen on the page")
    return nodes[0]


def _write(
    checks: Checks, part: Part, before: Observation, shown: Shown, nodes: Sequence[int]
) -> None:
    store = checks.store
    others = [other.id for other in store.parts(part.page.id) if other.id != part.id]
    is_needed = any(seen.status is Status.UNSURE for seen in store.latest(others).values())
    learned, states = {}, {}
    if nodes:
        data = store.learned(part.page.id)[part.learned]
        learned[part.learned] = checks.looks.confirmed(data, part, shown.page, nodes)
    else:
        states[part.id] = PartState.GONE
    status = Status.FOUND if nodes else Status.MISSING
    store.write_observed(
        part.page,
        None,
        checks.row(Outcome.CONFIRMED, part.page),
        new={part.id: (before.number + 1, shown.sight(nodes, status, confidence=1.0))},
        learned=learned,
        states=states,
        snapshot=shown.snapshot() if is_needed else None,
    )
