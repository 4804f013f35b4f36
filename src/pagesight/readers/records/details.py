"""A page that is about one product: its name, picture, price and description."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from pagesight.readers.records.attributes import attribute_features, beside, numbered
from pagesight.readers.records.candidates import (
    LONGEST,
    MOST_TEXTS,
    Candidate,
    candidates_of_page,
)
from pagesight.readers.records.groups import whole_page
from pagesight.readers.records.model import (
    DETAIL_NAME,
    SEEN_DETAILS,
    Choice,
    RecordsModel,
    allowed,
)
from pagesight.readers.records.price_clues import headline_of, may_cost, price_clues
from pagesight.readers.records.prices import FREE_INITIALS, amount_of, spans
from pagesight.readers.records.reading import Picture, Price, Record
from pagesight.readers.records.sight import Sight
from pagesight.readers.records.stated import Stated, stated_product
from pagesight.readers.records.values import box_around, picture_of, price_of, value_of
from pagesight.readers.title.reader import read_title
from pagesight.readers.value import Value
from pagesight.segment.nodes import before
from pagesight.segment.text import folded, says

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
LONG = 60  # characters of a text that may describe a product
STATED = 0.96  # the confidence of what only markup says: 68 of 71 prices of the corpus are right
_SHOWN = ("size", "area", "top", "pieces after name", "below name", "size of most", "named price",
          "said against", "title before", "after name, fit", "paths alike", "classes alike",
          "pieces to cart", "px to picture", "times")  # fmt: skip
NAME_CLUES = ("shared", "headline")
_SEARCHED = re.compile(
    r"(?:results?|matches) (?:for|matching)\b|search results|you searched|suchergebnis|"
    r"(?:ergebnisse?|treffer) (?:für|zu)\b|résultats? (?:de (?:la )?recherche|pour)|resultados? "
    r"(?:de (?:la )?(?:búsqueda|pesquisa|busca)|da (?:pesquisa|busca)|para)|risultati (?:per|"
    r"di ricerca|della ricerca)|zoekresultat|resultaten voor|sökresultat|sø[gk]eresultat|hakutulok|"
    r"wyniki wyszukiwania|výsledky (?:hledání|vyhledávání)|результаты (?:поиска|по)|"
    r"arama sonuç|検索結果|搜索结果|검색 ?결과",
    re.IGNORECASE,
)
"""What was searched for names no product, even where one alone was found."""

_JUDGED = ("said against", "lowest near", "prices near", "of pair", "size of prices")


@dataclass(frozen=True, eq=False)
class Detail:
    """What a page shows if it is about one product."""

    sight: Sight
    headline: int
    """The unit of its name, or -1."""

    values: list[Candidate]
    columns: Mapping[str, Floats]
    chosen: Mapping[str, Choice]

    @property
    def features(self) -> dict[str, float]:
        """What tells whether the page is about one product."""
        features = {}
        for attribute, choice in self.chosen.items():
            features[f"{attribute} chance"] = choice.chance if choice.candidate >= 0 else 0.0
            for name in _SHOWN:
                at = choice.candidate
                features[f"{attribute} {name}"] = float(self.columns[name][at]) if at >= 0 else -1.0
        return features

    def value(self, attribute: str) -> Candidate | None:
        """What was chosen as an attribute."""
        at = self.chosen[attribute].candidate
        return self.values[at] if at >= 0 else None


def detail_of(model: RecordsModel, sight: Sight) -> Detail:
    """What a page shows if it is about one product."""
    values, columns = detail_candidates(sight, model.used(SEEN_DETAILS))
    headline = headline_of(sight.units.page)
    chosen = {}
    for attribute in (name for name in SEEN_DETAILS if name in model.attributes):
        what = attribute.split()[1]
        told_apart = _amounts(values) if what == "price" else None
        (chosen[attribute],) = model.choose(
            attribute, columns, values, may_be(what, columns), 1, told_apart
        )
    return Detail(sight, headline, values, columns, chosen)


def may_be(attribute: str, columns: Mapping[str, Floats]) -> NDArray[np.bool_]:
    """Which candidates may be an attribute of the product of a page at all."""
    mask = allowed(attribute, columns)
    return may_cost(columns, mask) if attribute == "price" else mask


def _amounts(values: Sequence[Candidate]) -> Ints:
    """A number for what each price amounts to: the same price is often shown several times."""
    return numbered(amount_of(value.text).amount if value.is_price else None for value in values)


def detail_candidates(
    sight: Sight, used: Iterable[str] | None = None
) -> tuple[list[Candidate], dict[str, Floats]]:
    """What may be an attribute of the product of a page, and its features.

    If told which ones are used for a choice, those that take long may be missing.
    """
    page = whole_page(sight)
    headline = headline_of(sight.units.page)
    values = candidates_of_page(sight, _promising(sight, headline))
    asked = None if used is None else {*used, *_SHOWN, *_JUDGED}
    features = attribute_features(sight, page, values, asked)
    named = next((at for at, value in enumerate(values) if value.unit == headline), -1)
    features |= beside(sight, values, features, {0: named})
    return values, features | price_clues(sight, values, headline)


def _promising(sight: Sight, headline: int) -> list[int]:
    """The units that are a picture, a long text, one with a price, or the headline."""
    picture = sight.listed.picture
    return [
        unit
        for unit in np.flatnonzero(_may_hold(sight, headline)).tolist()
        if picture[unit] or unit == headline or len(text := sight.text(unit)) >= LONG or spans(text)
    ]


def _may_hold(sight: Sight, headline: int) -> NDArray[np.bool_]:
    """Which units may be more than a short text without a price; what is cut off is not counted."""
    units, pieces = sight.units, sight.pieces
    first, last = units.first, units.last
    uncounted = np.zeros(len(pieces.texts), dtype=np.int64)
    free = [at for at, text in enumerate(pieces.texts) if text and text[0] in FREE_INITIALS]
    uncounted[[*free, *sight.cut_off]] = 1
    lengths = np.fromiter(map(len, pieces.texts), np.int64)
    lengths += lengths > 0
    counts, longest = before(uncounted), before(lengths)  # with something between all texts
    holds = longest[last] - longest[first] > LONG
    holds |= (pieces.total("digits", first, last) > 0) | (counts[last] > counts[first])
    if headline >= 0:
        holds[headline] = True
    characters, texts = (pieces.total(name, first, last) for name in ("characters", "texts"))
    fits = (characters > 0) & (characters <= LONGEST) & (texts <= MOST_TEXTS)
    return np.asarray(np.array(sight.listed.picture) | (holds & fits))


def detail_record(model: RecordsModel, detail: Detail, metadata: str) -> Record:
    """The product that a page is about."""
    from pagesight.readers.records.extras import around_product, with_extra

    sight = detail.sight
    seen = {
        attribute.split()[1]: (
            value,
            model.confidence(attribute, chance_of(model, detail, attribute)),
        )
        for attribute in detail.chosen
        if (value := detail.value(attribute))
    }
    record = Record(
        name=product_name(model, sight),
        image=picture_of(sight, *seen["image"]) if "image" in seen else None,
        price=price_of(sight, *seen["price"]) if "price" in seen else None,
        description=value_of(sight, *seen["description"]) if "description" in seen else None,
        url=sight.units.page.head.canonical or sight.units.page.url,
        place=sight.units.page.root,
        box=box_around(sight, 0, len(sight.units.content.nodes)),
    )
    price = detail.value("detail price") if "detail price" in detail.chosen else None
    around = around_product(sight, detail.headline, price.unit if price else -1)
    record = with_extra(sight, around, record)
    stated = stated_product(sight.units.page) if metadata == "auto" else None
    return with_stated(sight, detail, record, stated) if stated else record


def chance_of(model: RecordsModel, detail: Detail, attribute: str) -> float:
    """How probable what was chosen as an attribute is, by all that is seen of it."""
    return _judged(model, attribute, detail_clues(detail, attribute))


def detail_clues(detail: Detail, attribute: str) -> dict[str, float]:
    """What tells whether the right candidate was chosen as an attribute."""
    return choice_clues(detail.chosen[attribute], detail.columns, _JUDGED)


def _judged(model: RecordsModel, attribute: str, clues: Mapping[str, float]) -> float:
    return float(model.judged(attribute, {name: np.array([clues[name]]) for name in clues})[0])


def choice_clues(
    choice: Choice, columns: Mapping[str, Floats], names: Iterable[str]
) -> dict[str, float]:
    """What tells whether the right candidate was chosen: how sure it was, and what it is like."""
    at = choice.candidate
    shown = {name: float(columns[name][at]) if at >= 0 else -1.0 for name in names}
    return {"chance": choice.chance, "margin": choice.margin, "ahead": choice.ahead, **shown}


def chosen_name(model: RecordsModel, sight: Sight) -> tuple[Candidate | None, Mapping[str, float]]:
    """The text that looks most like the name of a product, and what tells whether it is."""
    from pagesight.readers.records.name_clues import name_candidates  # most pages are not products

    values, columns = name_candidates(sight)
    others = np.array([not says(value.text, _SEARCHED) for value in values], dtype=np.bool_)
    told_apart = numbered(folded(value.text) for value in values)
    (choice,) = model.choose(DETAIL_NAME, columns, values, others, 1, told_apart)
    value = values[choice.candidate] if choice.candidate >= 0 else None
    return value, choice_clues(choice, columns, NAME_CLUES)


def product_name(model: RecordsModel, sight: Sight) -> Value | None:
    """The name of the product that a page is about; the title of a page that shows no name."""
    if DETAIL_NAME in model.attributes:
        value, clues = chosen_name(model, sight)
        if value is not None:
            confidence = model.confidence(DETAIL_NAME, _judged(model, DETAIL_NAME, clues))
            return value_of(sight, value, confidence)
    title = read_title(sight.units.page)
    return title.title and Value(
        text=title.title.text, confidence=title.confidence, place=title.title.place,
        box=title.title.box,
    )  # fmt: skip


def with_stated(sight: Sight, detail: Detail, record: Record, stated: Stated) -> Record:
    """A record with what the page states about its product; where that is seen, with its place."""
    changed: dict[str, Value] = {}
    if stated.name:
        same = record.name is not None and folded(record.name.text) == folded(stated.name)
        changed["name"] = record.name if same and record.name else _stated(stated.name)
    if stated.amount is not None and not _is_before(record, stated.amount):
        changed["price"] = _price(sight, detail, stated)
    if stated.image and record.image is None:
        changed["image"] = Picture(text="", confidence=STATED, src=stated.image)
    if stated.description and record.description is None:
        changed["description"] = _stated(stated.description)
    return replace(record, **changed)  # type: ignore[arg-type]


def _is_before(record: Record, stated: float) -> bool:
    """Whether the page shows what its markup states as the price before, and a lower one."""
    old, price = record.old_price, record.price
    return bool(price and price.amount and old and old.amount == stated and price.amount < stated)


def _stated(text: str) -> Value:
    return Value(text=text, confidence=STATED)


def _price(sight: Sight, detail: Detail, stated: Stated) -> Price:
    """The stated price; the first one of that amount that is seen has its place."""
    for value in detail.values:
        if not value.picture and len(spans(value.text)) == 1:
            price = price_of(sight, value, STATED)
            if price.amount == stated.amount:
                return price
    digits = f"{stated.amount:.2f}".removesuffix(".00")
    text = f"{stated.currency or ''} {digits}".strip()
    return Price(text=text, confidence=STATED, amount=stated.amount, currency=stated.currency)
