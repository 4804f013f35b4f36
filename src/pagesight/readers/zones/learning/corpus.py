"""Pages whose blocks people have drawn: the corpus `segments`.

Blocks are elements with the attributes ``data-block`` (level 1 or 2) and ``data-block-type``. No
segmentation may see them: they are renamed into attributes that a Page keeps and that no stylesheet
knows, and removed from the Page once the blocks are found.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.page import NodeKind, Page
from pagesight.readers import corpora
from pagesight.render import RenderOptions, open_renderer
from pagesight.render.cache import CachedRenderer
from pagesight.sources import load

CORPUS = "segments"
LEVELS = (1, 2)
NO_BLOCK = -1

_LABEL = re.compile(rb'\sdata-block(-type)?="(\w+)"')
_MARK = "drawn:"  # before the values, in case that a page has these attributes itself
_LEVEL, _TYPE = "itemid", "itemtype"


@dataclass(frozen=True)
class Block:
    """An element that somebody drew as a block."""

    node: int
    level: int
    type: str


@dataclass(frozen=True, eq=False)
class DrawnPage:
    """A page with the blocks that people drew on it."""

    name: str
    page: Page
    blocks: tuple[Block, ...]

    def block_of(self, level: int) -> NDArray[np.int64]:
        """For each node the innermost block around it, down to `level`; -1 where there is none."""
        found = np.full(len(self.page), NO_BLOCK, dtype=np.int64)
        for index, block in enumerate(self.blocks):  # in document order: inner ones come later
            if block.level <= level:
                found[block.node : self.page.end[block.node]] = index
        return found


def characters(page: Page) -> NDArray[np.int64]:
    """For each node how many characters a person sees in its own text, without white space."""
    texts = page.columns["text"]
    seen = page.visible & (page.columns["kind"] == NodeKind.TEXT) & (texts >= 0)
    counts = np.zeros(len(page), dtype=np.int64)
    for node in np.flatnonzero(seen).tolist():
        counts[node] = len("".join(page.strings[texts[node]].split()))
    return counts


def drawn_pages(
    folder: Path | None = None,
    *,
    renderer: str = "auto",
    jobs: int = 2,
    advance: Callable[[], None] = lambda: None,
) -> Iterator[DrawnPage]:
    """The pages of the corpus in its order; each is rendered once and then kept."""
    corpus = corpora.corpus_folder(CORPUS, folder)

    def drawn(row: corpora.Row) -> DrawnPage:
        source = load(corpora.request_of(corpus, row))
        page = cached.render(replace(source, data=_renamed(source.data)))
        return _drawn_page(str(Path(row["file"]).parent), page)

    with (
        open_renderer(renderer, RenderOptions(jobs=jobs)) as opened,
        ThreadPoolExecutor(jobs) as pool,
    ):
        cached = CachedRenderer(opened)
        for result in pool.map(drawn, corpora.rows(corpus)):
            yield result
            advance()


def _renamed(data: bytes) -> bytes:
    def rename(found: re.Match[bytes]) -> bytes:
        name = _TYPE if found[1] else _LEVEL
        return f' {name}="{_MARK}{found[2].decode()}"'.encode()

    return _LABEL.sub(rename, data)


def _drawn_page(name: str, page: Page) -> DrawnPage:
    blocks = []
    for node in _labelled(page):
        attributes = page.attributes(node)
        level = attributes[_LEVEL].removeprefix(_MARK)
        type_ = attributes.get(_TYPE, "").removeprefix(_MARK)
        blocks.append(Block(node, int(level), type_))
    return DrawnPage(name, _without_labels(page), tuple(blocks))


def _is_label(page: Page) -> NDArray[np.bool_]:
    """Which attributes of a page are labels."""
    strings = page.strings
    marked = [index for index, string in enumerate(strings) if string.startswith(_MARK)]
    return np.isin(page.columns["attr_value"], marked)


def _labelled(page: Page) -> list[int]:
    """The nodes that have a level, in document order."""
    levels = [index for index, string in enumerate(page.strings) if string == _LEVEL]
    rows = np.flatnonzero(_is_label(page) & np.isin(page.columns["attr_name"], levels))
    nodes: list[int] = (np.searchsorted(page.columns["attr_first"], rows, "right") - 1).tolist()
    return nodes


def _without_labels(page: Page) -> Page:
    """The page as it would be if nobody had labelled it."""
    kept = ~_is_label(page)
    before = np.concatenate(([0], np.cumsum(kept)))
    columns = {
        **page.columns,
        "attr_first": before[page.columns["attr_first"]],
        "attr_name": page.columns["attr_name"][kept],
        "attr_value": page.columns["attr_value"][kept],
    }
    return Page(columns, page.strings, page.info)
