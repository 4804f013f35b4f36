"""Records as JSON-LD in the vocabulary of schema.org."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from pagesight.output.records_table import Listed, cells_of
from pagesight.readers.records import Kind, Price, Record

CURRENCIES = {
    "€": "EUR", "£": "GBP", "₹": "INR", "₽": "RUB", "₩": "KRW", "฿": "THB", "₺": "TRY", "₫": "VND",
    "₴": "UAH", "₪": "ILS", "₱": "PHP", "₦": "NGN", "₡": "CRC", "₲": "PYG", "₵": "GHS", "₸": "KZT",
    "zł": "PLN", "Kč": "CZK", "Ft": "HUF", "US$": "USD", "C$": "CAD", "CA$": "CAD", "A$": "AUD",
    "AU$": "AUD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "R$": "BRL", "NT$": "TWD", "руб": "RUB",
}  # fmt: skip
"""Signs of one currency only; ``$``, ``¥`` and ``kr`` are signs of several."""


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
        "offers": _offer(record.price) if record.price else None,
    }
    return {key: value for key, value in fields.items() if value}


def _offer(price: Price) -> dict[str, Any] | None:
    if price.amount is None:
        return None
    currency = price.currency or ""
    code = CURRENCIES.get(currency, currency)
    is_code = len(code) == 3 and code.isalpha() and code.isascii() and code.isupper()
    offer = {"@type": "Offer", "price": price.amount}
    return offer | ({"priceCurrency": code} if is_code else {})
