"""The index of a page: what was learned of its parts, and how it is kept in a file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pagesight.errors import ModelError
from pagesight.watch.components.profile import Profile
from pagesight.watch.components.sight import Sight
from pagesight.watch.components.slots import Level, Row
from pagesight.watch.components.tokens import KINDS

FORMAT = 3
WITHOUT_ROWS = 2  # the format before, which is read as well
Seen = Mapping[str, frozenset[str]]
MOST_SEEN = 3000  # tokens of a kind that are kept of a page


@dataclass(frozen=True, kw_only=True)
class LearnedComponent:
    """One part of a page that is to be found again."""

    id: str
    name: str
    select: str | None
    """The selector that it was learned from; None if it was chosen by itself."""

    profile: Profile

    def to_json(self) -> dict[str, Any]:
        """As plain JSON types."""
        return {"id": self.id, "name": self.name, "select": self.select,
                "profile": self.profile.to_json()}  # fmt: skip

    @classmethod
    def from_json(
        cls, fields: Mapping[str, Any], levels: tuple[Level, ...] = ()
    ) -> LearnedComponent:
        """What `to_json` made."""
        select = fields["select"]
        return cls(
            id=str(fields["id"]),
            name=str(fields["name"]),
            select=None if select is None else str(select),
            profile=Profile.from_json(fields["profile"], levels),
        )


@dataclass(frozen=True, kw_only=True)
class ComponentIndex:
    """The parts of a page, in reading order, and what the whole page is made of."""

    source: str | None
    components: tuple[LearnedComponent, ...]
    inside: tuple[int, ...]
    """For each component the number of the smallest other one around it, or -1."""

    seen: Seen
    """By kind: the tokens that the page had when it was seen last."""

    rivals: tuple[Profile, ...] = ()
    """Other parts of the page that are like these: nobody asks for them, but they are no others."""

    def to_json(self) -> dict[str, Any]:
        """As plain JSON types; rows that are around several parts are written once."""
        parts = [*(component.profile for component in self.components), *self.rivals]
        rows = dict.fromkeys(level.row for part in parts for level in part.levels)
        number = {row: at for at, row in enumerate(rows)}
        levels = [[[number[level.row], level.at] for level in part.levels] for part in parts]
        return {
            "format": FORMAT,
            "source": self.source,
            "components": [component.to_json() for component in self.components],
            "inside": list(self.inside),
            "seen": {kind: sorted(tokens) for kind, tokens in self.seen.items()},
            "rivals": [profile.to_json() for profile in self.rivals],
            "rows": [row.to_json() for row in rows],
            "levels": levels,
        }

    @classmethod
    def from_json(cls, fields: Mapping[str, Any]) -> ComponentIndex:
        """What `to_json` made; raises `ModelError` for anything else."""
        try:
            if fields["format"] not in (FORMAT, WITHOUT_ROWS):
                raise ValueError("written by another version of Pagesight")
            levels = _levels(fields)
            listed, others = fields["components"], fields["rivals"]
            components = tuple(map(LearnedComponent.from_json, listed, levels))
            inside = tuple(map(int, fields["inside"]))
            if len(inside) != len(components) or any(
                not -1 <= around < len(inside) or around == at for at, around in enumerate(inside)
            ):
                raise ValueError("its components do not fit together")
            seen = {kind: frozenset(map(str, fields["seen"][kind])) for kind in KINDS}
            rivals = tuple(map(Profile.from_json, others, levels[len(listed) :]))
            return cls(
                source=fields["source"],
                components=components,
                inside=inside,
                seen=seen,
                rivals=rivals,
            )
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            raise ModelError(f"this is not an index of components ({error})") from error


def _levels(fields: Mapping[str, Any]) -> list[tuple[Level, ...]]:
    """What was beside each component, and then each rival."""
    many = len(fields["components"]) + len(fields["rivals"])
    if fields["format"] == WITHOUT_ROWS:
        return [()] * many
    rows = dict(enumerate(map(Row.from_json, fields["rows"])))
    levels = [tuple(Level(rows[row], int(at)) for row, at in part) for part in fields["levels"]]
    if len(levels) != many:
        raise ValueError("its levels do not fit its components")
    return levels


def seen_on(sight: Sight) -> Seen:
    """What a page is made of, as far as it is kept."""
    return {kind: frozenset(sight.tokens[kind].strings[:MOST_SEEN]) for kind in KINDS}
