"""The document again, with the right h1 to h6 and everything else as it was."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from selectolax.lexbor import LexborHTMLParser

from pagesight.markup.defaults import is_quirky
from pagesight.markup.looks import Cascade, rules
from pagesight.markup.stylesheets import stylesheets
from pagesight.markup.tags import ElementSpan, attributes_of, doctype_of, spans
from pagesight.markup.tree import HEADINGS, TreeElement, elements
from pagesight.page import NodeKind, Page
from pagesight.readers.outline.heading import Heading
from pagesight.render.resources import BASE, Loads, Neighbourhood
from pagesight.sources import Source

# A heading around or in another element that is not seen: it takes everything from around it.
_AROUND = "all:unset!important"
_INSIDE = "all:unset!important;display:contents!important"
_INLINE = frozenset(
    "a abbr b bdi bdo big cite code dfn em font i kbd mark q s samp small span strike strong sub "
    "sup tt u var".split()
)
_LEVEL_OF_ROLE = "2"  # of a heading that does not say its level
_OTHER_THAN_LETTERS = re.compile(r"[^A-Za-z0-9]+")


@dataclass(frozen=True, slots=True)
class _Change:
    """An element that is to have another name or level, or a heading around or inside it."""

    element: int
    name: str
    heading: Heading | None


@dataclass(frozen=True, slots=True, order=True)
class _Edit:
    """Text to put in place of a part of the source; closing tags before opening ones."""

    start: int
    opens: bool
    nesting: int
    stop: int
    text: str


def document_with_headings(source: Source, page: Page, headings: Sequence[Heading]) -> bytes:
    """The bytes of a document, with these headings for its h1 to h6."""
    wide = source.encoding.startswith(("utf-16", "utf-32"))
    encoding = source.encoding if wide else "latin-1"  # tags are ASCII; all else keeps its bytes
    text = source.data.decode(encoding, errors="surrogateescape")
    emitted = with_headings(text, page, headings, sheets=_sheets(source))
    return emitted.encode(encoding, errors="surrogateescape")


def _sheets(source: Source) -> Iterator[str]:
    """The stylesheets in a document and in the files beside it."""
    files = Neighbourhood(source.path, source.root)

    def load(url: str) -> bytes | None:
        resource = files.load(url, document=False, loads=Loads())
        return resource.data if resource else None

    yield from stylesheets(LexborHTMLParser(source.text), BASE, load)


def with_headings(
    text: str, page: Page, headings: Sequence[Heading], *, sheets: Iterable[str] | None = None
) -> str:
    """The document of a page with these headings for its h1 to h6.

    Headings that the page shows and that are not among them become `div`. What cannot be found in
    the source with certainty is left alone. `sheets` are the stylesheets of the page: those in the
    document itself if not given.
    """
    original = _Original(text)
    of_node = elements_of_nodes(page, original.tree)
    wanted = {
        of_node[heading.node.id]: heading
        for heading in headings
        if heading.node.id in of_node and original.shows(of_node[heading.node.id], heading.text)
    }
    changes = [
        _Change(original.by_role(element), f"h{heading.level}", heading)
        for element, heading in wanted.items()
        if original.name(original.by_role(element)) != f"h{heading.level}"
    ]
    changes += _demotions(page, of_node, original, set(wanted))
    if not changes:
        return text
    held = rules(stylesheets(original.parser) if sheets is None else sheets)
    return _Emitter(original, Cascade(held, is_quirky(doctype_of(text)))).emitted(changes)


class _Original:
    """A document as it was, parsed."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.parser = LexborHTMLParser(text)
        self.tree = elements(self.parser)

    @cached_property
    def spans(self) -> Mapping[int, ElementSpan]:
        return spans(self.text)

    @cached_property
    def letters(self) -> str:
        return _letters(self.tree[0].node.text(deep=True)) if self.tree else ""

    def shows(self, element: int, text: str) -> bool:
        """Whether an element holds a text and hardly more; letters of other scripts may differ.

        What is a heading already may hold more than is seen.
        """
        if self.tree[element].name in HEADINGS:
            return True
        held, wanted = _letters(self.tree[element].node.text(deep=True)), _letters(text)
        return wanted in held and len(held) <= 2 * len(wanted) + 8

    def by_role(self, element: int) -> int:
        """The element around this one that is a heading by its role; this one if there is none."""
        above = element
        while above >= 0 and not self.has_role(above):
            above = self.tree[above].parent
        return above if above >= 0 else element

    def has_role(self, element: int) -> bool:
        """Whether an element says that it is a heading, whatever its name is."""
        return (self.tree[element].node.attributes.get("role") or "").strip().lower() == "heading"

    def name(self, element: int) -> str:
        """The name of an element; of a heading by role that of such a heading."""
        name, node = self.tree[element].name, self.tree[element].node
        if not self.has_role(element):
            return name
        usual = name[1] if name in HEADINGS else _LEVEL_OF_ROLE
        return f"h{(node.attributes.get('aria-level') or usual).strip()}"

    def has_room(self, element: int) -> bool:
        """Whether a heading may be around or in an element: not in paragraphs and buttons."""
        above = element
        while above >= 0:
            name = self.tree[above].name
            if name == "button" or (name == "p" and above != element):
                return False
            above = self.tree[above].parent
        return True


class _Emitter:
    """Makes changes to a document as long as they do to its tree what they should."""

    def __init__(self, original: _Original, cascade: Cascade) -> None:
        self.original = original
        self.cascade = cascade

    def emitted(self, changes: Sequence[_Change]) -> str:
        """The document with the changes that can be made: all at once, or else one by one."""
        possible = [change for change in changes if self._is_possible(change)]
        result = self._changed(possible)
        if result is not None:
            return result
        done: list[_Change] = []
        result = self.original.text
        for change in possible:
            attempt = self._changed([*done, change])
            if attempt is not None:
                done, result = [*done, change], attempt
        return result

    def _is_possible(self, change: _Change) -> bool:
        if change.element not in self.original.spans:
            return False
        if self._is_renamed(change) or self.original.has_role(change.element):
            return True
        return self.original.has_room(change.element)

    def _is_renamed(self, change: _Change) -> bool:
        if change.heading and self.original.has_role(change.element):
            return False
        return self.original.tree[change.element].name in (*HEADINGS, "p")

    def _changed(self, changes: Sequence[_Change]) -> str | None:
        """The document with these changes; None where the parser makes something else of it."""
        renamed = [change for change in changes if self._is_renamed(change)]
        bare = _applied(self.original.text, (e for c in renamed for e in self._renaming(c, "")))
        if not self._is_as_meant(bare, renamed):
            return None
        styles = self._styles(bare, renamed)
        edits = [edit for c in renamed for edit in self._renaming(c, styles[c.element])]
        edits += [edit for c in changes if c not in renamed for edit in self._adding(c)]
        result = _applied(self.original.text, edits)
        return result if self._is_as_meant(result, changes) else None

    def _styles(self, bare: str, renamed: Sequence[_Change]) -> dict[int, str]:
        after = LexborHTMLParser(bare)
        old, new = self.original.tree, elements(after)
        pairs = {old[c.element].node.mem_id: new[c.element].node.mem_id for c in renamed}
        kept = self.cascade.kept(self.original.parser, after, pairs)
        return {c.element: kept[old[c.element].node.mem_id] for c in renamed}

    def _renaming(self, change: _Change, style: str) -> Iterator[_Edit]:
        span = self.original.spans[change.element]
        tag = span.start
        yield _Edit(tag.start + 1, True, change.element, tag.name_stop, change.name)
        if style:
            yield self._styling(change, style)
        if span.end:
            start, stop = span.end.start + 2, span.end.name_stop
            yield _Edit(start, False, -change.element, stop, change.name)
        else:
            yield _insertion(span.end_at, f"</{change.name}>", -change.element, opens=False)

    def _styling(self, change: _Change, style: str) -> _Edit:
        """What is kept of the look goes before the element's own style, which still wins."""
        tag, text = self.original.spans[change.element].start, self.original.text
        styled = attributes_of(text, tag).get("style")
        if styled is None:
            attribute = f' style="{escape(style)}"'
            return _insertion(tag.name_stop, attribute, change.element, opens=True)
        written = text[styled.value_start : styled.stop]
        quoted = written[:1] in ("'", '"')
        quote = written[0] if quoted else '"'
        value = escape(style).replace("&quot;", '"' if quote == "'" else "&quot;")
        kept = written[1:-1] if quoted else written.replace('"', "&quot;")
        replaced = f"{quote}{value};{kept}{quote}"
        return _Edit(styled.value_start, True, change.element, styled.stop, replaced)

    def _adding(self, change: _Change) -> Iterator[_Edit]:
        """The level of what is a heading by its role, and a heading in or around all else."""
        if self.original.has_role(change.element):
            yield self._level(change)
            return
        span = self.original.spans[change.element]
        around = self.original.tree[change.element].name in _INLINE
        style = _AROUND if around else _INSIDE
        start = span.start.start if around else span.start.stop
        after = span.end.stop if around and span.end else span.end_at
        opening = f'<{change.name} style="{style}">'
        yield _insertion(start, opening, change.element, opens=True)
        yield _insertion(after, f"</{change.name}>", -change.element, opens=False)

    def _level(self, change: _Change) -> _Edit:
        tag, written = self.original.spans[change.element].start, f'aria-level="{change.name[1:]}"'
        level = attributes_of(self.original.text, tag).get("aria-level")
        if level is None:
            return _insertion(tag.name_stop, f" {written}", change.element, opens=True)
        return _Edit(level.start, True, change.element, level.stop, written)

    def _is_as_meant(self, result: str, changes: Iterable[_Change]) -> bool:
        """Whether a document has the tree of the original, except for the changes."""
        names = {change.element: change.name for change in changes if self._is_renamed(change)}
        tree = self.original.tree
        meant = [(names.get(i, element.name), element.parent) for i, element in enumerate(tree)]
        parsed = elements(LexborHTMLParser(result))
        if _without_wrappings(parsed) != meant:
            return False
        return not parsed or _letters(parsed[0].node.text(deep=True)) == self.original.letters


def _insertion(at: int, text: str, nesting: int, *, opens: bool) -> _Edit:
    return _Edit(at, opens, nesting, at, text)


def _applied(text: str, edits: Iterable[_Edit]) -> str:
    parts, at = [], 0
    for edit in sorted(edits):
        parts += [text[at : edit.start], edit.text]
        at = max(at, edit.stop)
    return "".join((*parts, text[at:]))


def _without_wrappings(tree: Sequence[TreeElement]) -> list[tuple[str, int]]:
    """Names and parents of elements, as if our headings around others were not there."""
    number: list[int] = []  # of each element among those that count
    kept: list[tuple[str, int]] = []
    for element in tree:
        above = number[element.parent] if element.parent >= 0 else -1
        style = element.node.attributes.get("style") if element.name in HEADINGS else None
        if style in (_AROUND, _INSIDE):
            number.append(above)
        else:
            number.append(len(kept))
            kept.append((element.name, above))
    return kept


def _demotions(
    page: Page, of_node: Mapping[int, int], original: _Original, wanted: set[int]
) -> list[_Change]:
    """The h1 to h6 that are seen and are not headings."""
    spared = set(wanted)
    for element in wanted:  # an h2 around or in the element that was found is that heading's tag
        above = original.tree[element].parent
        while above >= 0 and original.tree[above].name not in ("body", "html"):
            spared.add(above)
            above = original.tree[above].parent
    shown = (node for node in page.find(*HEADINGS) if node.text)
    tagged = (of_node[node.id] for node in shown if node.id in of_node)
    return [_Change(element, "div", None) for element in tagged if element not in spared]


def elements_of_nodes(page: Page, tree: Sequence[TreeElement]) -> dict[int, int]:
    """By node of a page the element of the parsed source that it is."""
    children: dict[tuple[int, str, int], int] = {}
    ranks: Counter[tuple[int, str]] = Counter()
    for number, element in enumerate(tree):
        key = (element.parent, element.name.lower())
        ranks[key] += 1
        children[*key, ranks[key]] = number
    of_node = {0: -1}
    kinds, parents = page.columns["kind"].tolist(), page.columns["parent"].tolist()
    seen: Counter[tuple[int, str]] = Counter()
    for node in range(1, len(page)):
        above = of_node.get(parents[node])
        if kinds[node] != NodeKind.ELEMENT or above is None:
            continue
        key = (above, page.name(node).lower())
        seen[key] += 1
        if (element_number := children.get((*key, seen[key]))) is not None:
            of_node[node] = element_number
    del of_node[0]
    return of_node


def _letters(text: str) -> str:
    return _OTHER_THAN_LETTERS.sub("", text)
