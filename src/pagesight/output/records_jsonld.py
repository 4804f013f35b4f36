"""Records as JSON-LD in the vocabulary of schema.org."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pagesight.output.records_table import Listed, cells_of
from pagesight.readers.records import Kind, Price, Record, Stock

CURRENCIES = {
    "€": "EUR", "£": "GBP", "₹": "INR", "₽": "RUB", "₩": "KRW", "฿": "THB", "₺": "TRY", "₫": "VND",
    "₴": "UAH", "₪": "ILS", "₱": "PHP", "₦": "NGN", "₡": "CRC", "₲": "PYG", "₵": "GHS", "₸": "KZT",
    "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "тг": "KZT", "лв": "BGN", "lei": "RON",
    "Lei": "RON", "US$": "USD", "C$": "CAD", "CA$": "CAD", "A$": "AUD",
    "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "R$": "BRL", "NT$": "TWD", "руб": "RUB",
}  # fmt: skip
"""Signs of one currency only; ``$``, ``¥`` and ``kr`` are signs of several."""


STATES = {Stock.IN: "InStock", Stock.OUT: "OutOfStock", Stock.LIMITED: "LimitedAvailability",
          Stock.PREORDER: "PreOrder"}  # fmt: skip


def records_jsonld(pages: Sequence[Listed]) -> str:
    """A graph with an ItemList for each page that lists something, or the Product of a page."""
    graph = [_thing(page) for page in pages if page.reading.records]
    document = {"@context": "https://schema.org", "@graph": graph}
    return json.dumps(document, ensure_ascii=False, indent=2) + "\n"


def _thing(page: Listed) -> dict[str, Any]:
    records = page.reading.records
    if page.reading.kind is Kind.DETAIL:
        return _item(records[0], "Product")
    kind = "Product" if any(record.price for record in records) else "Thing"
    items = [
        {"@type": "ListItem", "position": rank, "item": _item(record, kind)}
        for rank, record in enumerate(records, start=1)
    ]
    return {"@type": "ItemList", "numberOfItems": len(items), "itemListElement": items}


def _item(record: Record, kind: str) -> dict[str, Any]:
    """A record without what is not known; a list without any price may be one of anything."""
    name = record.name.text if record.name else " ".join(cells_of(record).values())
    fields = {
        "@type": kind,
        "name": " ".join(name.split()),
        "image": record.image.src if record.image else None,
        "description": record.description.text if record.description else None,
        "url": record.url,
        "brand": {"@type": "Brand", "name": record.brand.text} if record.brand else None,
        "aggregateRating": _rating(record),
        "offers": _offer(record),
    }
    return {key: value for key, value in fields.items() if value}


def _rating(record: Record) -> dict[str, Any] | None:
    """What buyers think; schema.org wants to know of how many."""
    if record.rating is None:
        return None
    count = {"reviewCount": record.reviews.count} if record.reviews else {}
    worth = {"ratingValue": record.rating.value, "bestRating": record.rating.best}
    return {"@type": "AggregateRating", **worth, **count}


def _offer(record: Record) -> dict[str, Any] | None:
    if record.price is None or record.price.amount is None:
        return None
    offer = {"@type": "Offer", "price": record.price.amount, **_currency(record.price)}
    if record.availability:
        offer["availability"] = f"https://schema.org/{STATES[record.availability.state]}"
    if (unit := record.unit_price) and unit.amount is not None:
        offer["priceSpecification"] = {"@type": "UnitPriceSpecification", "price": unit.amount,
                                       **_currency(unit), "unitText": unit.per}  # fmt: skip
    return offer


def _currency(price: Price) -> dict[str, str]:
    currency = price.currency or ""
    code = CURRENCIES.get(currency, currency)
    is_code = len(code) == 3 and code.isalpha() and code.isascii() and code.isupper()
    return {"priceCurrency": code} if is_code else {}
