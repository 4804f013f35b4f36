"""Pages of single products written by chance: the corpus has few shops, most without their styles.

Every page says what its product costs, among prices that are not meant: those before, savings, what
is shipped or paid by the month, the cart at the top, and other products. How prices are called is
known in several languages; where they are, and in which look, is chance.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple, TypeVar

from pagesight.readers.records.learning.vocabulary import PICTURE, SYLLABLES, THINGS, WORDS

T = TypeVar("T")


class Language(NamedTuple):
    """How the prices of a shop are called in one language."""

    now: tuple[str, ...]
    old: tuple[str, ...]
    saving: tuple[str, ...]
    beside: tuple[str, ...]
    """What is paid for something else, or only if something else is bought."""

    part: tuple[str, ...]
    """Prices of a part: by the month, for one of many."""

    untaxed: tuple[str, ...]

    buy: tuple[str, ...]
    others: tuple[str, ...]
    """What stands above other products."""


_LANGUAGES = (
    Language(
        ("Our price", "Price", "Your price", "Now", "Sale price", "Today", "You pay"),
        ("List price", "Was", "Regular price", "Retail price", "MSRP", "RRP", "Before"),
        ("You save", "Savings", "Discount", "Instant rebate", "You save (12%)"),
        ("Shipping", "Delivery", "3 year warranty", "Gift wrap", "Used from", "Refurbished"),
        ("per month", "Price each for 10", "12 payments of"),
        ("Excl. VAT", "ex. VAT", "without VAT", "excluding tax"),
        ("Add to cart", "Buy now", "Add to basket", "Qty"),
        ("You may also like", "Related products", "Hot deals", "Accessories", "Similar products"),
    ),
    Language(
        ("Preis", "Jetzt", "Unser Preis", "Nur", "Ihr Preis"),
        ("Statt", "UVP", "Bisher", "Listenpreis", "Alter Preis"),
        ("Sie sparen", "Ersparnis", "Rabatt"),
        ("Versand", "Lieferung", "Garantieverlängerung", "Gebraucht ab"),
        ("pro Monat", "ab 10 Stück je"),
        ("ohne MwSt.", "exkl. MwSt.", "Netto"),
        ("In den Warenkorb", "Jetzt kaufen", "Menge"),
        ("Das könnte Ihnen gefallen", "Ähnliche Artikel", "Zubehör", "Zuletzt angesehen"),
    ),
    Language(
        ("Prix", "Notre prix", "Prix promo"),
        ("Ancien prix", "Prix conseillé", "Au lieu de"),
        ("Vous économisez", "Remise"),
        ("Livraison", "Garantie 3 ans", "Occasion dès"),
        ("par mois", "dès 10 pièces"),
        ("Prix HT", "hors taxes", "HT"),
        ("Ajouter au panier", "Acheter", "Quantité"),
        ("Produits similaires", "Vous aimerez aussi", "Accessoires"),
    ),
    Language(
        ("Precio", "Prezzo", "Preço", "Ahora"),
        ("Antes", "Precio anterior", "Prezzo di listino", "Prima"),
        ("Ahorras", "Descuento", "Risparmi", "Sconto"),
        ("Envío", "Spedizione", "Garantía"),
        ("al mes", "al mese"),
        ("sin IVA", "IVA esclusa"),
        ("Añadir al carrito", "Comprar", "Acquista", "Carrello"),
        ("Productos relacionados", "Prodotti simili"),
    ),
    Language(
        ("Цена", "Prijs", "Pris", "Cena"),
        ("Старая цена", "Adviesprijs", "Tidigare", "Вместо"),
        ("Скидка", "Korting", "Экономия"),
        ("Доставка", "Verzending", "Frakt", "Dostawa"),
        ("в месяц", "per maand"),
        ("excl. btw", "без НДС", "bez DPH", "brez DDV"),
        ("В корзину", "In winkelwagen", "Köp", "Do koszyka"),
        ("Похожие товары", "Распродажа", "Vergelijkbare producten"),
    ),
)
_MONEY = ("${}", "${}", "{} €", "£{}", "€{}", "CHF {}", "{} kr", "{} грн", "US ${}", "{} zł")
_FOUND = ("Search results for “{}”", "Results for: {}", "1 result for “{}”", "Suche: {}", "{} (1)")
_OFF = ("-{}%", "-{} %", "{}% off", "Save {}%", "{}%")
PER = ("/kg", " / l", "/100 g", " per kg", " pro Liter", " / St.", "/pc")
_TABS = ("Description", "Specifications", "Reviews", "Questions", "Shipping", "Overview")


_PARTS = (
    "Price & shipping information", "Product details", "Free delivery and returns", "Overview",
    "Choose a size", "Lieferung und Zahlung", "Entrega gratuita", "In excellent condition",
    "Hot deals", "Share this product", "Frequently bought together", "Shop by brand",
)  # fmt: skip
"""What parts of a page about the product are called."""

_UNPRICED = (
    "Sold out", "Price on request", "Currently unavailable", "Call for price", "Ausverkauft",
    "Preis auf Anfrage", "Notify me when available", "Épuisé", "Prix sur demande", "Agotado",
    "Нет в наличии", "No longer available", "Out of stock",
)  # fmt: skip
"""What is said in place of a price."""


class WrittenProduct(NamedTuple):
    """A page, and what is true of its product."""

    html: str
    name: str
    price: float | None
    """None where the page does not say what it costs: it is sold out, or has to be asked for."""


class Product:
    """Writes one page."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - the same pages every time
        self.language = self.pick((_LANGUAGES[0], *_LANGUAGES))
        self.money = self.pick(_MONEY)
        self.styled = self.often(0.5)
        self.telling = self.often(0.5)  # whether classes say what is what
        self.shop = self._made_up()
        self.brand = " ".join(self._made_up() for _ in range(self.pick([1, 1, 2, 3])))
        self.amount = self._amount()
        self.old = round(self.amount * (1 + self.pick([0.05, 0.1, 0.25, 0.5, 1.0])), 2)
        self.struck = self.pick(["s", "del", "span", "span"])  # styles may be missing
        self.name = self._name()
        self.priced = self.often(0.92)
        self.shop_heads = self.often(0.12)  # whether the first heading is the shop's
        self.promise = self.pick(_PARTS)  # which may be in the title as well
        self.branded = self.often(0.4)  # whether the brand is above each name
        self.called = self.pick(["", self.name, f"{self.brand} {self.name}"])  # its picture

    def pick(self, options: Sequence[T]) -> T:
        return self.chance.choice(options)

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def page(self) -> WrittenProduct:
        """The page."""
        self.found = self.priced and self.often(0.06)  # it is all that a search has found
        parts = [self._result() if self.found else self._main()]
        for _ in range(self.pick([0, 1, 1, 2]) if self.priced else 1):
            parts.insert(0 if self.often(0.3) else len(parts), self._others())
        if self.often(0.5):
            parts.append(self._tabs())
        html = (
            f"<!doctype html><html><head><meta charset=utf-8><title>{self._title()}</title>"
            f"<style>{self._style() if self.styled else ''}</style>{self._address()}</head><body>"
            f"{self._top()}{''.join(parts)}<footer>{self._links(8)}</footer></body></html>"
        )
        return WrittenProduct(html, self.name, self.amount if self.priced else None)

    def _address(self) -> str:
        """Where the page says that it is, which may be in the words of its name."""
        if self.found:
            return ""
        number = self.chance.randint(100, 99999)
        words = self.name.lower().split()
        said = words[: self.pick([2, 4, 20])] + self.pick([[], [str(number)]])
        slug = self.pick(["-", "-", "_"]).join(said) if self.often(0.75) else f"item/{number}"
        return f"<link rel=canonical href=/p/{slug}>" if self.often(0.7) else ""

    def _style(self) -> str:
        size = self.pick([16, 20, 26])
        floats = self.often(0.6)
        return (
            f"body {{ font: {self.pick([12, 14, 16])}px sans-serif }} h1 {{ font-size: {size}px }}"
            f".a1 {{ font-size: {self.pick([14, 18, 24])}px; font-weight: bold }}"
            f".main {{ width: 500px; {'float: left' if floats else ''} }}"
            ".card { display: inline-block; width: 160px; vertical-align: top; margin: 6px }"
            ".others { clear: both }"
        )

    def _top(self) -> str:
        """The head of the page: links, the cart, and what is promised to all."""
        cart = f"<a href=/cart>{self.chance.randint(0, 2)} items {self._price(0.0)}</a>"
        over = self.money.format(self.pick([29, 50, 100, 250]))
        tag = self.pick(["p", "h2", "div"])
        promise = f"<{tag}>Free shipping on orders over {over}</{tag}>"
        shop = f"<a href=/>{self.shop}</a>"
        if self.shop_heads:
            call = f"<p>{self.chance.randint(200, 999)} / {self.chance.randint(1000, 99999)}</p>"
            shop = f"<h1>{shop}</h1>{call * self.often(0.5)}"
        parts = [shop, self._links(7)]
        parts += [cart] * self.often(0.4) + [promise] * self.often(0.4)
        self.chance.shuffle(parts)
        return f"<header>{' '.join(parts)}</header>"

    def _links(self, count: int) -> str:
        return " ".join(f"<a href=/c/{at}>{self._words(1, 2)}</a>" for at in range(count))

    def _title(self) -> str:
        if self.found:
            return f"{self._words(1, 2)} - {self.shop}"
        name = self.name if self.often(0.7) else self.name[: self.chance.randint(12, 60)]
        site = self.pick([self.shop, f"{self.shop}.com", f"{self._words(1, 2)} | {self.shop}"])
        if self.branded and self.often(0.6):
            name = f"{self.brand} {name}"
        around = self.pick(["{0} - {1}", "{1}: {0}", "{0} | {1}", "{0}", "Buy {0} online at {1}",
                            "{1} - {0}", "{2} {0} - {1}", "{1}",
                            "{2} {0} - {3} | {1}"])  # fmt: skip
        return str(around.format(name, site, self.brand, self.promise))

    def _main(self) -> str:
        """The product: its picture, its name, and what it costs."""
        width = self.pick([200, 300, 400])
        picture = f'<img src={PICTURE} width={width} height=300 alt="{self.called}">'
        text = f"<p>{self._words(12, 60).capitalize()}.</p>"
        buy = self.pick(self.language.buy)
        if not self.priced:
            offer = [f"<p>{self.pick(_UNPRICED)}</p>"]
        elif self.often(0.08):
            tag, sign = self.pick(["button", "a"]), self.pick(["·", "-", "|", "–", ""])
            offer = [f"<{tag}>{buy} {sign} {self._price(self.amount)}</{tag}>"]
        else:
            offer = [self._prices()]
            if self.often(0.8):
                offer.insert(self.pick([0, 1, 1]), f"<button>{buy}</button>")
        if self.priced and self.often(0.3):
            offer.insert(0, f"<p>Price reflects {self._price(self.old - self.amount)} rebate</p>")
        if self.often(0.25):
            offer.append(self._labelled(self.pick(self.language.beside), self._smaller()))
        if self.priced and self.often(0.15):
            offer.insert(self.pick([0, 1, 1]), self._per_unit())
        name = self._named()
        parts = [picture, "".join(offer), text]
        self.chance.shuffle(parts)
        parts.insert(self.pick([0, 0, 1]), name)
        if self.often(0.4):
            parts.insert(0, self._crumbs())
        if self.often(0.4):
            tag = self.pick(["h2", "h3", "b", "h1"])
            called = self.pick([self.promise, self.pick(_PARTS)])
            parts.insert(self.chance.randint(1, len(parts)), f"<{tag}>{called}</{tag}>")
        if self.often(0.3):
            code = f"{self._made_up()[:3].upper()}-{self.chance.randint(100, 9999)}"
            parts.insert(self.pick([1, 2]), f"<p>{self.pick(['SKU', 'Model', 'Art.'])}: {code}</p>")
        return f"<div class=main>{''.join(parts)}</div>"

    def _result(self) -> str:
        """The product as the only thing that a search has found."""
        asked = self.pick(self.name.split()).lower()
        said, tag = self.pick(_FOUND).format(asked), self.pick(["h1", "h1", "h2", "p"])
        count = self.pick(["1 product found", "1 Artikel", "1 item", "Showing 1–1 of 1", ""])
        sort = "<label>Sort by <select><option>Price<option>Name</select></label>"
        picture = f'<img src={PICTURE} width=200 height=200 alt="{self.called}">'
        inner = self.pick(["h3", "div", "h2", "p"])
        name = f"<{inner}><a href=/p/1>{self.name}</a></{inner}>"
        buy = f"<button>{self.pick(self.language.buy)}</button>"
        card = f"<a href=/p/1>{picture}</a>{name}{self._prices()}{buy}"
        filters = f"<ul>{''.join(f'<li>{self._links(1)} (1)</li>' for _ in range(3))}</ul>"
        return (
            f"{filters * self.often(0.5)}<div class=main><{tag}>{said}</{tag}><p>{count}</p>"
            f"{sort * self.often(0.6)}<ul><li class=card>{card}</li></ul></div>"
        )

    def _crumbs(self) -> str:
        last = f" &gt; {self.name}" if self.often(0.4) else ""
        return f"<div>{' &gt; '.join(self._links(1) for _ in range(3))}{last}</div>"

    def _named(self) -> str:
        """The name in its element; the brand may be above it, and a line about it below."""
        tags = ["h2", "div", "b", "span"] + ["h1"] * 3 * (not self.shop_heads)
        tag = self.pick(tags)
        named = f" class={self.pick(['name', 'title', 'product-title'])}" if self.telling else ""
        large = self.styled or tag.startswith("h") or self.often(0.5)
        look = "" if large or named else ' style="font-weight: bold; font-size: 120%"'
        name = f"<{tag}{named}{look}>{self._in_parts()}</{tag}>"
        above = self._made_by(tag) if self.branded else ""
        below = f"<p>{self._words(4, 14)}</p>" if self.often(0.3) else ""
        return f"<div>{above}{name}{below}</div>"

    def _made_by(self, tag: str) -> str:
        """The brand above the name, which may look like a headline."""
        large = self.pick(["div", "div", "h2", "h3", tag])
        return f"<{large}><a href=/b>{self.brand}</a></{large}>"

    def _in_parts(self) -> str:
        """The name; its parts may be elements of their own: a series, what it is, in which size."""
        words = self.name.split()
        if len(words) < 2 or self.often(0.5):
            return self.name
        cuts = sorted(
            {1, *(self.chance.randint(2, len(words)) for _ in range(self.pick([0, 1, 2])))}
        )
        parts = [" ".join(words[a:b]) for a, b in pairwise([0, *cuts, len(words)]) if a < b]
        tag = self.pick(["span", "span", "div", "b"])
        first, other = self.pick([("", ""), ("", ""), ("font-weight: bold", "font-size: 80%")])
        apart = self.pick([" ", " ", ""])
        looks = [first, *[other] * (len(parts) - 1)]
        pairs = zip(parts, looks, strict=True)
        return apart.join(f'<{tag} style="{look}">{part}</{tag}>' for part, look in pairs)

    def _prices(self) -> str:
        """What the product costs, in one of several ways to say it."""
        rows = self._rows()
        way = self.pick(["lines", "lines", "table", "columns", "bare", "bare", "one"])
        if way == "one" or len(rows) == 1:
            return self.pick([self._lone, self._lone, self._taxed, self._range])()
        if way == "table":
            cells = "".join(f"<tr><td>{label}:</td><td>{price}</td></tr>" for label, price in rows)
            return f"<table>{cells}</table>"
        if way == "columns":
            labels = "".join(f"<p>{label}:</p>" for label, _ in rows)
            prices = "".join(f"<p>{price}</p>" for _, price in rows)
            return f"<table><tr><td>{labels}</td><td>{prices}</td></tr></table>"
        if way == "lines":
            return "".join(self._labelled(label, price) for label, price in rows)
        both = [self._now(), self._before()]
        self.chance.shuffle(both)
        if self.often(0.25):
            from_ = self.pick(["From", "ab", "dès", "от", "from"])
            both = [f"{from_} {self._now()}", self._before()]
        share = round(100 * (1 - self.amount / self.old))
        off = f"<span>{self.pick(_OFF).format(share)}</span>" if self.often(0.5) else ""
        both.insert(self.pick([0, 0, 1, 2]), off)
        parts = [" ".join(both), self.pick(["", "", "VAT included", "inkl. MwSt."])]
        if self.often(0.3):
            parts.insert(0, f"<p>up to {self.chance.randint(5, 60)}% off</p>")
        return f"<div>{' '.join(parts)}</div>"

    def _rows(self) -> list[tuple[str, str]]:
        """Labels and prices, in any order."""
        say = self.language
        rows = [(self.pick(say.now), self._now())]
        if self.often(0.6):
            rows.insert(self.pick([0, 0, 1]), (self.pick(say.old), self._before()))
            if self.often(0.6):
                minus = self.pick(["", "", "- "])
                saved = f"<b>{minus}{self._price(self.old - self.amount)}</b>"
                rows.insert(self.chance.randint(0, 2), (self.pick(say.saving), saved))
        for words, share in ((say.beside, 0.4), (say.part, 0.3)):
            if self.often(share):
                low = 0 if words is say.part else 1
                rows.insert(
                    self.chance.randint(low, len(rows)), (self.pick(words), self._smaller())
                )
        return rows

    def _lone(self) -> str:
        label = self.pick(["", "", f"{self.pick(self.language.now)}: "])
        tag = self.pick(["p", "div", "h2", "b"])
        return f"<{tag}>{label}{self._now()}</{tag}>"

    def _taxed(self) -> str:
        """The price, and what it is without tax."""
        less = f"<b>{self._price(round(self.amount / self.pick([1.2, 1.07, 1.095, 1.25]), 2))}</b>"
        without = self._labelled(self.pick(self.language.untaxed), less)
        return f"{self._lone()}{without}"

    def _range(self) -> str:
        """What the cheapest kind of the product costs, and what the dearest does."""
        to = self.pick([" - ", " – ", "–"])
        tag = self.pick(["p", "div", "span"])
        return f"<{tag}>{self._now()}{to}<span>{self._price(self.old)}</span></{tag}>"

    def _labelled(self, label: str, price: str) -> str:
        tag, colon = self.pick(["p", "div", "li"]), self.pick([":", ":", ""])
        apart = self.often(0.3)
        shown = f"<span>{label}{colon}</span><br>{price}" if apart else f"{label}{colon} {price}"
        return f"<{tag}>{shown}</{tag}>"

    def _now(self) -> str:
        token = f"a1 {self.pick(['price', 'price-now', 'our-price'])}" if self.telling else "a1"
        return f'<span class="{token}">{self._price(self.amount)}</span>'

    def _per_unit(self) -> str:
        """What a kilogram or a litre of the product costs."""
        per = f"{self._price(self.amount * self.pick([0.1, 2, 5, 10]))}{self.pick(PER)}"
        return f"<small>{self.pick(['({})', '{}', '{}']).format(per)}</small>"

    def _before(self) -> str:
        return f"<{self.struck}>{self._price(self.old)}</{self.struck}>"

    def _smaller(self) -> str:
        """A price of something that costs less than the product."""
        return f"<b>{self._price(self.amount * self.pick([0.05, 0.1, 0.3, 0.8]) + 0.5)}</b>"

    def _others(self) -> str:
        """Other products, each with a link."""
        inner = self.pick(["li", "div", "td"])
        order = self.pick(["picture name price", "name price picture", "picture price name"])
        cart = f"<a href=/add>{self.pick(self.language.buy)}</a>" if self.often(0.3) else ""
        token = "price" if self.telling else "c2"
        cards = []
        for at in range(self.chance.randint(2, 8)):
            price = self._amount()
            now = f"<span class={token}>{self._price(price)}</span>"
            if self.often(0.2):
                now += f" <{self.struck}>{self._price(price * 1.3)}</{self.struck}>"
            alike = self.often(0.2)  # another of the same kind
            name = f"{self.name.rsplit(' ', 1)[0]} {self.pick(WORDS)}" if alike else self._name()
            maker = self.brand if self.often(0.5) else self._made_up()
            by = f"<b>{maker}</b>" if self.branded else ""
            parts = {
                "picture": f"<a href=/p/{at}><img src={PICTURE} width=90 height=90 alt=''></a>",
                "name": f"<div><a href=/p/{at}>{by} {name}</a></div>",
                "price": f"<div>{now}</div>",
            }
            card = "".join(parts[part] for part in order.split())
            cards.append(f"<{inner} class=card>{card}{cart}</{inner}>")
        outer = {"li": "ul", "div": "div", "td": "table"}[inner]
        heading = f"<h3>{self.pick(self.language.others)}</h3>"
        return f"<div class=others>{heading}<{outer}>{''.join(cards)}</{outer}></div>"

    def _tabs(self) -> str:
        """What is said about the product below, under its name again or not."""
        again = f"<h3>{self.name}</h3>" if self.often(0.3) else ""
        rows = "".join(
            f"<tr><td>{self._words(1, 2)}</td><td>{self._words(1, 4)}</td></tr>"
            for _ in range(self.chance.randint(3, 9))
        )
        links = "".join(f"<li>{tab}</li>" for tab in self.chance.sample(_TABS, 3))
        return f"<ul>{links}</ul>{again}<p>{self._words(20, 80)}.</p><table>{rows}</table>"

    def _amount(self) -> float:
        whole = self.pick([self.chance.randint(2, 60), self.chance.randint(60, 1500)])
        return whole + self.pick([0.0, 0.99, 0.95, 0.5, self.chance.randint(1, 99) / 100])

    def _price(self, amount: float) -> str:
        exact = amount % 1 > 0 or len(self.shop) % 2 == 0
        return self.money.format(f"{amount:.2f}" if exact else f"{amount:.0f}")

    def _words(self, few: int, many: int) -> str:
        return " ".join(self.chance.choices(WORDS, k=self.chance.randint(few, many)))

    def _made_up(self) -> str:
        return "".join(self.chance.choices(SYLLABLES, k=self.chance.randint(2, 3))).title()

    def _name(self) -> str:
        few, many = self.pick([(0, 1), (1, 4), (1, 4), (6, 14)])
        words = f"{self._words(few, many).title()} {self.pick(THINGS).title()}".strip()
        code = f" {self._made_up()[:2].upper()}{self.chance.randint(10, 990)}"
        return f"{self._made_up()} {words}{code if self.often(0.4) else ''}"
