"""Lists written by chance that the corpus lacks: over two rows, in columns, and few among others.

A search may find three products above many articles; a table may give each record two rows, with or
without a gap between them, while the rows of another are shaded in turn; what a hotel is and what
it costs may be beside each other, with adverts between hotels. Which rows belong to a record, the
pages say in attributes that no feature looks at: `itemscope` is on the first element of a record
and `itemref` on its last one.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

from pagesight.readers.records.learning.vocabulary import PICTURE, WORDS

T = TypeVar("T")
_MADE = ("Made by hand in {}", "Since {}", "Sold in {} shops", "Published {}", "{} pieces left")
_SECTIONS = ("Articles", "Support", "News", "Downloads", "Guides", "Business", "Questions")


class WrittenList:
    """What all these pages have."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - the same pages every time

    def pick(self, options: Sequence[T]) -> T:
        return self.chance.choice(options)

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def page(self) -> str:
        """The HTML of the page."""
        style = self.pick(["", "body { font: 14px sans-serif } td { padding: 4px 12px }"])
        return (
            f"<!doctype html><html><head><meta charset=utf-8><title>{self.words(1, 3)}</title>"
            f"<style>{style}{self.style()}</style></head><body><nav>{self.links()}</nav>"
            f"<h1>{self.words(1, 4)}</h1>{self.body()}<footer>{self.links()}</footer></body></html>"
        )

    def style(self) -> str:
        """What the page adds to the style of all."""
        return ""

    def body(self) -> str:
        """What is between head and foot."""
        raise NotImplementedError

    def links(self) -> str:
        """A line of links."""
        count = self.chance.randint(3, 8)
        return " ".join(f"<a href=/c/{at}>{self.words(1, 2)}</a>" for at in range(count))

    def words(self, few: int, many: int) -> str:
        """Some words."""
        words = self.chance.choices(WORDS, k=self.chance.randint(few, many))
        return " ".join(words).capitalize()

    def price(self) -> str:
        return f"${self.chance.randint(2, 400)}.{self.pick(['00', '50', '95', '99'])}"


class TwoRows(WrittenList):
    """A table whose records have two rows each, or one row shaded in turn."""

    def body(self) -> str:
        """The table."""
        self.named = self.often(0.5)  # whether rows have classes
        self.single = self.often(0.4)
        self.shaded = self.single and self.often(0.6)
        self.cells = [self.pick(["words", "number", "price", "made"]) for _ in range(3)]
        gap = self.pick(["", "", "<tr class=gap></tr>", "<tr><td colspan=2>&nbsp;</td></tr>"])
        records = (self._record(at) for at in range(self.chance.randint(5, 16)))
        return f"<table>{('' if self.single else gap).join(records)}</table>"

    def _record(self, at: int) -> str:
        link = f"<td><a href=/p/{at}>{self.words(1, 4)}</a></td>"
        if self.single:
            token = f" class={('odd', 'even')[at % 2]}" if self.shaded else ""
            return f"<tr{token} itemscope>{link}{self._cells(self.cells)}</tr>"
        top, low = (" class=top", " class=low") if self.named else ("", "")
        bold = f"<td><b>{self.price()}</b></td>"
        below = self.pick(self.cells[:1] * 3 + ["made"])
        wide = "<td colspan=2>" if len(self.cells[0]) % 2 else "<td>"
        text = f"{wide}{self._text(below)}</td>"
        return (
            f"<tr{top} itemscope>{link}{self._cells(self.cells[1:2])}</tr>"
            f"<tr{low} itemref>{text}{bold}</tr>"
        )

    def _cells(self, kinds: Sequence[str]) -> str:
        return "".join(f"<td>{self._text(kind)}</td>" for kind in kinds)

    def _text(self, kind: str) -> str:
        number = self.chance.randint(2, 900)
        return {
            "words": self.words(1, 4), "number": f"{number} kg", "price": self.price(),
            "made": self.pick(_MADE).format(number + 1100),
        }[kind]  # fmt: skip


class Sections(WrittenList):
    """What a search has found: a few products, and other things that are longer."""

    def style(self) -> str:
        """Cards beside each other, or below."""
        beside = self.pick(["display: inline-block; width: 240px; vertical-align: top", ""])
        return f".card {{ {beside} }} ul {{ list-style: none; padding: 0 }}"

    def body(self) -> str:
        """The sections; products come first, as they do where they are sold."""
        self.card = self.pick(["card", "result product", "item"])
        self.other = self.pick(["entry", "result article", "item"])
        self.priced = self.often(0.3)
        products = "".join(self._product(at) for at in range(self.chance.randint(3, 7)))
        names = self.chance.sample(_SECTIONS, self.chance.randint(1, 3))
        others = "".join(self._section(name, self._articles()) for name in names)
        return self._section("Products", products) + others

    def _section(self, name: str, items: str) -> str:
        head = f"<h2>{name}</h2><p>{self.chance.randint(3, 150)} results</p>"
        return f"<div class=group><div class=head>{head}</div><ul>{items}</ul></div>"

    def _product(self, at: int) -> str:
        token = " ".join(("card", self.card))
        price = f"<p>{self.price()}</p>" if self.priced else ""
        picture = f"<a href=/p/{at}><img src={PICTURE} width=160 height=120 alt=''></a>"
        name = f"<h3><a href=/p/{at}>{self.words(1, 5)}</a></h3>"
        shown = f"{picture}{name}{price}<a href=/b>Where to buy</a>"
        return f'<li class="{token}" itemscope>{shown}</li>'

    def _articles(self) -> str:
        return "".join(
            f'<li class="{self.other}"><h3><a href=/a/{at}>{self.words(3, 9)}</a></h3>'
            f"<p>{self.words(12, 45)}.</p></li>"
            for at in range(self.chance.randint(2, 6))
        )


class Columns(WrittenList):
    """Results with what they are and what they cost beside each other, and adverts among them."""

    def style(self) -> str:
        """Columns in each card."""
        inside = self.pick(["display: flex", "overflow: auto"])
        return (
            f".row {{ {inside}; border: 1px solid #ccc; margin: 10px 0 }} .pic {{ float: left }}"
            f".what {{ width: {self.pick([300, 420])}px; float: left }} .cost {{ float: left }}"
            ".filters { float: left; width: 200px } .all { margin-left: 230px }"
        )

    def body(self) -> str:
        """Filters to the left, the results beside them."""
        self.told = self.pick(["row", "row", "row r7f2"])
        self.tag = self.pick(["div", "div", "li", "article"])
        self.what = self.chance.sample(("place", "room", "left", "text"), self.pick([1, 2, 3]))
        self.cost = self.chance.sample(("score", "nights", "tax", "old"), self.pick([1, 2, 3]))
        cards = [self._card(at) for at in range(self.chance.randint(5, 14))]
        for _ in range(self.pick([0, 1, 1, 2])):
            cards.insert(self.chance.randint(1, len(cards) - 1), self._advert())
        filters = "".join(f"<label>{self.words(1, 3)} {at * 7}</label><br>" for at in range(6))
        side = f"<div class=filters><h2>{self.words(1, 2)}</h2>{filters}</div>"
        return f"{side * self.often(0.6)}<div class=all>{''.join(cards)}</div>"

    def _card(self, at: int) -> str:
        picture = f"<a href=/p/{at}><img src={PICTURE} width=150 height=150 alt=''></a>"
        name = f"<h3><a href=/p/{at}>{self.words(1, 4)}</a></h3>"
        what = "".join(f"<div class={part}>{self._said(part)}</div>" for part in self.what)
        cost = "".join(f"<div class={part}>{self._said(part)}</div>" for part in self.cost)
        price = f"<div class=price><b>{self.price()}</b></div><a class=go href=/p/{at}>See more</a>"
        columns = (
            f"<div class=pic>{picture}</div><div class=what>{name}{what}</div>"
            f"<div class=cost>{cost}{price}</div>"
        )
        return f'<{self.tag} class="{self.told}" itemscope>{columns}</{self.tag}>'

    def _said(self, part: str) -> str:
        number = self.chance.randint(1, 400)
        return {
            "place": f"{self.words(1, 2)}, {number / 100} km from centre",
            "room": f"{self.words(2, 6)} · <span>{self.words(1, 3)}</span>",
            "left": f"Only {number % 9} left", "text": f"{self.words(8, 30)}.",
            "score": f"<b>{number % 50 / 10 + 5}</b> Very good · {number} reviews",
            "nights": "2 nights, 2 adults", "tax": f"+${number % 30} taxes", "old": self.price(),
        }[part]  # fmt: skip

    def _advert(self) -> str:
        inner = f"<h3>{self.words(2, 5)}</h3><p>{self.words(5, 14)}.</p><a href=/in>Sign in</a>"
        return f"<{self.tag} class=promo>{inner}</{self.tag}>"
