"""How an element's tag affects its look, so that the look can be kept when the tag changes.

Rules of stylesheets are matched before and after the change. For properties that would
change, the declarations that applied before are collected for a `style` attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from pagesight.markup.css import Ending, listed, segments
from pagesight.markup.defaults import default_style
from pagesight.markup.media import matches, supports

# Shorthands, and the beginnings of the names that they set.
_FAMILIES = ("margin", "padding", "border", "font", "background", "text-decoration", "list-style")
# Selectors for other states of an element, or for parts of it.
_ELSEWHERE = re.compile(
    r"::|:(?:hover|focus|active|visited|before|after|first-l|target|selection|checked|disabled)",
    re.IGNORECASE,
)
_SPECIFIC = (
    r"#[\w-]+",
    r"\.[\w-]+|\[[^\]]*\]|:(?!:|not\(|is\(|where\()[\w-]+",
    r"(?:^|[\s>+~(,])[a-z][\w-]*",
)
_GROUP = re.compile(r"@(media|supports|layer)\b(.*)", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True, slots=True)
class Declaration:
    """A property with its value."""

    name: str
    value: str
    important: bool

    @property
    def family(self) -> str:
        if self.name == "line-height":
            return "font"
        return next((f for f in _FAMILIES if self.name.startswith(f)), self.name)

    def __str__(self) -> str:
        return f"{self.name}:{self.value}" + ("!important" if self.important else "")


@dataclass(frozen=True)
class StyleRule:
    """One selector with its declarations; `order` counts the rules of all sheets."""

    selector: str
    declarations: tuple[Declaration, ...]
    order: int

    @cached_property
    def rank(self) -> tuple[int, int, int, int]:
        """By which of two rules the later one wins."""
        bare = re.sub(r":where\([^)]*\)", "", self.selector)
        ids, classes, types = (len(re.findall(part, bare, re.IGNORECASE)) for part in _SPECIFIC)
        return ids, classes, types, self.order

    @cached_property
    def subject(self) -> frozenset[str]:
        """The tag, classes and id that an element needs for this rule: ``{"p", ".lead"}``."""
        bare = re.sub(r"::?[\w-]+(?:\((?:[^()]|\([^()]*\))*\))?|\[[^\]]*\]", "", self.selector)
        last = re.split(r"[\s>+~]+", bare.strip())[-1]
        return frozenset(
            name if name[0] in ".#" else name.lower() for name in re.findall(r"[.#]?[\w-]+", last)
        )


def declarations(style: str) -> tuple[Declaration, ...]:
    """The declarations of a block or of a `style` attribute."""
    declared = []
    for segment in segments(style):
        name, colon, value = segment.code.partition(":")
        unclosed = re.search(r"[\s%\w]:(?!//)", re.sub(r"\([^)]*\)|progid:", "", value))
        if not colon or unclosed or segment.ending is Ending.BLOCK:
            continue  # browsers drop a declaration that runs into the next
        bare, important = re.subn(r"!\s*important\s*$", "", value.strip(), flags=re.IGNORECASE)
        declared.append(Declaration(name.strip().lower(), bare.strip(), bool(important)))
    return tuple(declared)


def rules(sheets: Iterable[str]) -> list[StyleRule]:
    """The rules that hold on a screen."""
    held: list[StyleRule] = []
    for sheet in sheets:
        for selectors, block in _blocks(sheet):
            declared = declarations(block)
            for selector in listed(selectors):
                if declared and not _ELSEWHERE.search(selector):
                    held.append(StyleRule(selector, declared, len(held)))
    return held


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """Selectors with what is between their braces."""
    around: list[str | None] = []  # the selectors of each open block; "" of one that does not hold
    body: list[str] = []
    for segment in segments(sheet):
        if segment.ending is Ending.BLOCK:
            holds = "" not in around and (segment.is_selector or _holds(segment.code))
            around.append((segment.code if segment.is_selector else None) if holds else "")
            body = []
            continue
        body.append(segment.code)
        if segment.ending is Ending.CLOSE and around:
            selectors = around.pop()
            if selectors and "" not in around:
                yield selectors, ";".join(body)
            body = []


def _holds(condition: str) -> bool:
    """Whether the rules in an at-rule hold on a screen of the usual size."""
    group = _GROUP.match(condition)
    if not group:
        return False
    name, query = group[1].lower(), group[2]
    return name == "layer" or (matches(query) if name == "media" else supports(query))


@dataclass(frozen=True)
class Cascade:
    """The rules of a document's stylesheets, and those of the browser."""

    rules: Sequence[StyleRule]
    quirky: bool = False
    """Whether the document is laid out as in 1998, see `is_quirky`."""

    def kept(
        self, before: LexborHTMLParser, after: LexborHTMLParser, changed: Mapping[int, int]
    ) -> dict[int, str]:
        """By element of `before` (`mem_id`, as of its match in `after`) what to keep."""
        old = self._matching(before, set(changed))
        new = self._matching(after, set(changed.values()))
        return {one: _difference(old[one], new[other]) for one, other in changed.items()}

    def _matching(self, parser: LexborHTMLParser, wanted: set[int]) -> dict[int, list[Declaration]]:
        """By element the declarations that hold for it, those that win last."""
        nodes = [node for node in parser.css("*") if node.mem_id in wanted]
        names = set().union(*map(_names, nodes))
        matching: dict[int, list[StyleRule]] = {}
        for rule in self.rules:
            if not rule.subject <= names:
                continue  # most rules are about something else, and matching is slow
            for node in _select(parser, rule.selector):
                if node in wanted:
                    matching.setdefault(node, []).append(rule)
        return {node.mem_id: self._winning(node, matching.get(node.mem_id, ())) for node in nodes}

    def _winning(self, node: Any, matching: Iterable[StyleRule]) -> list[Declaration]:
        """The declarations for an element, those that win last."""
        ordered = sorted(matching, key=lambda rule: rule.rank)
        declared = [declaration for rule in ordered for declaration in rule.declarations]
        defaults = declarations(default_style(node, quirky=self.quirky))
        return [*defaults, *sorted(declared, key=lambda declaration: declaration.important)]


def _names(node: Any) -> set[str]:
    attributes = node.attributes
    classes = {f".{name}" for name in (attributes.get("class") or "").split()}
    return {node.tag, f"#{attributes.get('id')}", *classes}


def _select(parser: LexborHTMLParser, selector: str) -> list[int]:
    try:
        return [node.mem_id for node in parser.css(selector)]
    except Exception:  # noqa: BLE001 - the parser raises anything on unknown selectors
        return []


def _difference(old: Sequence[Declaration], new: Sequence[Declaration]) -> str:
    """What makes `new` look like `old`: by family, since shorthands and longhands mix."""
    kept = []
    for family in dict.fromkeys(declaration.family for declaration in (*old, *new)):
        was, becomes = _last(old, family), _last(new, family)
        if list(was.values()) == list(becomes.values()):
            continue
        important = any(declaration.important for declaration in becomes.values())
        kept += [Declaration(name, "unset", important) for name in becomes if name not in was]
        kept += [Declaration(d.name, d.value, d.important or important) for d in was.values()]
    return ";".join(map(str, kept))


def _last(given: Iterable[Declaration], family: str) -> dict[str, Declaration]:
    """The last declaration of each name in a family, in the order in which they win."""
    last: dict[str, Declaration] = {}
    for declaration in given:
        if declaration.family == family:
            last.pop(declaration.name, None)
            last[declaration.name] = declaration
    return last
