"""Answers that are too long: what is shown of them, and where to continue.

A long list or text is cut, wherever it is in the answer; everything else stays, so that the answer
has the same shape. Each cut says where it is, as a JSON Pointer, and from where on to continue.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pagesight.errors import WrongArguments

SMALL = 200  # characters of what is never cut: boxes, numbers, addresses


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A list or text that is not shown to its end."""

    path: str
    total: int
    """Entries of the list, or characters of the text."""

    next: int
    """The first that is not shown: the `offset` to continue with."""

    def to_json(self) -> dict[str, Any]:
        """As plain values."""
        return {"path": self.path, "total": self.total, "next_offset": self.next}


def window(
    value: Any, path: str, offset: int, limit: int | None, room: int
) -> tuple[Any, list[Cut]]:
    """What is at a path, from an offset on, in about so many characters; and what was cut."""
    found = _at(value, path)
    cuts: list[Cut] = []
    if isinstance(found, list | str):
        if offset and offset >= len(found):
            raise WrongArguments(f"there are {len(found)} at {path!r}, from 0 on")
        shown = _shown(found, room, path, cuts, offset, limit)
    elif offset or limit is not None:
        raise WrongArguments("offset and limit are for a path that leads to a list or a text")
    else:
        shown = _fitted(found, room, path, cuts)
    return shown, sorted(cuts, key=lambda cut: cut.path.count("/"))


def _at(value: Any, path: str) -> Any:
    """What a JSON Pointer leads to."""
    if path and not path.startswith("/"):
        raise WrongArguments(f"{path!r} is not a path: it begins with a slash")
    for step in path.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        try:
            value = value[int(name)] if isinstance(value, list) else value[name]
        except (KeyError, IndexError, ValueError, TypeError) as error:
            raise WrongArguments(f"there is nothing at {path!r}") from error
    return value


def _fitted(value: Any, room: int, path: str, cuts: list[Cut]) -> Any:
    if size_of(value) <= max(room, SMALL):
        return value
    if isinstance(value, dict):
        shares = _shares({name: size_of(inner) for name, inner in value.items()}, room)
        return {
            name: _fitted(inner, shares[name], f"{path}/{_escaped(name)}", cuts)
            for name, inner in value.items()
        }
    return _shown(value, room, path, cuts) if isinstance(value, list | str) else value


def _shown(
    value: Any, room: int, path: str, cuts: list[Cut], offset: int = 0, limit: int | None = None
) -> Any:
    """The beginning of a list or text, from an offset on."""
    end = len(value) if limit is None else min(len(value), offset + limit)
    if isinstance(value, str):
        end = min(end, offset + max(room, SMALL))
        shown: Any = value[offset:end]
    else:
        shown = _first(value[offset:end], room, f"{path}/", offset, cuts)
        end = offset + len(shown)
    if end < len(value):
        cuts.append(Cut(path=path, total=len(value), next=end))
    return shown


def _first(items: list[Any], room: int, path: str, offset: int, cuts: list[Cut]) -> list[Any]:
    """As many whole items as fit; if that leaves much room, as much as fits of the next one."""
    shown: list[Any] = []
    left = room
    for item in items:
        if size_of(item) + 2 > left:
            break
        shown.append(item)
        left -= size_of(item) + 2
    if len(shown) < len(items) and left >= max(room / 2, SMALL):
        at = offset + len(shown)
        shown.append(_fitted(items[len(shown)], left, f"{path}{at}", cuts))
    return shown


def _shares(sizes: Mapping[str, int], room: int) -> dict[str, int]:
    """How much room each field gets: what is small all that it needs, the others equal shares.

    >>> _shares({"title": 10, "text": 500, "html": 900}, 410)
    {'title': 10, 'text': 200, 'html': 200}
    """
    shares = {}
    for done, name in enumerate(sorted(sizes, key=sizes.__getitem__)):
        shares[name] = min(sizes[name], max(0, room) // (len(sizes) - done))
        room -= shares[name]
    return shares


def _escaped(name: str) -> str:
    return name.replace("~", "~0").replace("/", "~1")


def size_of(value: Any) -> int:
    """The characters of a value as JSON."""
    return len(json.dumps(value, ensure_ascii=False))
