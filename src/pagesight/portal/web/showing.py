"""What is in a tile: what a stranger wrote, made harmless, and a stamp that changes with it."""

from __future__ import annotations

import hashlib

from markupsafe import Markup

from pagesight.portal.foreign import Foreign
from pagesight.portal.values import Look, TileView
from pagesight.portal.web.visits import Visit
from pagesight.watch import Changes, Observation


def content_of(visit: Visit, view: TileView, look: Look | None = None) -> Markup | None:
    """The last good copy of a part; None if there is none yet, or a picture is shown."""
    seen, look = view.observation, look or view.tile.look
    if seen is None or (look is Look.PICTURE and seen.has_picture):
        return None
    return shown(visit, seen, look)


def shown(visit: Visit, seen: Observation, look: Look) -> Markup:
    """What a part said, or how it looked, at a time."""
    html = _foreign(visit).show(seen, look=look, nonce=_nonce(visit))
    return Markup(html)  # noqa: S704 – harmless by construction


def marked(visit: Visit, changes: Changes) -> Markup:
    """A part as it is now, with what is new and what is gone marked."""
    return Markup(_foreign(visit).show_changes(changes, nonce=_nonce(visit)))  # noqa: S704


def stamp_of(view: TileView) -> str:
    """What is another string if a tile would look different."""
    seen, tile = view.observation, view.tile
    facts = (view.state, view.since, seen and (seen.part, seen.number), view.error, tile.name,
             tile.look, tile.is_paused, tile.excluded)  # fmt: skip
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:16]


def _foreign(visit: Visit) -> Foreign:
    foreign: Foreign = visit.request.app.state.foreign
    return foreign


def _nonce(visit: Visit) -> str:
    nonce: str = visit.request.state.nonce
    return nonce
