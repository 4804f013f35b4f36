"""Front pages made of blocks of words."""

from __future__ import annotations

from collections.abc import Sequence

from pagesight.page import Page
from small_pages import El, el, make_page


def block(*words: str, pictures: Sequence[str] = (), tag: str = "div") -> El:
    """A block that shows these words and pictures, all of the latter by their addresses."""
    shown = [el("img", attributes={"src": source}) for source in pictures]
    return el(tag, el("p", " ".join(words)), *shown)


def portal(*parts: El) -> Page:
    """A page of these parts."""
    return make_page(el("body", *parts))


def texts(page: Page, nodes: tuple[int, ...] | None) -> str | None:
    """What is read in some nodes."""
    return None if nodes is None else page.text_of(nodes)
