"""Where tiles go when buttons move them, and where there is room for one more."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from pagesight.portal.services.composing import COLUMNS
from pagesight.portal.values import Place

LEAST, HIGHEST = 2, 12  # rows of a tile
MOVES = {
    "left": (-1, 0, 0, 0),
    "right": (1, 0, 0, 0),
    "up": (0, -1, 0, 0),
    "down": (0, 1, 0, 0),
    "wider": (0, 0, 1, 0),
    "narrower": (0, 0, -1, 0),
    "taller": (0, 0, 0, 1),
    "shorter": (0, 0, 0, -1),
}


def room(places: Mapping[str, Place], width: int, height: int) -> Place:
    """The first free place of a size, row by row."""
    below = max((place.y + place.height for place in places.values()), default=0)
    for y in range(below + 1):
        for x in range(COLUMNS - width + 1):
            place = Place(x=x, y=y, width=width, height=height)
            if not any(_overlap(place, other) for other in places.values()):
                return place
    return Place(x=0, y=below, width=width, height=height)


def moved_by(
    places: Mapping[str, Place], uid: str, step: tuple[int, int, int, int]
) -> dict[str, Place]:
    """All places after a tile has moved by columns and rows, or grown by them.

    Up and down, a tile changes places with the next one in that direction if there is one.
    """
    old = places[uid]
    across, along, wider, taller = step
    width = min(COLUMNS, max(LEAST, old.width + wider))
    height = min(HIGHEST, max(LEAST, old.height + taller))
    x = min(COLUMNS - width, max(0, old.x + across))
    order = sorted(places, key=lambda one: (places[one].y, places[one].x))
    result = dict(places)
    other = order.index(uid) + along
    if along and 0 <= other < len(order):
        neighbour = places[order[other]]
        result[order[other]] = replace(neighbour, x=min(old.x, COLUMNS - neighbour.width), y=old.y)
        result[uid] = replace(old, x=min(neighbour.x, COLUMNS - old.width), y=neighbour.y)
    else:
        result[uid] = Place(x=x, y=max(0, old.y + along), width=width, height=height)
    return _without_overlaps(result, uid)


def _without_overlaps(places: Mapping[str, Place], first: str) -> dict[str, Place]:
    """The places, with those moved down that another one would cover; one tile stays."""
    order = sorted(places, key=lambda uid: (uid != first, places[uid].y, places[uid].x))
    result: dict[str, Place] = {}
    for uid in order:
        place = places[uid]
        while covering := [other for other in result.values() if _overlap(place, other)]:
            place = replace(place, y=max(other.y + other.height for other in covering))
        result[uid] = place
    return result


def _overlap(one: Place, other: Place) -> bool:
    return (
        one.x < other.x + other.width
        and other.x < one.x + one.width
        and one.y < other.y + other.height
        and other.y < one.y + one.height
    )
