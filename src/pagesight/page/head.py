"""Head: what a document says about itself."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any
from urllib.parse import urljoin

import numpy as np

from pagesight.page.style import NodeKind

if TYPE_CHECKING:
    from pagesight.page.node import Node
    from pagesight.page.page import Page

LINKED_DATA = "application/ld+json"


@dataclass(frozen=True, slots=True)
class Head:
    """The metadata of a document, in the order in which it stands there."""

    title: str | None
    language: str | None
    canonical: str | None
    base: str  # what relative addresses are relative to
    meta: tuple[tuple[str, str], ...]  # (name, property, itemprop or http-equiv; content)
    linked_data: tuple[Any, ...]  # parsed JSON-LD; blocks that are no JSON are left out

    @classmethod
    def of(cls, page: Page) -> Head:
        """Collect the metadata of a page."""
        base = _base(page)
        return cls(
            title=_title(page),
            language=next(
                (lang for node in _find(page, "html") if (lang := node.attributes.get("lang"))),
                None,
            ),
            canonical=_canonical(page, base),
            base=base,
            meta=tuple(_meta(page)),
            linked_data=tuple(_linked_data(page)),
        )

    def get(self, *names: str) -> str | None:
        """The content of the first meta tag of one of these names, in the order of the names."""
        for wanted in names:
            for name, content in self.meta:
                if name == wanted.lower() and content:
                    return content
        return None

    def get_all(self, name: str) -> list[str]:
        """The contents of all meta tags of a name."""
        return [content for key, content in self.meta if key == name.lower()]


def _find(page: Page, tag: str) -> list[Node]:
    """The elements of a name that are the document's own, not a frame's."""
    frames = [node for node in np.flatnonzero(page.columns["kind"] == NodeKind.DOCUMENT) if node]
    return [
        node
        for node in page.find(tag)
        if not any(frame < node.id < page.end[frame] for frame in frames)
    ]


def _base(page: Page) -> str:
    own = page.url or ""
    for node in _find(page, "base"):
        if href := node.attributes.get("href"):
            try:
                return urljoin(own, href.strip())
            except ValueError:
                return own
    return own


def _title(page: Page) -> str | None:
    for node in _find(page, "title"):
        if not page.is_foreign(node.id):
            return " ".join("".join(child.own_text for child in node.children).split())
    return None


def _canonical(page: Page, base: str) -> str | None:
    for node in _find(page, "link"):
        attributes = node.attributes
        if "canonical" in attributes.get("rel", "").lower().split() and attributes.get("href"):
            try:
                return urljoin(base, attributes["href"].strip())
            except ValueError:
                return None
    return None


def _meta(page: Page) -> list[tuple[str, str]]:
    found = []
    for node in _find(page, "meta"):
        attributes = node.attributes
        for key in ("name", "property", "itemprop", "http-equiv"):
            if name := attributes.get(key):
                found.append((name.strip().lower(), attributes.get("content", "").strip()))
                break
    return found


def _linked_data(page: Page) -> list[Any]:
    found = []
    for node in _find(page, "script"):
        if node.attributes.get("type", "").strip().lower() == LINKED_DATA:
            text = "".join(child.own_text for child in node.children)
            try:
                found.append(json.loads(text, strict=False))
            except (ValueError, RecursionError):
                continue
    return found
