"""Lists written by chance, to learn attributes from, and texts: the corpus has few shops.

Every page has one layout for all its cards, drawn anew: what they show, in which order and look.
A name comes before what describes it, and looks no less important; the rest is chance. The parts
are marked as shops mark them (`itemprop`), which no feature looks at.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import TypeVar

from pagesight.learning.corpora import rendered
from pagesight.page import Page
from pagesight.readers.records.learning.vocabulary import PICTURE, SYLLABLES, THINGS, WORDS
from pagesight.readers.records.learning.written_lists import Columns, Sections, TwoRows
from pagesight.readers.records.learning.written_products import PER, Product, WrittenProduct
from pagesight.sources import Request

T = TypeVar("T")
PAGES = 90
TEXTS, TABLES, PRODUCTS = 40, 20, 240
SECTIONS, TWO_ROWS, COLUMNS = 12, 24, 16
CARDS = (6, 14)  # of a page
_FOR = ("Women's", "Men's", "Kids'", "Outdoor", "Indoor", "White", "Black", "Large", "Small")
_BADGES = ("New", "Sale", "Bestseller", "Early access", "Exclusive", "Limited offer", "-20%")
_NOTES = (
    "Free shipping", "In stock", "Ships in 2 days", "Only a few left", "Available in stores",
    "Free returns", "Sold out", "Pick up today", "30 days money back", "See other offers",
)  # fmt: skip
_DEALS = ("{} off", "Save {}", "+ {} shipping", "{} discount", "{} a month", "{} back")
_BUTTONS = ("Add to cart", "Buy now", "Compare", "More", "Details", "Quick view", "Wish list")
_RATINGS = ("4.5 (12)", "31 reviews", "4.0", "(8)", "5 stars", "No reviews yet")
_KEYS = ("Material", "Colour", "Weight", "Brand", "Origin", "Width", "Type", "Model", "Height")
_CURRENCIES = ("${}", "{} €", "£{}", "US ${}", "{} kr", "EUR {}")
_LABELS = (
    ("{}", "<s>{}</s>"), ("{}", "<s>{}</s>"), ("Now {}", "Was {}"), ("{}", "RRP {}"),
    ("Sale {}", "<s>{}</s>"), ("{}", "statt {}"),
)  # fmt: skip
"""How a price is written, and the one before."""

_CLASSES = {
    "name": ("name", "title", "product-name", "item-title", "headline"),
    "description": ("desc", "subtitle", "description", "info", "teaser", "blurb"),
    "brand": ("brand", "author", "by", "vendor", "maker"),
    "price": ("price", "cost", "amount", "price-now"),
    "old": ("old", "was", "list-price", "strike"),
    "rating": ("rating", "stars", "reviews"),
    "note": ("note", "ship", "stock", "meta", "hint"),
    "badge": ("badge", "flag", "label", "tag"),
    "count": ("count", "variants", "more"),
    "button": ("btn", "button", "action"),
    "deal": ("deal", "promo", "saving", "extra"),
    "code": ("sku", "model", "date", "type"),
    "list": ("features", "details", "props"),
}
BRAND = "brand"  # not a description, but a defensible answer


class Shop:
    """Writes one page; what is drawn when it is made holds for all its cards."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - the same pages every time
        naming = self.pick(["telling", "telling", "short", "none"])
        self.classes = {
            part: {"telling": self.pick(names), "short": f"c-{len(part)}{part[1]}", "none": ""}[
                naming
            ]
            for part, names in _CLASSES.items()
        }
        self.name_kind = self.pick(["series", "series", "short", "short", "long"])
        self.described = self.pick([0.0, 0.0, 0.6, 1.0, 1.0])  # the share of cards
        self.description_kind = self.pick(["category", "category", "phrase", "blurb"])
        self.categories = [self._category() for _ in range(self.chance.randint(2, 12))]
        self.deal = self.pick(_DEALS)
        self.code_kind = self.pick(["code", "date", "kind"])
        self.money = self.pick(_CURRENCIES)
        self.called = self.pick(["", "name", "name", "all"])  # what pictures say
        self.linked = self.pick([("card",), ("name",), ("name",), ("name", "description"), ()])
        self.tags = {part: self.pick(["div", "div", "p", "span"]) for part in _CLASSES}
        self.tags |= {"name": self.pick(["h2", "h3", "h4", "div", "p", "span", "strong"])}
        self.tags |= {"button": self.pick(["button", "a", "div"]), "list": "ul"}
        self.looks = self._looks()
        self.parts = self._parts()
        self.wrapped = self.often(0.4)  # name and description are in an element of their own
        self.badges, self.notes = (
            self.chance.sample(words, self.chance.randint(1, 4)) for words in (_BADGES, _NOTES)
        )
        self.with_badge = self.pick([0.1, 0.2, 0.4, 0.6])  # the share of cards
        self.button = self.pick(_BUTTONS)
        self.per = self.pick(PER) if self.often(0.35) else ""
        self.per_first = self.often(0.3)  # what a unit costs is above the price
        self.now, self.before = self.pick(_LABELS)
        self.flat = self.often(0.12)  # a card is one text, broken into lines
        if self.flat:
            self.wrapped = False
            self.tags = dict.fromkeys(self.tags, "font") | {"list": "ul"}

    def pick(self, options: Sequence[T]) -> T:
        return self.chance.choice(options)

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def page(self) -> str:
        """The HTML of the page."""
        outer, inner = self.pick([("ul", "li"), ("div", "div"), ("div", "article"), ("ol", "li")])
        cards = "".join(
            f'<{inner} class="card" itemscope itemtype="http://schema.org/Product">'
            f"{self._card(number)}</{inner}>"
            for number in range(self.chance.randint(*CARDS))
        )
        links = "".join(f'<a href="#{at}">{self._words(1, 2)}</a> ' for at in range(6))
        return (
            "<!doctype html><html lang=en><head><meta charset=utf-8>"
            f"<title>{self._words(1, 3)}</title><style>{self._stylesheet()}</style></head>"
            f"<body><nav>{links}</nav>"
            f"<h1>{self._words(1, 3).title()}</h1><{outer} class=list>{cards}</{outer}>"
            f"<footer>{links}</footer></body></html>"
        )

    def _parts(self) -> list[str]:
        """What is in a card, from top to bottom."""
        head = ["name", "description"]
        if self.often(0.35):
            head.insert(self.pick([0, 2]), "brand")
        others = ("rating", "note", "button", "code", "deal")
        tail = ["price", *(part for part in others if self.often(0.45))]
        if self.often(0.5):
            self.chance.shuffle(tail)
        for part in ("badge", "count"):
            if self.often(0.35):
                (head if self.often(0.5) else tail).insert(0, part)
        if not self.described and self.often(0.4):
            tail.insert(self.chance.randint(0, len(tail)), "list")
        if self.often(0.15):
            tail.remove("price")
            head.insert(0, "price")
        return head + tail

    def _looks(self) -> dict[str, str]:
        """The style of each part: that of the name is the weightiest, or the same as others."""
        size = self.pick([12, 13, 14, 15, 16])
        looks = {}
        for part in _CLASSES:
            color = self.pick(["#222", "#222", "#555", "#777", "#999"])
            smaller = self.pick([0, 0, 1, 2])
            looks[part] = f"font-size: {size - smaller}px; color: {color}"
        grows, weight = self.pick([0, 0, 2, 4]), self.pick(["normal", "bold", "bold"])
        looks["name"] = f"font-size: {size + grows}px; font-weight: {weight}; color: #111"
        for part in ("price", "badge", "count", "brand"):
            bold = self.pick(["normal", "normal", "bold"])
            looks[part] += f"; font-weight: {bold}"
        return looks

    def _stylesheet(self) -> str:
        beside = self.often(0.4)
        width = self.pick([180, 220, 260])
        card = "clear: both" if beside else f"display: inline-block; width: {width}px"
        aligned = self.pick(["left", "left", "center"])
        return (
            f"body {{ font: 14px sans-serif }} .list {{ list-style: none; padding: 0 }}"
            f".card {{ {card}; vertical-align: top; margin: 8px; text-align: {aligned} }}"
            f".pic {{ {'float: left; margin-right: 12px' if beside else ''} }}"
            f".card p, .card h2, .card h3, .card h4 {{ margin: {self.pick([0, 2, 6])}px 0 }}"
            f".card span, .card strong {{ display: block }}"
            f".card a {{ color: inherit; text-decoration: none }} ul {{ padding: 0 }}"
        )

    def _card(self, number: int) -> str:
        name = self._name()
        description = self._description() if self.often(self.described) else ""
        href = f"/p/{number}"
        written = {part: self._part(part, name, description, href) for part in self.parts}
        if self.wrapped:
            written["name"] = f"<div>{written['name']}{written.pop('description')}</div>"
        called = {"": "", "name": name, "all": f"{name} {description}".strip()}[self.called]
        picture = f'<img itemprop=image src="{PICTURE}" alt="{called}" width=120 height=90>'
        if self.linked != ("card",):
            picture = f'<a href="{href}">{picture}</a>'
        lines = filter(None, written.values())
        card = f"<div class=pic>{picture}</div><div>{('<br>' * self.flat).join(lines)}</div>"
        return f'<a href="{href}">{card}</a>' if self.linked == ("card",) else card

    def _part(self, part: str, name: str, description: str, href: str) -> str:
        """A part of a card as HTML; empty where the card does not have it."""
        if part == "price":
            return self._prices()
        text = {
            "name": name, "description": description, "brand": self._made_up(),
            "rating": self.pick(_RATINGS), "note": self.pick(self.notes),
            "badge": self.pick(self.badges) if self.often(self.with_badge) else "",
            "button": self.button, "code": self._code(), "deal": self._deal(),
            "count": f"{self.chance.randint(1, 6)} colours", "list": self._features(),
        }[part]  # fmt: skip
        marks = {"name": part, "description": part, "list": "description", "brand": BRAND}
        inner = f'<a href="{href}">{text}</a>' if part in self.linked else text
        return self._element(part, inner, marks.get(part, "")) if text else ""

    def _element(self, part: str, inner: str, mark: str = "") -> str:
        tag, token = self.tags[part], self.classes[part]
        named = f' class="{token}"' if token else ""
        marked = f" itemprop={mark}" if mark else ""
        return f'<{tag}{named}{marked} style="{self.looks[part]}">{inner}</{tag}>'

    def _prices(self) -> str:
        amount = self.chance.randint(2, 900) + self.pick([0.0, 0.99, 0.5])
        old = self.often(0.3)
        now = self.money.format(f"{amount:.2f}")
        lines = [self._element("price", self.now.format(now) if old else now, "price")]
        if old:
            before = self.before.format(self.money.format(f"{amount * 1.3:.2f}"))
            lines.insert(0, self._element("old", before))
        if self.per and self.often(0.8):
            per = f"{self.money.format(f'{amount * self.chance.choice([2, 5, 10]):.2f}')}{self.per}"
            lines.insert(0 if self.per_first else len(lines), self._element("note", per))
        return ("<br>" * self.flat).join(lines)

    def _features(self) -> str:
        keys = self.chance.sample(_KEYS, 4)
        return "".join(f"<li>{key}: {self._words(1, 3)}</li>" for key in keys)

    def _words(self, few: int, many: int) -> str:
        return " ".join(self.chance.choices(WORDS, k=self.chance.randint(few, many)))

    def _made_up(self) -> str:
        return "".join(self.chance.choices(SYLLABLES, k=self.chance.randint(2, 3))).title()

    def _name(self) -> str:
        if self.name_kind == "series":
            name = self._made_up()
            return name.upper() if len(self.money) % 2 else f"{name} {self.pick(WORDS).title()}"
        few, many = (2, 4) if self.name_kind == "short" else (7, 15)
        return f"{self._words(few, many).title()} {self.pick(THINGS).title()}"

    def _category(self) -> str:
        return f"{self.pick(_FOR)} {self.pick(WORDS)} {self.pick(THINGS)}"

    def _deal(self) -> str:
        return self.deal.format(self.money.format(self.chance.randint(1, 60)))

    def _code(self) -> str:
        number = self.chance.randint(1, 28)
        if self.code_kind == "date":
            return f"{self.pick(['Mar', 'Jul', 'Dec'])} {number}, {self.chance.randint(2009, 2024)}"
        if self.code_kind == "kind":
            return self.pick(["Paperback", "Hardcover", "Audio CD", "Digital", "Windows"])
        return f"{self.pick(['Model', 'SKU', 'No.'])}: {self._made_up()[:3].upper()}{number * 97}"

    def _description(self) -> str:
        if self.description_kind == "category":
            return self.pick(self.categories)
        few, many = (2, 7) if self.description_kind == "phrase" else (9, 22)
        end = "." if self.description_kind == "blurb" else ""
        return f"{self._words(few, many).capitalize()}{end}"


class Text:
    """Writes one page that is only a text: short or long paragraphs, with or without style."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - the same pages every time

    def page(self) -> str:
        """The HTML of the page."""
        pick, whole = self.chance.choice, self.chance.randint
        style = pick(["", "", "body { font: 15px/1.5 serif; max-width: 700px; margin: 20px auto }"])
        longest = pick([15, 25, 60, 120])
        parts = [f"<p>{self._words(6, longest)}.</p>" for _ in range(whole(4, 16))]
        if pick([True, False]):
            for at in sorted(self.chance.sample(range(len(parts)), 2), reverse=True):
                parts.insert(at, f"<h2>{self._words(1, 4)}</h2>")
        if pick([True, False, False]):
            items = "".join(f"<li>{self._words(2, 9)}</li>" for _ in range(whole(3, 7)))
            parts.insert(whole(1, len(parts)), f"<ul>{items}</ul>")
        related = self._related(whole(4, 8)) if pick([True, False, False]) else ""
        links = "".join(f'<a href="/{at}">{self._words(1, 1)}</a> ' for at in range(whole(0, 7)))
        around = pick(["article", "main", "div"])
        return (
            "<!doctype html><html lang=en><head><meta charset=utf-8>"
            f"<title>{self._words(1, 4)}</title><style>{style}</style></head><body>"
            f"<nav>{links}</nav><{around}><h1>{self._words(1, 5)}</h1>{''.join(parts)}</{around}>"
            f"{related}<footer>{links}</footer></body></html>"
        )

    def _related(self, count: int) -> str:
        """Links to other pages, with pictures."""
        picture = f'<img src="{PICTURE}" alt="" width=90 height=60>'
        links = (f'<a href="/{at}">{self._words(1, 6)}</a>' for at in range(count))
        return f"<ul>{''.join(f'<li>{picture}{link}</li>' for link in links)}</ul>"

    def _words(self, few: int, many: int) -> str:
        words = self.chance.choices(WORDS, k=self.chance.randint(few, many))
        return " ".join(words).capitalize()


class Table(Text):
    """Writes one page that is a table of things, with or without prices and headers."""

    def page(self) -> str:
        """The HTML of the page."""
        pick, whole = self.chance.choice, self.chance.randint
        style = pick(["", "", "body { font: 14px sans-serif } td, th { padding: 4px 12px }"])
        columns = [pick(["words", "number", "date"]) for _ in range(whole(1, 3))]
        columns += ["price"] * pick([0, 1, 1])
        cells = "".join(f"<th>{self._words(1, 1)}</th>" for _ in range(len(columns) + 1))
        head = f"<tr>{cells}</tr>" if pick([True, False]) else ""
        rows = "".join(self._row(at, columns) for at in range(whole(6, 30)))
        links = "".join(f'<a href="/{at}">{self._words(1, 1)}</a> ' for at in range(whole(0, 7)))
        return (
            "<!doctype html><html lang=en><head><meta charset=utf-8>"
            f"<title>{self._words(1, 4)}</title><style>{style}</style></head><body>"
            f"<nav>{links}</nav><h1>{self._words(1, 5)}</h1>"
            f"<table>{head}{rows}</table></body></html>"
        )

    def _row(self, at: int, columns: Sequence[str]) -> str:
        number = self.chance.randint(1, 900)
        cells = {
            "words": self._words(1, 4), "number": f"{number} kg",
            "date": f"{at % 28 + 1}.3.{1990 + at}", "price": f"${number}.50",
        }  # fmt: skip
        name = f'<a href="/p/{at}">{self._words(2, 4)}</a>'
        return f"<tr><td>{name}</td>{''.join(f'<td>{cells[kind]}</td>' for kind in columns)}</tr>"


def written_pages() -> Iterator[tuple[str, Page]]:
    """Name and Page of each list."""
    return _rendered("list", [Shop(seed).page() for seed in range(PAGES)])


def written_texts() -> Iterator[tuple[str, Page]]:
    """Name and Page of each text."""
    return _rendered("text", [Text(seed).page() for seed in range(TEXTS)])


def written_tables() -> Iterator[tuple[str, Page]]:
    """Name and Page of each table."""
    return _rendered("table", [Table(seed).page() for seed in range(TABLES)])


def written_lists() -> Iterator[tuple[str, Page]]:
    """Name and Page of each list that the corpus lacks."""
    yield from _rendered("sections", [Sections(seed).page() for seed in range(SECTIONS)])
    yield from _rendered("rows", [TwoRows(seed).page() for seed in range(TWO_ROWS)])
    yield from _rendered("columns", [Columns(seed).page() for seed in range(COLUMNS)])


def written_products() -> Iterator[tuple[str, Page, WrittenProduct]]:
    """Name and Page of each product, and what is true of it."""
    products = [Product(seed).page() for seed in range(PRODUCTS)]
    pages = _rendered("product", [product.html for product in products])
    for (name, page), product in zip(pages, products, strict=True):
        yield name, page, product


def _rendered(what: str, pages: Sequence[str]) -> Iterator[tuple[str, Page]]:
    requests = [Request(source=page.encode()) for page in pages]
    for number, page in enumerate(rendered(requests)):
        if isinstance(page, Page):
            yield f"written {what} {number}", page
