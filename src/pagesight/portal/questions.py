"""Which part is it? The candidates for a part that a check was unsure of."""

from __future__ import annotations

from pagesight.portal.values import Candidate
from pagesight.watch.store.store import Store
from pagesight.watch.values import Observation, Part


def candidates_of(store: Store, part: Part, latest: Observation) -> tuple[Candidate, ...]:
    """The best candidate, and the second, on the page that the check has kept."""
    first = Candidate(
        xpath=latest.xpath or "",
        text=latest.text,
        score=latest.confidence,
        box=latest.box,
        picture=store.picture(part.id, latest.number),
    )
    return (first,)
