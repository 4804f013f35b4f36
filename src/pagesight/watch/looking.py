"""Looking at a page: get it, render it, and find its parts."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import Any, TypeVar

from pagesight.cpu import limited
from pagesight.crawl.politeness import Clock, Turns
from pagesight.errors import ReadingTimeout
from pagesight.page import Page
from pagesight.readers import problem_of_page
from pagesight.render import AnyRenderer
from pagesight.sources import Limits, Source
from pagesight.watch.components import Component, ComponentIndex, confirm, find, learn
from pagesight.watch.observing import Shown, Styled
from pagesight.watch.offering import nodes_by_path
from pagesight.watch.store.store import NewPart, Store
from pagesight.watch.values import Part, Sight, Status, WatchedPage
from pagesight.watch.visiting import Visits

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Look:
    """What was found of the parts of a page, by their numbers, and what is learned from that."""

    sights: Mapping[int, Sight]
    learned: Mapping[int, Any] = field(default_factory=dict)

    @property
    def is_unsure(self) -> bool:
        """Whether somebody has to confirm what was found."""
        return any(sight.status is Status.UNSURE for sight in self.sights.values())


class Looks:
    """Looks at pages, one at a time, within limits. What is learned is plain JSON."""

    def __init__(
        self,
        store: Store,
        renderer: AnyRenderer,
        *,
        limits: Limits,
        delay: float,
        clock: Clock,
        turns: Turns | None = None,
        styled: Styled | None = None,
    ) -> None:
        self.store = store
        self.renderer = renderer
        self.limits = limits
        self.delay = delay
        self.clock = clock
        self.turns = turns
        self.styled = styled
        self._visits: Visits | None = None
        self._opening = Lock()

    def close(self) -> None:
        """End, without waiting for a server."""
        if self._visits:
            self._visits.close()

    def get(self, address: str, known: WatchedPage | None = None) -> Source | None:
        """What is at an address; None if the server says that it is what is `known`."""
        with self._opening:
            if self._visits is None:  # it reads the database, which not everybody needs
                self._visits = Visits(
                    self.store,
                    delay=self.delay,
                    limits=self.limits,
                    clock=self.clock,
                    turns=self.turns,
                )
        return self._visits.get(address, known)

    def show(self, source: Source) -> Shown:
        """Render a page, with a picture."""
        page, picture = self.renderer.render_with_picture(source)
        return Shown(page, source, picture, self.styled)

    def problem(self, page: Page) -> str | None:
        """Why this is not the page that was asked for; None if it is."""
        try:
            return self._in_time(lambda: problem_of_page(page))
        except ReadingTimeout:
            return None

    def learn(
        self, shown: Shown, select: Sequence[str], at: Sequence[tuple[float, float]]
    ) -> tuple[Any, list[NewPart]]:
        """Learn parts of a page: what is known of them, and the first look at each."""
        index = self._in_time(lambda: learn([shown.page], select=select, at=at))
        node = nodes_by_path(shown.page)
        new = [
            NewPart(component=component.id, name=component.name, selector=component.select,
                    sight=shown.sight([node[component.profile.path]], Status.FOUND, confidence=1.0))
            for component in index.components
        ]  # fmt: skip
        return index.to_json(), new

    def look(self, learned: Mapping[int, Any], parts: Sequence[Part], shown: Shown) -> Look:
        """Find all parts of a page. Those that are found are samples of how they look now."""
        sights: dict[int, Sight] = {}
        grown: dict[int, Any] = {}
        for number, data in learned.items():
            index = ComponentIndex.from_json(data)
            found = self._find(index, shown.page)
            certain = {one.id: one.nodes for one in found if Status(one.status).is_present}
            if certain:
                grown[number] = confirm(index, shown.page, certain).to_json()
            wanted = {part.component: part.id for part in parts if part.learned == number}
            sights |= {wanted[one.id]: _sight(shown, one) for one in found if one.id in wanted}
        return Look(sights, grown)

    def candidates(self, data: Any, part: Part, shown: Shown) -> list[Sight]:
        """What a part may be on a page, the most likely first."""
        found = self._find(ComponentIndex.from_json(data), shown.page)
        component = next(one for one in found if one.id == part.component)
        places = [place for place in (component.runner_up, component.second) if place]
        return [
            shown.sight([place.node], Status.UNSURE, confidence=place.confidence)
            for place in places
        ]

    @staticmethod
    def confirmed(data: Any, part: Part, page: Page, nodes: Sequence[int]) -> Any:
        """What is known, with one more sample of a part."""
        index = ComponentIndex.from_json(data)
        return confirm(index, page, {part.component: nodes}).to_json()

    def _find(self, index: ComponentIndex, page: Page) -> Sequence[Component]:
        return self._in_time(lambda: find(index, page)).components

    def _in_time(self, work: Callable[[], T]) -> T:
        return limited(work, self.limits.reading_time)


def _nodes(component: Component) -> list[int]:
    """The elements of a part; where nobody can be sure, the best candidate."""
    candidate = component.runner_up
    if component.status == Status.UNSURE and candidate:
        return [candidate.node]
    return list(component.nodes)


def _sight(shown: Shown, component: Component) -> Sight:
    other = component.runner_up
    return shown.sight(
        _nodes(component),
        Status(component.status),
        confidence=component.confidence,
        runner_up=other.to_json() if other else None,
        changes=component.changes,
    )
