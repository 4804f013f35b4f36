"""What an element's tag does for its look, so that it can be kept when the tag changes.

Rules of stylesheets are matched before and after the change. Of the properties that would come
out differently, the declarations that used to hold are written down for a `style` attribute.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from selectolax.lexbor import LexborHTMLParser

from pagesight.readers.outline.css import Ending, segments
from pagesight.readers.outline.defaults import DEFAULTS, EDGES, stands_at

_PLAIN = "display:block;font-size:inherit;font-weight:inherit;margin-block:0;margin-inline:0"
# Names that set, or are set by, one another.
_FAMILIES = ("margin", "padding", "border", "font", "background", "text-decoration", "list-style")
# What is not about the element at rest, or not about the element itself.
_ELSEWHERE = re.compile(
    r"::|:(?:hover|focus|active|visited|before|after|first-l|target|selection|checked|disabled)",
    re.IGNORECASE,
)
_COMMA = re.compile(r",(?=(?:[^()\[\]]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)|\[[^\]]*\])*+\Z)")
_SPECIFIC = (
    r"#[\w-]+",
    r"\.[\w-]+|\[[^\]]*\]|:(?!:|not\(|is\(|where\()[\w-]+",
    r"(?:^|[\s>+~(,])[a-z][\w-]*",
)
_WIDTH = re.compile(r"\(\s*(min|max)-width\s*:\s*([\d.]+)(px|em|rem)\s*\)", re.IGNORECASE)
VIEWPORT = 1280


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
class Rule:
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
    found = []
    for segment in segments(style):
        name, colon, value = re.sub(r"/\*.*?\*/", "", segment.text, flags=re.DOTALL).partition(":")
        unclosed = re.search(r"[\s%\w]:(?!//)", re.sub(r"\([^)]*\)|progid:", "", value))
        if not colon or unclosed or segment.ending is Ending.BLOCK:
            continue  # browsers drop a declaration that runs into the next
        bare, important = re.subn(r"!\s*important\s*$", "", value.strip(), flags=re.IGNORECASE)
        found.append(Declaration(name.strip().lower(), bare.strip(), bool(important)))
    return tuple(found)


def rules(sheets: Iterable[str]) -> list[Rule]:
    """The rules that hold on a screen."""
    found: list[Rule] = []
    for sheet in sheets:
        for selectors, block in _blocks(sheet):
            declared = declarations(block)
            for selector in _COMMA.split(selectors):
                if declared and not _ELSEWHERE.search(selector):
                    found.append(Rule(selector.strip(), declared, len(found)))
    return found


def _blocks(sheet: str) -> Iterator[tuple[str, str]]:
    """Selectors with what stands between their braces."""
    around: list[str | None] = []  # the selectors of each open block; "" of one that does not hold
    body: list[str] = []
    for segment in segments(sheet):
        text = re.sub(r"/\*.*?\*/", "", segment.text, flags=re.DOTALL).strip()
        if segment.ending is Ending.BLOCK:
            holds = "" not in around and (segment.is_selector or holds_here(text))
            around.append((text if segment.is_selector else None) if holds else "")
            body = []
            continue
        body.append(text)
        if segment.ending is Ending.CLOSE and around:
            selectors = around.pop()
            if selectors and "" not in around:
                yield selectors, ";".join(body)
            body = []


def holds_here(condition: str) -> bool:
    """Whether the rules in an at-rule hold on a screen of the usual width."""
    name, _, query = condition.lower().partition(" ")
    if name in ("@supports", "@layer"):
        return True
    return name == "@media" and any(map(_matches_screen, query.split(",")))


def _matches_screen(query: str) -> bool:
    if re.search(r"\bnot\b|print|speech|prefers|height|orientation|hover|resolution", query):
        return False
    for side, number, unit in _WIDTH.findall(query):
        width = float(number) * (1 if unit == "px" else 16)
        if (width > VIEWPORT) if side == "min" else (width < VIEWPORT):
            return False
    return True


@dataclass(frozen=True)
class Sheets:
    """The rules of a document's stylesheets."""

    rules: Sequence[Rule]
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
        found: dict[int, list[Rule]] = {}
        for rule in self.rules:
            if not rule.subject <= names:
                continue  # most rules are about something else, and matching takes its time
            for node in _select(parser, rule.selector):
                if node in wanted:
                    found.setdefault(node, []).append(rule)
        return {
            node.mem_id: [*self._defaults(node), *_cascade(found.get(node.mem_id, ()))]
            for node in nodes
        }

    def _defaults(self, node: Any) -> tuple[Declaration, ...]:
        edges = [edge for edge in EDGES if self.quirky and stands_at(node, edge)]
        flat = "".join(f";margin-block-{edge}:0" for edge in edges)
        return declarations(DEFAULTS.get(node.tag, _PLAIN) + flat + ";")


def _names(node: Any) -> set[str]:
    attributes = node.attributes
    classes = {f".{name}" for name in (attributes.get("class") or "").split()}
    return {node.tag, f"#{attributes.get('id')}", *classes}


def _select(parser: LexborHTMLParser, selector: str) -> list[int]:
    try:
        return [node.mem_id for node in parser.css(selector)]
    except Exception:  # noqa: BLE001 - the parser raises what it likes on what it does not know
        return []


def _cascade(matching: Sequence[Rule]) -> list[Declaration]:
    ordered = sorted(matching, key=lambda rule: rule.rank)
    said = [declaration for rule in ordered for declaration in rule.declarations]
    return sorted(said, key=lambda declaration: declaration.important)


def _difference(old: Sequence[Declaration], new: Sequence[Declaration]) -> str:
    """What makes `new` look like `old`: by family, since shorthands and longhands mix."""
    kept = []
    for family in dict.fromkeys(declaration.family for declaration in (*old, *new)):
        was, becomes = _last(old, family), _last(new, family)
        if list(was.values()) == list(becomes.values()):
            continue
        important = any(declaration.important for declaration in becomes.values())
        reset = [Declaration(name, "unset", important) for name in becomes if name not in was]
        kept += reset
        kept += [Declaration(d.name, d.value, d.important or important) for d in was.values()]
    return ";".join(map(str, kept))


def _last(given: Iterable[Declaration], family: str) -> dict[str, Declaration]:
    """The last declaration of each name in a family, in the order in which they win."""
    found: dict[str, Declaration] = {}
    for declaration in given:
        if declaration.family == family:
            found.pop(declaration.name, None)
            found[declaration.name] = declaration
    return found
