"""What pages show beside names and prices: ratings, reviews, stock, brands, unit prices.

These are read by rules where a page says so in words, in what elements are called for people who
do not see, or in stars; where it is in doubt, nothing is read.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple, TypedDict

import numpy as np

from pagesight.page import Box, Node, Page
from pagesight.page.derived import once_per_page
from pagesight.page.words import Searched
from pagesight.readers.records.groups import Group
from pagesight.readers.records.pieces import amount_on
from pagesight.readers.records.price_clues import said_before
from pagesight.readers.records.prices import SAID, spans, unit_of
from pagesight.readers.records.reading import (
    Availability,
    Price,
    Rating,
    Record,
    Reviews,
    Stock,
    UnitPrice,
)
from pagesight.readers.records.sight import Sight
from pagesight.readers.value import Value
from pagesight.segment.nodes import with_attribute
from pagesight.segment.text import folded, says

LONGEST = 70  # characters of a text that says one of these
LONGEST_BRAND = 40
NEXT = 4  # pieces behind a rating, in which the number of reviews may be in brackets
STARS = 5.0
ROUNDED = 0.006  # of a price: percentages have no decimals
MOST_OFF = 20.0  # times the price, that a price before may be
AHEAD, BEHIND = 3, 25  # pieces around the name and the price of a product that are about it
FARTHEST = 120  # pieces between these; beyond, only what is around the name is about it
_NUMBER = r"\d{1,2}(?:[.,]\d{1,2})?"
_OF = (
    r"(?:out of|von|sur|de un total de|de|su|av|van|ud af|z|из|/)"  # 4.5 of 5, in several languages
)
_STAR = (
    r"(?:stars?|sternen?|étoiles?|estrellas?|estrelas?|stelle|sterren|stjern\w*|stjärnor|gwiazd\w*|"
    r"звезд\w*|звёзд\w*)"
)
_OUT_OF = re.compile(
    rf"(?<![\d.,])({_NUMBER})\s?{_STAR}?\s?{_OF}\s?(5|10)(?![\d.,%]\d|\d|%|"
    rf"\s?[-–]\s?\d)(?:\s?{_STAR})?",
    re.IGNORECASE,
)
_STARS = re.compile(rf"(?<![\d.,])({_NUMBER})[\s-]?{_STAR}(?!\w)", re.IGNORECASE)
_RATED = re.compile(
    r"(?:rated|rating|bewertung|note|valoración|puntuación|valutazione|avaliação|оценка|"
    r"рейтинг)\s?:?\s?"
    rf"({_NUMBER})(?![\d.,]*\s?(?:\d|%|reviews?|bewertungen))",
    re.IGNORECASE,
)
_GLYPHS = re.compile(r"(★{1,4})(☆{1,4})")
_CLASS = re.compile(r"(?:^|[-_])(?:stars?|rating)[-_]?([0-5])(?:[-_.]?([05]))?$", re.IGNORECASE)
_NAMED_CLASS = re.compile(r"star|rating", re.IGNORECASE)
_WORDS = {"one": 1.0, "two": 2.0, "three": 3.0, "four": 4.0, "five": 5.0}
_COUNT = r"\d{1,3}(?:[.,\s'’]\d{3})+|\d{1,7}"
_REVIEW = (
    r"(?:(?:customer|verified|user|global|product)\s)?(?:reviews?|ratings?)|"
    r"(?:kunden)?(?:bewertung(?:en)?|rezension(?:en)?)|avis|"
    r"opini(?:ón|ones|e|i|ão|ões)|reseñas?|valoracion(?:es)?|recension[ie]?|avaliaç(?:ão|ões)|"
    r"beoordeling(?:en)?|anmeldelser?|omtaler|omdömen|arvostelu\w*|hodnocení|recenz\w*|отзыв\w*|"
    r"оцен(?:ка|ки|ок)|"
    r"件のレビュー|条评价|則評價|개의 리뷰"
)
_REVIEWS = re.compile(rf"(?<![\d.,$€£])({_COUNT})\+?\s?(?:{_REVIEW})(?!\w)", re.IGNORECASE)
_REVIEWS_AHEAD = re.compile(
    rf"(?<!\w)(?:{_REVIEW}|レビュー|評価)\s?[:：]?\s?[(（]\s?({_COUNT})\s?[)）]", re.IGNORECASE
)
_BRACKETS = re.compile(rf"[(（\[]\s?({_COUNT}|\d{{1,3}}(?:[.,]\d)?k)\s?[)）\]]", re.IGNORECASE)
_STOCK = {
    Stock.OUT: re.compile(
        r"out of stock|sold out|(?:currently|temporarily) unavailable|"
        r"not (?:currently )?available|ausverkauft|vergriffen|"
        r"nicht (?:mehr )?(?:auf lager|lieferbar|verfügbar|vorrätig)|épuisée?s?\b|"
        r"rupture de stock|indisponible|"
        r"agotad[oa]|sin stock|no disponible|esaurit[oa]|non disponibile|esgotado|indisponível|"
        r"uitverkocht|"
        r"niet (?:op voorraad|leverbaar)|slutsåld|slut i lager|udsolgt|utsolgt|ikke på lager|"
        r"loppuunmyyty|"
        r"niedostępny|brak w magazynie|vyprodáno|není skladem|нет в наличии|распродан|在庫切れ|"
        r"売り切れ|"
        r"品切れ|缺货|售罄|품절",
        re.IGNORECASE,
    ),
    Stock.PREORDER: re.compile(
        r"\bpre-?order|vorbestell|précommande|reserva anticipada|preordin|предзаказ|予約",
        re.IGNORECASE,
    ),
    Stock.LIMITED: re.compile(
        r"only \d+ (?:left|remaining|in stock|available)|\d+ left in stock|low stock|nur noch \d+|"
        r"nur wenige|plus que \d+|"
        r"sol[oa] \d+ (?:disponibil|rimast)|(?:solo )?quedan \d+|nog (?:maar|"
        r"slechts)? ?\d+ op voorraad|残りわずか|残り\d+",
        re.IGNORECASE,
    ),
    Stock.IN: re.compile(
        r"\bin stock|\bauf lager|\bab lager|\blagernd|(?:sofort|kurzfristig|wieder) (?:lieferbar|"
        r"verfügbar|versandfertig)|"
        r"^lieferbar\b|^verfügbar$|^available$|\bvorrätig|\ben stock|^disponibl[ei]s?\b|"
        r"subito disponibile|"
        r"em (?:estoque|stock)|op voorraad|(?:finns )?i lager\b|\bpå lager|varastossa|skladem|"
        r"na sklad[ue]|în stoc|"
        r"raktáron|dostępny\b|laos\b|в наличии|есть на складе|在庫あり|有货|現貨",
        re.IGNORECASE,
    ),
}
"""The first that a text says holds: ``not in stock`` before ``in stock``."""

_DOUBT = re.compile(
    r"\?|[:：]\s?$|notify|when|if |hide|show|only show|include|filter|benachrichtig|sobald|"
    r"anzeigen|prévenir|store|filiale|nearby",
    re.IGNORECASE,
)
"""What makes of a word about the stock a question, a label, a filter or a promise."""

_BRAND = re.compile(
    r"(?:brand|manufacturer|marke|hersteller|marque|fabricant|marca|fabricante|produttore|merk|"
    r"fabrikant|"
    r"märke|producent|značka|výrobce|бренд|производитель|ブランド|品牌|브랜드)\s?[:：]\s?(.{2,40})",
    re.IGNORECASE,
)
_LABEL = re.compile(_BRAND.pattern.partition(r"\s?(.{2,40})")[0], re.IGNORECASE)
_BRAND_CLASS = re.compile(
    r"(?:^|[-_])(?:brand|manufacturer|marke|marque|marca|vendor)(?:[-_]?name)?$", re.IGNORECASE
)
_DIGIT = re.compile(r"\d")
_PERCENT = re.compile(r"(?<![\d.,])(\d{1,2})\s?%")


class Extras(NamedTuple):
    """What a record shows beside its attributes."""

    rating: Rating | None = None
    reviews: Reviews | None = None
    availability: Availability | None = None
    brand: Value | None = None
    unit_price: UnitPrice | None = None


class Stretch(NamedTuple):
    """The part of a page that a record is: its pieces, and its nodes."""

    first: int
    last: int
    start: int
    stop: int


def stretch_of(sight: Sight, head: int, first: int, last: int) -> Stretch:
    """The stretch of a record that begins with a unit and has these pieces."""
    units, page = sight.units, sight.units.page
    unit = head
    while units.last[unit] < last and units.end[unit] < len(units):
        unit = int(units.end[unit])
    return Stretch(first, last, int(units.node[head]), int(page.end[units.node[unit]]))


def extras_of(sight: Sight, stretch: Stretch, name: str | None) -> Extras:
    """What a record shows beside its attributes."""
    rating = _rating(sight, stretch)
    return Extras(
        rating=rating,
        reviews=_reviews(sight, stretch, rating),
        availability=_availability(sight, stretch),
        brand=_brand(sight, stretch, name),
        unit_price=_unit_price(sight, stretch),
    )


def _texts(sight: Sight, stretch: Stretch) -> Iterator[tuple[int, str]]:
    """The short texts of a record: those of its blocks that are short, and its pieces."""
    for piece in range(stretch.first, stretch.last):
        text = sight.pieces.texts[piece]
        if text and len(text) <= LONGEST:
            yield piece, text


def _lines(sight: Sight, stretch: Stretch) -> list[tuple[int, str]]:
    """The lines of a record that are short, each with its first piece."""
    lines = sight.lines(stretch.first, stretch.last)
    return [(piece, text) for piece, text in lines if text and len(text) <= LONGEST]


class _Fields(TypedDict):
    """The fields of a value."""

    text: str
    confidence: None
    place: Node
    box: Box


def _value(sight: Sight, piece: int, text: str) -> _Fields:
    node = sight.units.page[int(sight.units.content.nodes[piece])]
    return {"text": text, "confidence": None, "place": node, "box": node.box}


def _rating(sight: Sight, stretch: Stretch) -> Rating | None:
    """A rating in words, in what an element is called, or in stars; None if several differ."""
    for found in (
        _said(sight, stretch),
        _called(sight, stretch),
        _drawn(sight.units.page, stretch),
    ):
        ratings = list(found)
        if ratings:
            same = {(rating.value, rating.best) for rating in ratings}
            return ratings[0] if len(same) == 1 else None
    return None


def _said(sight: Sight, stretch: Stretch) -> Iterator[Rating]:
    for piece, text in _lines(sight, stretch):
        if rated := _rated(text):
            yield Rating(**_value(sight, piece, text), value=rated[0], best=rated[1])


def _rated(text: str, *, called: bool = False) -> tuple[float, float] | None:
    """The rating that a text states, and the best one."""
    if not _DIGIT.search(text) and "★" not in text:  # as in most
        return None
    if match := _OUT_OF.search(text):
        slash = "/" in match[0]
        if (
            not slash
            or called
            or len(match[0]) >= len(text.strip(" ()★☆"))
            or _NAMED_CLASS.search(text)
        ):
            return _within(match[1], float(match[2]))
    if match := _GLYPHS.search(text):
        return (float(len(match[1])), STARS) if len(match[0]) == STARS else None
    match = _STARS.search(text) or _RATED.search(text) if called else None
    return _within(match[1], STARS) if match else None


def _within(number: str, best: float) -> tuple[float, float] | None:
    value = float(number.replace(",", "."))
    return (value, best) if 0 < value <= best else None


def _called(sight: Sight, stretch: Stretch) -> Iterator[Rating]:
    """Ratings in what elements are called for people who do not see them."""
    page = sight.units.page
    return (_of_node(page, *found) for found in _within_stretch(_names_of_ratings(page), stretch))


class _Rated(NamedTuple):
    """An element that shows a rating, what it says, and the rating and the best one."""

    node: int
    text: str
    rated: tuple[float, float]


def _within_stretch(found: Sequence[_Rated], stretch: Stretch) -> Sequence[_Rated]:
    """Those of some elements, in document order, that are in a record."""
    start, stop = (bisect_left(found, (node,)) for node in (stretch.start, stretch.stop))
    return found[start:stop]


@once_per_page
def _names_of_ratings(page: Page) -> list[_Rated]:
    return sorted(
        _Rated(int(node), text, rated)
        for name in ("aria-label", "title", "alt")
        for node, text in zip(*with_attribute(page, name), strict=True)
        if len(text) <= LONGEST and (rated := _rated(text, called=True))
    )


def _of_node(page: Page, node: int, text: str, rated: tuple[float, float]) -> Rating:
    value, best = rated
    place = page[node]
    return Rating(text=text, confidence=None, place=place, box=place.box, value=value, best=best)


def _drawn(page: Page, stretch: Stretch) -> Iterator[Rating]:
    """Ratings in classes of elements, or in how much of a bar of stars is filled."""
    return (_of_node(page, *found) for found in _within_stretch(_bars_of_ratings(page), stretch))


@once_per_page
def _bars_of_ratings(page: Page) -> list[_Rated]:
    nodes, classes = with_attribute(page, "class")
    named_so = np.flatnonzero(Searched(classes).holding(("star", "rating"))).tolist()
    return [
        _Rated(node, "", (rated, STARS))
        for node, names in ((int(nodes[at]), classes[at]) for at in named_so)
        if (rated := _by_class(names) or _by_bar(page, node))
    ]


def _by_class(names: str) -> float | None:
    tokens = names.split()
    for token in tokens:
        if match := _CLASS.search(token):
            value = float(match[1]) + float(match[2] or 0) / 10
            return value if 0 < value <= STARS else None
    words = [_WORDS[token.lower()] for token in tokens if token.lower() in _WORDS]
    return words[0] if len(words) == 1 else None


def _by_bar(page: Page, node: int) -> float | None:
    """How much of a bar of five stars is filled: an element that covers its left part."""
    width, height = page[node].box[2:]
    inside = [child for child in page[node].children if child.tag[0] != "#"]
    if len(inside) != 1 or not 2 * height <= width <= 10 * height:
        return None
    left, _, filled, _ = inside[0].box
    own_class = inside[0].attributes.get("class", "")
    if (
        inside[0].children
        or left > page[node].box[0] + 1
        or not 0 < filled < width
        or not own_class
    ):
        return None
    return round(10 * STARS * filled / width) / 10


def _reviews(sight: Sight, stretch: Stretch, rating: Rating | None) -> Reviews | None:
    """The number of reviews: in words, or in brackets behind a rating."""
    counted = [
        (piece, match)
        for piece, text in (*_lines(sight, stretch), *_texts(sight, stretch))
        if _DIGIT.search(text) and (match := _REVIEWS.search(text) or _REVIEWS_AHEAD.search(text))
    ]
    if not counted and rating is not None:
        counted = list(_in_brackets(sight, stretch, rating))
    numbers = {_count(match[1]) for _, match in counted}
    if len(numbers) != 1:
        return None
    piece, match = counted[0]
    return Reviews(**_value(sight, piece, match[0]), count=numbers.pop())


def _in_brackets(
    sight: Sight, stretch: Stretch, rating: Rating
) -> Iterator[tuple[int, re.Match[str]]]:
    node = getattr(rating.place, "id", -1)
    begin = next((p for p in range(stretch.first, stretch.last)
                  if sight.units.content.nodes[p] >= node), stretch.last)  # fmt: skip
    for piece in range(begin, min(stretch.last, begin + NEXT)):
        for last in (piece + 1, min(stretch.last, piece + 3)):
            if match := _BRACKETS.fullmatch(sight.joined(piece, last)):
                yield piece, match
                return


def _count(text: str) -> int:
    if text[-1] in "kK":
        return round(1000 * float(text[:-1].replace(",", ".")))
    return int(re.sub(r"\D", "", text))


def _availability(sight: Sight, stretch: Stretch) -> Availability | None:
    """Whether it can be had, where all that is said about it agrees."""
    said = []
    for piece, text in _lines(sight, stretch):
        state = next((state for state, pattern in _STOCK.items() if says(text, pattern)), None)
        if state and not says(text, _DOUBT) and not _is_chosen(sight, piece):
            said.append((state, piece, text))
    if len({state for state, _, _ in said}) != 1:
        return None
    state, piece, text = said[0]
    return Availability(**_value(sight, piece, text), state=state)


def _is_chosen(sight: Sight, piece: int) -> bool:
    """Whether a text is a control: a filter to choose, not a fact."""
    return bool(sight.pieces.button[piece])


def _brand(sight: Sight, stretch: Stretch, name: str | None) -> Value | None:
    """A brand that is labelled as such, or whose element is named so."""
    for piece, text in _lines(sight, stretch):
        if match := _BRAND.match(text):
            return Value(**_value(sight, piece, match[1].strip()))
    texts = list(_texts(sight, stretch))
    for (_, label), (piece, text) in pairwise(texts):
        if _LABEL.fullmatch(label.strip()) and _may_be_brand(text, name):
            return Value(**_value(sight, piece, text))
    named = [
        piece for piece, text in texts if _may_be_brand(text, name) and _is_brand(sight, piece)
    ]
    return (
        Value(**_value(sight, named[0], sight.pieces.texts[named[0]])) if len(named) == 1 else None
    )


def _may_be_brand(text: str, name: str | None) -> bool:
    few = 2 <= len(text) <= LONGEST_BRAND and any(map(str.isalpha, text)) and not spans(text)
    return few and folded(text) != folded(name or "")


def _is_brand(sight: Sight, piece: int) -> bool:
    page, node = sight.units.page, int(sight.units.content.nodes[piece])
    classes = sight.attribute("class")
    for _ in range(3):
        node = page.parents[node]
        if node < 0 or page.ends[node] - node > 4:
            return False
        if any(map(_BRAND_CLASS.search, classes[node].split())):
            return True
    return False


def _unit_price(sight: Sight, stretch: Stretch) -> UnitPrice | None:
    """A price for a kilogram, a litre, a piece."""
    for piece, text in _lines(sight, stretch):
        for start, stop in spans(text):
            per = unit_of(text[:start], text[stop:])
            if per:
                amount = amount_on(sight.units.page, text[start:stop])
                return UnitPrice(
                    **_value(sight, piece, text),
                    amount=amount.amount, currency=amount.currency, per=per,
                )  # fmt: skip
    return None


def with_extras(sight: Sight, group: Group, records: Sequence[Record]) -> tuple[Record, ...]:
    """The records of a list with what they show beside their attributes."""
    stretches = [
        stretch_of(sight, *ends)
        for ends in zip(
            group.heads.tolist(), group.first.tolist(), group.last.tolist(), strict=True
        )
    ]
    filled = [with_extra(sight, *pair) for pair in zip(stretches, records, strict=True)]
    brands = {record.brand.text for record in filled if record.brand}
    if len(brands) == 1 and len(filled) > 2 and all(record.brand for record in filled):
        return tuple(replace(record, brand=None) for record in filled)  # the shop's own name
    return tuple(filled)


def with_extra(sight: Sight, stretch: Stretch, record: Record) -> Record:
    """A record with what its part of the page shows beside its attributes."""
    extras = extras_of(sight, stretch, record.name.text if record.name else None)
    old_price = record.old_price or _old_price(sight, stretch, record.price)
    return replace(record, old_price=old_price, **extras._asdict())


def _old_price(sight: Sight, stretch: Stretch, price: Price | None) -> Price | None:
    """A higher price that is struck out, or that a word says to be the one before."""
    if price is None or not price.amount:
        return None
    for piece in range(stretch.first, stretch.last):
        text = sight.pieces.texts[piece]
        if len(text) > LONGEST or len(found := spans(text)) != 1:
            continue
        (start, stop), amount = found[0], amount_on(sight.units.page, text[slice(*found[0])])
        said = said_before(sight, text[:start], piece)
        called = says(said, SAID["old"]) and not says(said, SAID["less"])
        off = _is_off(sight, piece, amount.amount or 0.0, price.amount)
        is_old = called or off or bool(sight.pieces.struck[piece])
        if is_old and amount.amount and price.amount < amount.amount < MOST_OFF * price.amount:
            return Price(**_value(sight, piece, text[start:stop]), **amount._asdict())
    return None


def _is_off(sight: Sight, piece: int, old: float, now: float) -> bool:
    """Whether a percentage beside a price says that it is another one by so much less: -5%."""
    for text in sight.pieces.texts[max(0, piece - NEXT) : piece + NEXT]:
        share = _PERCENT.search(text) if len(text) <= LONGEST else None
        if share and abs(old * (1 - int(share[1]) / 100) - now) <= ROUNDED * old:
            return True
    return False


def around_product(sight: Sight, name: int, price: int) -> Stretch:
    """The part of a page that is about its product: around the units of its name and its price."""
    units = sight.units
    ends = [(int(units.first[unit]), int(units.last[unit])) for unit in (name, price) if unit >= 0]
    first = min((start for start, _ in ends), default=0)
    last = max((stop for _, stop in ends), default=0)
    if last - first > FARTHEST:
        first, last = ends[0]
    first, last = max(0, first - AHEAD), min(len(units.content.nodes), last + BEHIND)
    nodes = units.content.nodes
    return Stretch(first, last, int(nodes[first]), int(nodes[last - 1]) + 1)
