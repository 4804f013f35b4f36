"""Marks in HTML: what is new in it is put into `ins`, and what is gone comes back in `del`.

Lines are compared first, and then the words of those that are alike, so that all that is not marked
is in both. What an element looks like and where it leads is not compared.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import Match, SequenceMatcher
from functools import cached_property
from itertools import accumulate, groupby
from typing import Any

from lxml.etree import iterwalk  # type: ignore[import-untyped]
from lxml.html import Element  # type: ignore[import-untyped]

INLINE = frozenset("a abbr b cite code em i img q s small span strong sub sup time u".split())
PICTURE = "\0"  # a word that is none, but the address of a picture
_WHOLE = ("li", "tr")  # what comes back as a whole if all of it is gone
_CLOSED = frozenset("h1 h2 h3 h4 h5 h6 p pre".split())  # nothing but a line goes into these
_ORDERED = frozenset("dl ol table tbody tfoot thead tr ul".split())  # and only their own into these
_WORD = re.compile(r"\S+")
_ALIKE = 0.5  # of the words of two lines, from which on one has become the other
_NEAREST = 20  # lines that are gone, of which one may have become a new line
_MOST_STEPS = 10_000_000  # of comparing a whole part: pages choose what there is to compare

Piece = tuple[str, list[str]]  # the mark around it, and its texts
Ranges = tuple[int, int, int, int]  # first and end in the one, and in the other


@dataclass(eq=False)
class _Place:
    """A text of a tree, before the first child of an element or behind one; or a picture."""

    element: Any
    is_behind: bool
    words: list[str]
    new: set[int] = field(default_factory=set)
    gone: dict[int, list[str]] = field(default_factory=dict)
    """By word: those that were in front of it."""

    @property
    def is_picture(self) -> bool:
        return self.words[0].startswith(PICTURE)


@dataclass(eq=False)
class _Line:
    """What stands in one line, if it is long enough: places in a block, and no other between."""

    block: Any
    places: list[_Place]

    @cached_property
    def words(self) -> tuple[str, ...]:
        return tuple(word for place in self.places for word in place.words)

    @cached_property
    def bag(self) -> Counter[str]:
        return Counter(self.words)


class _Matcher(SequenceMatcher[Any]):
    """Compares all of a part with so many steps; what is left then counts as different."""

    a: Sequence[Any]
    b2j: dict[Any, list[int]]

    def __init__(self) -> None:
        super().__init__(autojunk=False)
        self.left = _MOST_STEPS
        self.costs = list[int]()

    def differences(self, old: Sequence[Any], new: Sequence[Any]) -> list[Ranges]:
        """The ranges of two sequences that differ."""
        first = _same(old, new)
        last = _same(old[first:][::-1], new[first:][::-1])
        self.set_seqs(old[first : len(old) - last], new[first : len(new) - last])
        self.costs = [0, *accumulate(1 + len(self.b2j.get(one, ())) for one in self.a)]
        return [
            (first + one, first + other, first + since, first + until)
            for how, one, other, since, until in self.get_opcodes()
            if how != "equal"
        ]

    def find_longest_match(
        self, alo: int = 0, ahi: int | None = None, blo: int = 0, bhi: int | None = None
    ) -> Match:
        cost = self.costs[-1 if ahi is None else ahi] - self.costs[alo]
        if cost > self.left:
            return Match(alo, blo, 0)
        self.left -= cost
        return super().find_longest_match(alo, ahi, blo, bhi)


def _same(old: Sequence[Any], new: Sequence[Any]) -> int:
    """How many of the first ones are the same."""
    pairs = enumerate(zip(old, new, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(old), len(new)))


def mark(before: Any, after: Any) -> None:
    """Mark in the later of two trees of clean HTML what differs; nothing around the roots."""
    old, new = _lines(before), _lines(after)
    whole = Counter(_unit_of(line) for line in old)
    numbers: dict[tuple[str, ...], int] = {}  # hashed once, since lines may be long
    said = ([numbers.setdefault(one.words, len(numbers)) for one in some] for some in (old, new))
    matcher = _Matcher()
    for first, last, since, until in matcher.differences(*said):
        for at, gone in _replaced(matcher, old[first:last], new[since:until], since):
            previous, following = new[at - 1 : at] if at else [], new[at : at + 1]
            _put_back(after, [*previous, None][0], [*following, None][0], gone, whole)
    places = [place for line in new for place in line.places if place.new or place.gone]
    for place in places:
        if not place.is_picture:
            _mark_text(place)
    for place in places:  # last, since they leave the texts behind them
        if place.is_picture:
            _mark_picture(place)


def _lines(root: Any) -> list[_Line]:
    """The lines of a tree that say or show something."""
    lines: list[_Line] = []
    blocks, is_open = list[Any](), False
    for event, element in iterwalk(root, events=("start", "end")):
        is_block = element is root or element.tag not in INLINE
        if is_block:
            is_open = False
            if event == "start":
                blocks.append(element)
            else:
                blocks.pop()
        place = _place(element, is_behind=event == "end")
        if blocks and place.words:
            if not is_open:
                lines.append(_Line(blocks[-1], []))
            lines[-1].places.append(place)
            is_open = True
    return lines


def _place(element: Any, *, is_behind: bool) -> _Place:
    if element.tag == "img" and not is_behind:
        address = "".join(element.get("src", "").split())
        return _Place(element, False, [PICTURE + address] if address else [])
    text = element.tail if is_behind else element.text
    return _Place(element, is_behind, _WORD.findall(text or ""))


# What is new, and what is gone


def _replaced(
    matcher: _Matcher, old: list[_Line], new: list[_Line], since: int
) -> Iterator[tuple[int, list[_Line]]]:
    """Mark lines that are new or have become others.

    Gives the lines that are gone, by the number of the new line in front of which they were.
    """
    left = 0
    for at, line in enumerate(new):
        compared = range(left, min(left + _NEAREST, len(old)))
        found = next((n for n in compared if _are_alike(old[n], line)), None)
        if found is None:
            for place in line.places:
                place.new.update(range(len(place.words)))
            continue
        if found > left:
            yield since + at, old[left:found]
        _compare(matcher, old[found], line)
        left = found + 1
    if left < len(old):
        yield since + len(new), old[left:]


def _are_alike(old: _Line, new: _Line) -> bool:
    """Whether two lines have enough words in common, in whatever order."""
    lengths = len(old.words), len(new.words)
    least = _ALIKE * sum(lengths) / 2
    return min(lengths) >= least and (old.bag & new.bag).total() >= least


def _compare(matcher: _Matcher, old: _Line, new: _Line) -> None:
    """Mark the words of a line that has become another one."""
    spots = [(place, at) for place in new.places for at in range(len(place.words))]
    was = old.words
    for first, last, since, until in matcher.differences(was, new.words):
        for place, at in spots[since:until]:
            place.new.add(at)
        if first < last:  # in front of what is there instead, or behind the word before
            place, at = spots[since] if since < until else spots[max(since - 1, 0)]
            behind = since == until and since > 0
            place.gone[at + behind] = list(was[first:last])


# Putting back lines that are gone


def _put_back(
    root: Any,
    previous: _Line | None,
    following: _Line | None,
    gone: list[_Line],
    whole: Counter[Any],
) -> None:
    """Put lines that are gone between two lines of the later tree."""
    last = None
    for unit, lines in groupby(gone, _unit_of):
        for made in _made(unit, list(lines), whole):
            if last is not None and (last.tag == made.tag or not {last.tag, made.tag} & {*_WHOLE}):
                if following and following.places[0].element is last:
                    _put_before_text(following.places[0], made)
                else:
                    last.addnext(made)
            else:
                _put(root, previous, following, made)
            last = made


def _made(unit: Any, lines: list[_Line], whole: Counter[Any]) -> Iterator[Any]:
    """Elements that show lines which are gone: an entry or a row as one, if all of it is."""
    tags = [line.block.tag if line.block.tag in _CLOSED else "div" for line in lines]
    if unit is None or len(lines) < whole[unit]:
        yield from (_showing(tag, line) for tag, line in zip(tags, lines, strict=True))
    elif len(lines) == 1 and unit.tag == "li":
        yield _showing("li", lines[0])
    else:
        made = Element(unit.tag)
        made.extend(
            _showing("td" if unit.tag == "tr" else tag, line)
            for tag, line in zip(tags, lines, strict=True)
        )
        yield made


def _showing(tag: str, line: _Line) -> Any:
    made = Element(tag)
    made.append(_marked("del", list(line.words)))
    return made


def _unit_of(line: _Line) -> Any:
    """The entry of a list or the row of a table that a line is in; None if there is none."""
    return _around(line.block, _WHOLE)


def _around(element: Any, tags: Sequence[str]) -> Any:
    """The innermost element of these kinds around another one, or that itself."""
    while element is not None and element.tag not in tags:
        element = element.getparent()
    return element


def _put(root: Any, previous: _Line | None, following: _Line | None, made: Any) -> None:
    """Put an element between two lines.

    Entries and rows go beside others; where there are none, they are no entries any more.
    """
    if made.tag in _WHOLE:
        for line in (previous, following):
            twin = _around(line.block, (made.tag,)) if line else None
            if twin is not None:
                _put_beside(twin, made, is_behind=line is previous)
                return
        for element in (made, *made.iter("td")):
            element.tag = "div"
    line = previous or following
    if line is None:
        root.append(made)
        return
    child, parent = line.places[-1 if previous else 0].element, line.block
    is_first = child is parent  # the text in front of all children
    while not is_first and child.getparent() is not parent:
        child = child.getparent()
    while parent is not root and parent.tag in _CLOSED | _ORDERED:
        child, parent, is_first = parent, parent.getparent(), False
    start = following.places[0] if following else None
    if start and start.element is child and (start.is_behind or is_first):
        _put_before_text(start, made)
    elif is_first:
        parent.insert(0, made)
    else:
        _put_beside(child, made, is_behind=line is previous)


def _put_beside(element: Any, made: Any, *, is_behind: bool) -> None:
    """Put an element in front of another one, or behind that and its text."""
    if not is_behind:
        element.addprevious(made)
    elif (following := element.getnext()) is not None:
        following.addprevious(made)
    else:
        element.getparent().append(made)


def _put_before_text(place: _Place, made: Any) -> None:
    """Put an element in front of a text, which is then the one behind that element."""
    element = place.element
    if place.is_behind:
        made.tail, element.tail = element.tail, None
        element.addnext(made)
    else:
        made.tail, element.text = element.text, None
        element.insert(0, made)
    place.element, place.is_behind = made, True


# Marks


def _mark_text(place: _Place) -> None:
    """Write a text anew, with marks."""
    element = place.element
    text = (element.tail if place.is_behind else element.text) or ""
    pieces: list[Piece] = []
    end = 0
    for at, word in enumerate(_WORD.finditer(text)):
        pieces.append(("", [text[end : word.start()]]))
        if at in place.gone:
            pieces += [("del", place.gone[at]), ("", [" "])]
        pieces.append(("ins" if at in place.new else "", [word[0]]))
        end = word.end()
    if left := place.gone.get(len(place.words)):
        pieces += [("", [" "]), ("del", left)]
    _write(place, _merged([*pieces, ("", [text[end:]])]))


def _merged(pieces: Sequence[Piece]) -> list[Piece]:
    """Pieces of which neighbours have other marks; a space between two goes into their mark."""
    merged: list[Piece] = [("", [])]
    for mark, texts in pieces:
        is_between = len(merged) > 2 and mark and mark == merged[-2][0]
        if is_between and not "".join(merged[-1][1]).strip():
            merged.pop()
        if merged[-1][0] == mark:
            merged[-1][1].extend(texts)
        else:
            merged.append((mark, [*texts]))
    return merged


def _write(place: _Place, pieces: Sequence[Piece]) -> None:
    element, marks = place.element, list[Any]()
    (_, first), *others = pieces
    for mark, texts in others:
        if mark:
            marks.append(_marked(mark, texts))
        else:
            marks[-1].tail = "".join(texts)
    # Each goes in front of those that follow, and the text in front of all.
    if place.is_behind:
        element.tail = None
        for made in reversed(marks):
            element.addnext(made)
        element.tail = "".join(first)
    else:
        element.text = None
        for made in reversed(marks):
            element.insert(0, made)
        element.text = "".join(first)


def _mark_picture(place: _Place) -> None:
    picture = place.element
    for at in sorted(place.gone):
        picture.addprevious(_marked("del", place.gone[at]))
    if place.new:
        mark = Element("ins")
        mark.tail, picture.tail = picture.tail, None
        picture.getparent().replace(picture, mark)
        mark.append(picture)


def _marked(mark: str, words: Sequence[str]) -> Any:
    """An element that shows words and pictures."""
    made = Element(mark)
    for is_picture, some in groupby(words, lambda word: word.startswith(PICTURE)):
        if is_picture:
            made.extend(Element("img", src=word.removeprefix(PICTURE)) for word in some)
        elif len(made):
            made[-1].tail = " ".join(some)
        else:
            made.text = " ".join(some)
    return made
