"""What a page states about its product in its markup: JSON-LD and microdata of schema.org."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pagesight.page import Page
from pagesight.page.head import join
from pagesight.readers.records.prices import amount_of
from pagesight.segment.nodes import with_attribute

DEEPEST = 8  # levels of JSON-LD that are looked at
_PRODUCT = "product"


@dataclass(frozen=True)
class Stated:
    """What a page states about a product."""

    name: str | None = None
    amount: float | None = None
    currency: str | None = None
    image: str | None = None
    description: str | None = None


def stated_product(page: Page) -> Stated | None:
    """The product that the markup of a page describes, if it describes one and not several."""
    products = [*_linked(page), *_microdata(page)]
    named = {product.name for product in products if product.name}
    if len(named) > 1 or not products:
        return None
    return max(products, key=lambda product: (product.amount is not None, bool(product.name)))


def _linked(page: Page) -> Iterator[Stated]:
    for data in page.head.linked_data:
        for thing in _things(data, 0):
            if _is_a(thing, _PRODUCT):
                offers = _first(thing.get("offers"))
                price = offers.get("price") or offers.get("lowPrice")
                yield Stated(
                    name=_text(thing.get("name")),
                    amount=_amount(price),
                    currency=_text(offers.get("priceCurrency")),
                    image=_image(page, thing.get("image")),
                    description=_text(thing.get("description")),
                )


def _things(data: Any, depth: int) -> Iterator[dict[str, Any]]:
    if depth > DEEPEST:
        return
    if isinstance(data, list):
        for item in data:
            yield from _things(item, depth + 1)
    elif isinstance(data, dict):
        yield data
        for key in ("@graph", "mainEntity"):
            yield from _things(data.get(key), depth + 1)


def _is_a(thing: dict[str, Any], kind: str) -> bool:
    types = thing.get("@type")
    named = types if isinstance(types, list) else [types]
    return any(isinstance(name, str) and name.lower().endswith(kind) for name in named)


def _first(value: Any) -> dict[str, Any]:
    value = value[0] if isinstance(value, list) and value else value
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return " ".join(value.split()) or None if isinstance(value, str) else None


def _image(page: Page, value: Any) -> str | None:
    value = value[0] if isinstance(value, list) and value else value
    address = value.get("url") if isinstance(value, dict) else value
    return join(page.head.base, address) if isinstance(address, str) and address else None


def _amount(value: Any) -> float | None:
    if isinstance(value, int | float):
        return float(value)
    return amount_of(value).amount if isinstance(value, str) else None


def _microdata(page: Page) -> Iterator[Stated]:
    """Elements that say that they are a product, with the properties in them."""
    nodes, types = with_attribute(page, "itemtype")
    named, properties = with_attribute(page, "itemprop")
    for node, kind in zip(nodes.tolist(), types, strict=True):
        if kind.rstrip("/").lower().endswith(_PRODUCT):
            inside = (named > node) & (named < page.end[node])
            found: dict[str, str] = {}
            for at in inside.nonzero()[0].tolist():
                for name in properties[at].split():
                    found.setdefault(name, _content(page, int(named[at])))
            yield Stated(
                name=found.get("name") or None,
                amount=_amount(found.get("price") or found.get("lowPrice")),
                currency=found.get("priceCurrency") or None,
                image=_image(page, found.get("image")),
                description=found.get("description") or None,
            )


def _content(page: Page, node: int) -> str:
    attributes = page.attributes(node)
    for name in ("content", "src", "href"):
        if attributes.get(name):
            return attributes[name]
    return " ".join(page.text(node).split())
