"""Head: what a document states about itself."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any
from urllib.parse import urljoin, urlsplit

import numpy as np

from pagesight.page.columns import PageTable, among
from pagesight.page.style import NodeKind

LINKED_DATA = "application/ld+json"
_PLAIN = re.compile(
    r"(?:https?://[a-z0-9.-]+)?(?:/(?![./])[\w.%+~=,@-]*)+(?:\?[\w.%+~=&,@/-]+)?", re.ASCII
)
"""An address with a host or from the root of one, in which there is nothing to resolve."""


@dataclass(frozen=True, slots=True)
class Head:
    """The metadata of a document, in document order."""

    title: str | None
    language: str | None
    canonical: str | None
    base: str  # what relative addresses are relative to
    meta: tuple[tuple[str, str], ...]  # (name, property, itemprop or http-equiv; content)
    linked_data: tuple[Any, ...]  # parsed JSON-LD, without blocks that are not JSON

    @classmethod
    def of(cls, table: PageTable) -> Head:
        """Collect the metadata of a page."""
        base = base_of(table)
        languages = (table.attribute(node, "lang") for node in _elements(table, "html"))
        return cls(
            title=_title(table),
            language=next(filter(None, languages), None),
            canonical=_canonical(table, base),
            base=base,
            meta=tuple(_meta(table)),
            linked_data=tuple(_linked_data(table)),
        )

    def get(self, *names: str) -> str | None:
        """The content of the first meta tag of one of these names, in the order of the names."""
        for wanted in names:
            for name, content in self.meta:
                if name == wanted.lower() and content:
                    return content
        return None


def join(base: str, address: str) -> str | None:
    """An address relative to another one; None if it cannot be parsed, e.g. "http://["."""
    address = address.strip()
    if _PLAIN.fullmatch(address) and (origin := _origin(base)) is not None:
        if address[0] == "h":
            return address  # as below, but quicker
        if origin:
            return origin + address
    try:
        return urljoin(base, address)
    except ValueError:
        return None


@lru_cache(16)
def _origin(base: str) -> str | None:
    """The scheme and host of an address; empty if it is not on the web, None if it is none."""
    try:
        parts = urlsplit(base)
    except ValueError:
        return None
    is_web = parts.scheme in ("http", "https") and parts.netloc
    return f"{parts.scheme}://{parts.netloc}" if is_web else ""


def _elements(table: PageTable, tag: str) -> list[int]:
    """The elements of a name in the document itself, not in its frames."""
    frames = np.flatnonzero(among(table.columns["kind"][1:], (NodeKind.DOCUMENT,))) + 1
    elements = table.elements(tag)
    if not len(frames):
        return elements
    inside = [(frame, int(table.end[frame])) for frame in frames.tolist()]
    return [node for node in elements if not any(first < node < end for first, end in inside)]


def _texts(table: PageTable, node: int) -> str:
    """The texts right below an element, as in the document."""
    parents = table.columns["parent"][node : table.end[node]]
    return "".join(
        table.own_text(node + child) for child in np.flatnonzero(parents == node).tolist()
    )


def base_of(table: PageTable) -> str:
    """What relative addresses are relative to."""
    address = table.url or ""
    for node in _elements(table, "base"):
        if href := table.attribute(node, "href"):
            return join(address, href) or address
    return address


def _title(table: PageTable) -> str | None:
    for node in _elements(table, "title"):
        if not table.is_foreign(node):
            return " ".join(_texts(table, node).split())
    return None


def _canonical(table: PageTable, base: str) -> str | None:
    for node in _elements(table, "link"):
        attributes = table.attributes(node)
        if "canonical" in attributes.get("rel", "").lower().split() and attributes.get("href"):
            return join(base, attributes["href"])
    return None


def _meta(table: PageTable) -> Iterator[tuple[str, str]]:
    for node in _elements(table, "meta"):
        attributes = table.attributes(node)
        keys = ("name", "property", "itemprop", "http-equiv")
        if name := next((attributes[key] for key in keys if attributes.get(key)), None):
            yield name.strip().lower(), attributes.get("content", "").strip()


def _linked_data(table: PageTable) -> Iterator[Any]:
    for node in _elements(table, "script"):
        if (table.attribute(node, "type") or "").strip().lower() == LINKED_DATA:
            try:
                yield json.loads(_texts(table, node), strict=False)
            except (ValueError, RecursionError):
                continue
