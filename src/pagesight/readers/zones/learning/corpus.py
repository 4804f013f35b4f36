"""Pages whose blocks people have drawn: the corpus `segments`.

Blocks are elements with the attributes ``data-block`` (level 1 or 2) and ``data-block-type``. No
segmentation may see them: they are renamed into attributes that a Page keeps and that no stylesheet
knows, and removed from the Page once the blocks are found.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.learning.corpora import Corpora, rows
from pagesight.page import Page
from pagesight.readers.title.address import PageAddress, registered_domain
from pagesight.segment.nodes import before, seen_texts, with_attribute

CORPUS = "segments"
LEVELS = (1, 2)
NO_BLOCK = -1

_LABEL = re.compile(rb'\sdata-block(-type)?="(\w+)"')
_MARK = "drawn:"  # before the values, in case a page has these attributes itself
_LEVEL, _TYPE = "itemid", "itemtype"


@dataclass(frozen=True)
class DrawnBlock:
    """An element that somebody drew as a block."""

    node: int
    level: int
    type: str


@dataclass(frozen=True, eq=False)
class DrawnPage:
    """A page with the blocks that people drew on it."""

    name: str
    site: str
    page: Page
    blocks: tuple[DrawnBlock, ...]

    def block_of(self, level: int) -> NDArray[np.int64]:
        """The innermost block around each node, down to `level`; -1 where there is none."""
        innermost = np.full(len(self.page), NO_BLOCK, dtype=np.int64)
        for index, block in enumerate(self.blocks):  # in document order: inner ones come later
            if block.level <= level:
                innermost[block.node : self.page.end[block.node]] = index
        return innermost


def characters(page: Page) -> NDArray[np.int64]:
    """How many characters a person sees in the text of each node itself, without white space."""
    lengths = np.array([len("".join(string.split())) for string in page.strings], dtype=np.int64)
    return np.where(seen_texts(page), lengths[page.columns["text"]], 0)


def drawn_pages(corpora: Corpora) -> Iterator[DrawnPage]:
    """The pages of the corpus in its order; each is rendered once and then kept."""
    folder = corpora.folder_of(CORPUS)
    for row, page in corpora.pages(folder, rows(folder), change=_renamed):
        name = str(Path(row["file"]).parent)
        site = registered_domain(PageAddress(row.get("url")).host) or name
        yield DrawnPage(name, site, _without_labels(page), tuple(_blocks(page)))


def _renamed(data: bytes) -> bytes:
    def rename(label: re.Match[bytes]) -> bytes:
        name = _TYPE if label[1] else _LEVEL
        return f' {name}="{_MARK}{label[2].decode()}"'.encode()

    return _LABEL.sub(rename, data)


def _blocks(page: Page) -> Iterator[DrawnBlock]:
    nodes, levels = with_attribute(page, _LEVEL)
    for node, level in zip(nodes.tolist(), levels, strict=True):
        if level.startswith(_MARK):
            type_ = (page.attribute(node, _TYPE) or "").removeprefix(_MARK)
            yield DrawnBlock(node, int(level.removeprefix(_MARK)), type_)


def _without_labels(page: Page) -> Page:
    """The page as it would be if nobody had labelled it."""
    marked = [index for index, string in enumerate(page.strings) if string.startswith(_MARK)]
    kept = ~np.isin(page.columns["attr_value"], marked)
    columns = {
        **page.columns,
        "attr_first": before(kept)[page.columns["attr_first"]],
        "attr_name": page.columns["attr_name"][kept],
        "attr_value": page.columns["attr_value"][kept],
    }
    return Page(columns, page.strings, page.info)
