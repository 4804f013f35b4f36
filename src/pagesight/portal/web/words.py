"""How moments, ages, addresses and states are said."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlsplit

from pagesight.portal.values import Board, Channel, Look, Share, TileState

STATES = {
    TileState.WAITING: "Waiting",
    TileState.FRESH: "Fresh",
    TileState.CHANGED: "Changed",
    TileState.UNCHANGED: "Unchanged",
    TileState.OLD: "Old copy",
    TileState.WALL: "Wall",
    TileState.UNSURE: "Unsure",
    TileState.GONE: "Gone",
}
LOOKS = {
    Look.PLAIN: ("Plain", "In our typography; easy to read, also on a phone."),
    Look.ORIGINAL: ("Original", "As on the site."),
    Look.PICTURE: ("Picture", "A picture of the part."),
}
INTERVALS = {
    None: "As often as it changes",
    15 * 60: "Every 15 minutes",
    3600: "Every hour",
    6 * 3600: "Every 6 hours",
    24 * 3600: "Once a day",
    7 * 24 * 3600: "Once a week",
}
SIZES = {"small": (4, 4), "wide": (8, 4), "tall": (4, 8), "large": (8, 8)}  # columns, rows
DONE = {
    "saved": "Saved.",
    "placed": "Placed. It keeps itself up to date from now on.",
    "removed": "Removed.",
    "answered": "Thank you. Everybody who uses this part has the answer now.",
    "seen": "You are up to date.",
    "checking": "It is looked at again. This takes a few seconds.",
    "password": "Your password is changed. Other browsers have to sign in again.",
    "ended": "Signed out everywhere else.",
    "sent": "A message is on its way.",
    "paused": "Paused.",
    "welcome": "Welcome! Paste the address of a page to begin.",
}
_UNITS = (("year", 31_557_600), ("month", 2_629_800), ("week", 604_800), ("day", 86_400),
          ("hour", 3600), ("minute", 60))  # fmt: skip


def ago(moment: datetime, now: datetime) -> str:
    """How long something has been: ``3 minutes ago``."""
    return age(now - moment)


def until(moment: datetime, now: datetime) -> str:
    """How long it takes until something: ``in 3 days``."""
    length = _length(moment - now)
    return f"in {length}" if length else "now"


def age(span: timedelta) -> str:
    """How old a copy is: ``3 minutes ago``."""
    length = _length(span)
    return f"{length} ago" if length else "just now"


def sentence(text: str) -> str:
    """With a capital at the beginning."""
    return text[:1].upper() + text[1:]


def _length(span: timedelta) -> str:
    seconds = max(0.0, span.total_seconds())
    for unit, size in _UNITS:
        if count := int(seconds // size):
            return f"{count} {unit}{'' if count == 1 else 's'}"
    return ""


def site(address: str) -> str:
    """The host of an address, without ``www.``; for a file its name."""
    try:
        host = urlsplit(address).hostname
    except ValueError:
        host = None
    return host.removeprefix("www.") if host else address.rpartition("/")[2]


def link(address: str | None) -> str | None:
    """An address that a browser may be sent to: of the web only."""
    try:
        return address if address and urlsplit(address).scheme in ("http", "https") else None
    except ValueError:
        return None


def every(seconds: int | None) -> str:
    """How often a part is looked at."""
    if seconds in INTERVALS:
        return INTERVALS[seconds]
    return f"Every {_length(timedelta(seconds=seconds or 0)) or f'{seconds} seconds'}"


def intervals(seconds: int | None = None) -> list[tuple[int | str, str]]:
    """How often a part may be looked at, to choose from; also as often as it is now."""
    known = [None, *sorted({value for value in (*INTERVALS, seconds) if value})]
    return [(value or "", every(value)) for value in known]


def day(moment: datetime) -> str:
    """A moment in full, for titles; the browser says it in its own time zone."""
    return f"{moment:%-d %B %Y, %H:%M} UTC"


def counted(number: int, noun: str) -> str:
    """A number of things: ``1 item``, ``2 items``."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def pairs(channels: Sequence[Channel]) -> list[tuple[int, str]]:
    """Places that messages go to, to choose from."""
    return [(channel.id, channel.name) for channel in channels]


def hours() -> list[tuple[int, str]]:
    """The hours of a day, to choose from."""
    return [(hour, f"{hour}:00") for hour in range(24)]


def scheme(address: str) -> str:
    """What an address begins with: the rest may hold a password."""
    return f"{address.partition('://')[0]}://…"


def behind(lag: timedelta) -> str:
    """How far work is behind."""
    return _length(lag) or "less than a minute"


def users(names: Sequence[str], me: str) -> str:
    """Who uses a part."""
    others = [name for name in names if name != me]
    return f"you and {', '.join(others)}" if others else "you only"


def wall(problem: str) -> str:
    """What is in front of a page."""
    return f"Something is in front of this page: {problem}. What you pick may be that."


def shared(share: Share, boards: Sequence[Board]) -> str:
    """What a link shows."""
    for board in boards:
        if board.id == share.board:
            return board.name
        for tab in board.tabs:
            for tile in tab.tiles:
                if tile.id == share.tile:
                    return f"{tile.name} ({board.name})"
    return "Something that was removed"


def agent(name: str) -> str:
    """A browser and its system, as far as it says."""
    browsers = {"Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrome/": "Chrome",
                "Safari/": "Safari"}  # fmt: skip
    systems = {"Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows",
               "Mac OS": "Mac", "Linux": "Linux"}  # fmt: skip
    browser = _first(browsers, name, "A browser")
    system = _first(systems, name, "")
    return f"{browser} on {system}" if system else browser


def _first(known: Mapping[str, str], name: str, otherwise: str) -> str:
    return next((said for sign, said in known.items() if sign in name), otherwise)


FILTERS: dict[str, Any] = {
    "age": age,
    "agent": agent,
    "ago": ago,
    "day": day,
    "every": every,
    "link": link,
    "sentence": sentence,
    "site": site,
    "until": until,
}
