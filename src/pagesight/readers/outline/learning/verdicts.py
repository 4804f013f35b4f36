"""What a visitor takes for a heading where the tags of a page say something else.

The tags of a corpus are the habits of its generators. These verdicts were made by looking at the
pages, by these rules:

- A heading is a short line that names what comes below it, and is set apart from it.
- The title that a page shows is one, tagged or not, and is above everything that it is the title
  of. So is the caption of a sidebar or of a table of contents, on its own level.
- Signatures, options, dates, slogans, names of authors and letters of an index are not,
  whatever their tags are.
- Where people would disagree, a text counts neither way: the name of a site above the title of the
  page that is tagged like it, bold lines that may be the beginning of their text.
- What has the look and the place of a part has the level of one, even if its tag skips levels.

`verdicts.json` has them by style family: where in a page, and what is there.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.page import Page
from pagesight.segment.selectors import Elements

Ints = NDArray[np.int64]
DOUBTFUL, NONE = -1, -2  # instead of a level: counts neither way; is not a heading
_LEVELS = {"title": 1, "none": NONE, "doubtful": DOUBTFUL}


@cache
def generators() -> dict[str, str]:
    """By style family what made its pages, for those that share it with other families.

    Families of one generator have much in common: the same parts, tagged by the same habits.
    """
    listed = json.loads((files(__package__) / "generators.json").read_text("utf-8"))
    return {family: name for name, families in listed.items() for family in families.split()}


class Verdict(NamedTuple):
    """What is in all places of a page that a selector finds."""

    css: str
    says: str | int
    """A level, "title", "none" or "doubtful"."""


@cache
def verdicts() -> dict[str, tuple[Verdict, ...]]:
    """By style family what was decided, in order."""
    listed = json.loads((files(__package__) / "verdicts.json").read_text("utf-8"))
    by_family: dict[str, tuple[Verdict, ...]] = {}
    for family, verdict in _by_family(listed):
        by_family[family] = (*by_family.get(family, ()), verdict)
    return by_family


def _by_family(listed: list[dict[str, object]]) -> Iterator[tuple[str, Verdict]]:
    for entry in listed:
        where, level = entry["where"], entry["is"]
        assert isinstance(where, dict)
        assert isinstance(level, str | int)
        for css, families in where.items():
            for family in families.split():
                yield family, Verdict(css, level)


def corrected(page: Page, family: str, tagged: Ints) -> Ints:
    """By node the level to a visitor, for that of its tag; or `DOUBTFUL`, or `NONE`.

    A title that is not alone on the first level moves all others down.
    """
    levels, elements = tagged.copy(), Elements(page)
    titles = np.zeros(len(levels), np.bool_)
    for verdict in verdicts().get(family, ()):
        nodes = elements.select(verdict.css)
        titles[nodes] = verdict.says == "title"
        levels[nodes] = _LEVELS.get(str(verdict.says), verdict.says)
    if titles.any() and (levels[~titles] == 1).any():
        levels[~titles & (levels > 0)] += 1
    return levels
