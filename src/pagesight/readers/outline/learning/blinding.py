"""Pages that look as they did and whose tags say nothing of headings, or say wrong things.

Headings become elements of other names. The stylesheets are told: a type selector such as ``h2``
comes to stand for the elements that were h2, with the same specificity, and what browsers do for
headings by themselves is written down.
"""

from __future__ import annotations

import hashlib
import random
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from selectolax.lexbor import LexborHTMLParser

from pagesight.learning.corpora import Row
from pagesight.markup.css import replace_types
from pagesight.markup.defaults import DEFAULTS, EDGES, default_style, flat_edges, is_quirky
from pagesight.markup.tags import RAW, doctype_of
from pagesight.markup.tree import HEADINGS, VOID, children, lost_newline
from pagesight.page import NodeKind, Page
from pagesight.render.cache import cache_folder
from pagesight.sources import Request, load

NEUTRAL = ("ps-a", "ps-b", "ps-c", "ps-d", "ps-e", "ps-f")
MARK = "data-ps"
DEMOTED = 0.2  # the share of headings that shuffling makes paragraphs
PROMOTED = 0.05  # the share of paragraphs that it makes headings

_ALL = ",".join((*HEADINGS, "p", *NEUTRAL))
_TEXT_ONLY = (RAW | {"plaintext"}) - {"title", "textarea"}  # in which "&lt;" is no "<"
_DROPPED = frozenset({"script", "template"})


class Variant(StrEnum):
    """What becomes of the tags."""

    BLIND = "blind"  # headings are elements without a meaning
    SHUFFLED = "shuffled"  # levels permuted, some headings paragraphs, some paragraphs headings


def disguised(text: str, variant: Variant = Variant.BLIND, seed: str = "") -> str:
    """A document with other tags for its headings; nothing of its look changes."""
    parser = LexborHTMLParser(text)
    styled = bool(parser.css("style, link[rel~=stylesheet i]"))
    if parser.root is None:
        return text
    rename = _neutral if variant is Variant.BLIND else _Shuffler(parser, seed)
    doctype = doctype_of(text)
    writer = _Writer(rename, styled=styled, quirky=is_quirky(doctype))
    writer.write(parser.root)
    return doctype + "".join(writer.parts)


def disguised_sheet(sheet: str) -> str:
    """A stylesheet for disguised documents."""
    return replace_types(sheet, "(?:h[1-6]|p)", _selector)


def disguised_corpus(folder: Path, rows: Sequence[Row], variant: Variant) -> Path:
    """A copy of a corpus, disguised; made once and then kept in the cache."""
    files = dict(_disguised_files(folder, rows, variant))
    digest = hashlib.sha256(str(folder.resolve()).encode())
    for path, data in sorted(files.items()):
        digest.update(f"{path} {len(data)} ".encode() + data)
    copy = cache_folder() / "disguised" / digest.hexdigest()[:24]
    if not copy.is_dir():
        unfinished = copy.with_name(copy.name + ".unfinished")
        shutil.rmtree(unfinished, ignore_errors=True)
        shutil.copytree(folder, unfinished)
        for path, data in files.items():
            (unfinished / path).write_bytes(data)
        unfinished.replace(copy)
    return copy


def revealed(page: Page) -> tuple[Page, NDArray[np.int64]]:
    """A blind page with all neutral elements named alike, and by node the h level that each had."""
    level_of = {name: level for level, name in enumerate(NEUTRAL, start=1)}
    by_string = np.array([level_of.get(string, 0) for string in page.strings], dtype=np.int64)
    levels = np.where(page.columns["kind"] == NodeKind.ELEMENT, by_string[page.columns["name"]], 0)
    name = page.columns["name"].copy()
    name[levels > 0] = len(page.strings)
    return Page({**page.columns, "name": name}, [*page.strings, "div"], page.info), levels


def _disguised_files(
    folder: Path, rows: Sequence[Row], variant: Variant
) -> Iterator[tuple[str, bytes]]:
    for row in rows:
        source = load(Request(source=folder / row["file"]))
        text = disguised(source.text, variant, seed=row["file"])
        yield row["file"], text.encode("utf-8-sig", errors="replace")  # the mark beats all else
    for path in folder.rglob("*.css"):
        # Latin-1 keeps every byte, and selectors of other letters are none of ours.
        sheet = disguised_sheet(path.read_bytes().decode("latin-1"))
        yield path.relative_to(folder).as_posix(), sheet.encode("latin-1")


def _selector(tag: str) -> str:
    """What a type selector becomes; `:is` counts as one type, `:where` as nothing."""
    kept = f"[{MARK}={tag}]" if tag != "p" else f"p:not([{MARK}]),[{MARK}=p]"
    return f":is({_ALL}):where({kept})"


def _neutral(node: Any) -> str:
    return NEUTRAL[int(node.tag[1]) - 1] if node.tag in HEADINGS else node.tag


class _Shuffler:
    """Gives headings wrong levels, the same for each level of a page, and hides some."""

    def __init__(self, parser: LexborHTMLParser, seed: str) -> None:
        self.random = random.Random(seed)  # noqa: S311 - the same pages each time
        used = [tag for tag in HEADINGS if parser.css_first(tag)]
        wrong = list(used)
        while wrong == used and len(used) > 1:
            self.random.shuffle(wrong)
        self.wrong = dict(zip(used, wrong if len(used) > 1 else ["h3"], strict=False))

    def __call__(self, node: Any) -> str:
        tag: str = node.tag
        if tag in HEADINGS:
            blocks = [block for block in node.css(_BLOCKS) if block.mem_id != node.mem_id]
            demoted = self.random.random() < DEMOTED and not blocks  # they would end a paragraph
            return "p" if demoted else self.wrong[tag]
        if tag == "p" and self.random.random() < PROMOTED:
            return self.random.choice(HEADINGS[:4])
        return tag


_BLOCKS = (
    "address,article,aside,blockquote,center,details,dialog,dir,div,dl,fieldset,figcaption,figure,"
    "footer,form,header,hgroup,hr,main,menu,nav,ol,p,pre,section,summary,table,ul,h1,h2,h3,h4,h5,h6"
)


class _Writer:
    """Writes a parsed tree as markup that parses to the same tree, with other names in it."""

    def __init__(self, rename: Callable[[Any], str], *, styled: bool, quirky: bool) -> None:
        self.rename = rename
        self.styled = styled
        self.quirky = quirky
        self.parts: list[str] = []

    def write(self, root: Any) -> None:
        stack: list[Any] = [root]
        while stack:
            node = stack.pop()
            if isinstance(node, str):
                self.parts.append(node)
            elif node.is_text_node:
                self.parts.append(escape(node.text_content or "", quote=False))
            elif node.is_element_node and node.tag not in _DROPPED:
                stack.extend(self._opened(node))

    def _opened(self, node: Any) -> list[Any]:
        """Write a start tag; what is to be written after it, last first."""
        tag = node.tag
        name = self.rename(node)
        self.parts.append(f"<{name}{self._attributes(node, name)}>")
        if tag == "head" and self.styled:
            rules = [f":where([{MARK}={tag}]){{{style}}}" for tag, style in DEFAULTS.items()]
            rules += [f":where([{MARK}-{edge}]){{margin-block-{edge}:0}}" for edge in EDGES]
            self.parts.append(f"<style>{''.join(rules)}</style>")
        if tag in VOID:
            return []
        if tag in _TEXT_ONLY:
            text = node.text(deep=True, separator="")
            self.parts.append(disguised_sheet(text) if tag == "style" else text)
            return [f"</{name}>"]
        self.parts.append(lost_newline(node))
        return [f"</{name}>", *reversed(children(node))]

    def _attributes(self, node: Any, name: str) -> str:
        attributes = dict(node.attributes)
        if node.tag in HEADINGS or name != node.tag:
            attributes[MARK] = node.tag
            edges = flat_edges(node, quirky=self.quirky)
            attributes.update((f"{MARK}-{edge}", "") for edge in edges)
            if not self.styled:
                default = default_style(node, quirky=self.quirky)
                attributes["style"] = f"{default};{attributes.get('style') or ''}"
        written = (
            f' {name}="{escape(value or "")}"'
            for name, value in attributes.items()
            if not re.search(r"[\"'<>/=\s]", name)
        )
        return "".join(written)
