"""Pages that somebody has marked, to teach attributes of their own.

A line names a page, and the XPaths of its records and of what they have, as browsers and Pagesight
write them: ``{"file": "jobs.html", "records": [{"xpath": …, "title": …, "place": …}]}``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import numpy as np

from pagesight.errors import CorpusNotFound
from pagesight.learning.corpora import Corpora, Row, rows
from pagesight.page import NodeKind, Page
from pagesight.readers.records.learning.corpus import MarkedRecord, MarkedValue
from pagesight.readers.records.learning.examples import RecordsPage
from pagesight.readers.records.reading import Kind

MARKED = "marked"
_FIRST = re.compile(r"\[1\]")


def labelled_pages(corpora: Corpora, path: Path) -> list[RecordsPage]:
    """The pages of a file of labels."""
    listed = rows(path.parent, path.name)
    for number, row in enumerate(listed, 1):
        if not isinstance(row.get("file"), str) or not isinstance(row.get("records"), list):
            raise CorpusNotFound(f"line {number} of {path} has no file or no records")
    return [_page(path, row, page) for row, page in corpora.pages(path.parent, listed)]


def _page(path: Path, row: Row, page: Page) -> RecordsPage:
    nodes = _by_xpath(page)
    marked = [_record(path, row["file"], page, nodes, record) for record in row["records"]]
    return RecordsPage(row["file"], row["file"], MARKED, "train", Kind.LIST, page, tuple(marked))


def _by_xpath(page: Page) -> dict[str, int]:
    elements = np.flatnonzero(page.columns["kind"] == NodeKind.ELEMENT).tolist()
    return {_FIRST.sub("", page.addresses.xpath(node)): node for node in elements}


def _record(
    path: Path, file: str, page: Page, nodes: Mapping[str, int], marked: Row
) -> MarkedRecord:
    found: dict[str, int] = {}
    for name, xpath in marked.items():
        node = nodes.get(_FIRST.sub("", str(xpath)))
        if xpath and node is None:
            raise CorpusNotFound(f"{path}: {file} has no element {xpath}")
        if node is not None:
            found[name] = node
    if "xpath" not in found:
        raise CorpusNotFound(f"{path}: a record of {file} has no xpath")
    record = found.pop("xpath")
    values = {name: MarkedValue(node, page.text(node)) for name, node in found.items()}
    return MarkedRecord(record, values, {})
