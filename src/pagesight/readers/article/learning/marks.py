"""What pages of the corpus show where their tags are silent, marked by hand.

Most tags state title and authors, and few state places, abstract or references. `marks.json` says
where a publisher puts them: selectors by field, tried in order, and the pages that each is for.
What is inside `but` is not a part of them: links, and abstracts that an index adds. A reader never
sees these selectors.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fnmatch import fnmatch
from functools import cache
from importlib.resources import files
from pathlib import PurePath
from typing import NamedTuple

from pagesight.page import Page
from pagesight.readers.article.learning.truth import Truth, distinct
from pagesight.readers.article.names.persons import name_of
from pagesight.readers.article.text import plain
from pagesight.segment.selectors import Elements
from pagesight.segment.text import squeeze

NONE = "none are shown"  # instead of a selector


class Mark(NamedTuple):
    """Where pages have a field."""

    field: str
    css: str
    pages: str
    """Their names, with ``*`` for any ending."""

    but: str
    """What is not a part of it."""


@cache
def marks() -> tuple[Mark, ...]:
    """All marks, in order."""
    listed = json.loads((files(__package__) / "marks.json").read_text("utf-8"))
    return tuple(
        Mark(entry["field"], css, pages, entry.get("but", ""))
        for entry in listed
        for css, pages in entry["where"].items()
    )


def marked(truth: Truth, page: Page, name: str) -> Truth:
    """The truth with what was marked on the page; what is stated of a field otherwise stays."""
    elements = Elements(page)
    stem = PurePath(name).stem
    for mark in marks():
        known = getattr(truth, "titles" if mark.field == "title" else mark.field)
        is_meant = any(fnmatch(stem, pattern) for pattern in mark.pages.split())
        if known or not is_meant:
            continue
        if mark.css == NONE:
            truth = replace(truth, absent=truth.absent | {mark.field})
        elif texts := distinct(_texts(elements, mark)):
            truth = _with(truth, mark.field, texts)
    return truth


def _with(truth: Truth, field: str, texts: Sequence[str]) -> Truth:
    match field:
        case "title":
            return replace(truth, titles=tuple(texts[:1]))
        case "authors":
            return replace(truth, authors=tuple(map(name_of, texts)))
        case "affiliations":
            return replace(truth, affiliations=tuple(map(plain, texts)))
        case "abstract":
            return replace(truth, abstract=" ".join(texts))
    return replace(truth, references=tuple(texts))


def _texts(elements: Elements, mark: Mark) -> Iterator[str]:
    """What a visitor sees of each of the elements."""
    page = elements.page
    left_out = set(elements.select(mark.but).tolist()) if mark.but else set()
    for node in elements.select(mark.css).tolist():
        kept = _without(page, node, left_out)
        if text := squeeze(page.text_of(kept)) if kept else "":
            yield text


def _without(page: Page, node: int, left_out: set[int]) -> list[int]:
    """The parts of an element that hold nothing which is left out."""
    if node in left_out:
        return []
    below = range(node, int(page.end[node]))
    if left_out.isdisjoint(below):
        return [node]
    children = [child for child in below if page.columns["parent"][child] == node]
    return [part for child in children for part in _without(page, child, left_out)]
