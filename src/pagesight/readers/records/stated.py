"""What a page states about its product in its markup: JSON-LD and microdata of schema.org."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html import unescape
from math import isfinite, nan
from typing import Any

from pagesight.page import Page
from pagesight.page.head import join
from pagesight.readers.records.prices import amount_of
from pagesight.segment.nodes import with_attribute
from pagesight.segment.text import folded

DEEPEST = 8  # levels of JSON-LD that are looked at
_PRODUCT = "product"
_OFFERS = ("offer", "aggregateoffer")


@dataclass(frozen=True)
class Stated:
    """What a page states about a product."""

    name: str | None = None
    amount: float | None = None
    currency: str | None = None
    image: str | None = None
    description: str | None = None


def stated_product(page: Page) -> Stated | None:
    """The product that the markup of a page describes; of several the one that the title names."""
    products = [*_linked(page), *_microdata(page)]
    if len({product.name for product in products if product.name}) > 1:
        title = folded(page.head.title or "")
        products = [
            product for product in products if product.name and folded(product.name) in title
        ]
    rank = [(product.amount is not None, bool(product.name)) for product in products]
    return products[rank.index(max(rank))] if products else None


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
    return " ".join(unescape(value).split()) or None if isinstance(value, str) else None


def _image(page: Page, value: Any) -> str | None:
    value = value[0] if isinstance(value, list) and value else value
    address = value.get("url") if isinstance(value, dict) else value
    return join(page.head.base, address) if isinstance(address, str) and address else None


def _amount(value: Any) -> float | None:
    """A price; those of schema.org have a decimal point."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        amount = float(value)
    except (ValueError, OverflowError):
        amount = amount_of(value).amount or nan if isinstance(value, str) else nan
    return amount if isfinite(amount) and amount >= 0 else None


def _microdata(page: Page) -> Iterator[Stated]:
    """Elements that say that they are a product, with the properties in them."""
    nodes, types = with_attribute(page, "itemtype")
    kinds = {int(node): kind.rstrip("/").lower() for node, kind in zip(nodes, types, strict=True)}
    found = {node: dict[str, str]() for node, kind in kinds.items() if kind.endswith(_PRODUCT)}
    for node, names in zip(*with_attribute(page, "itemprop"), strict=True):
        product = _product_around(page, int(node), kinds)
        for name in names.split() if product in found else ():
            found[product].setdefault(name, _content(page, int(node)))
    for properties in found.values():
        yield Stated(
            name=properties.get("name") or None,
            amount=_amount(properties.get("price") or properties.get("lowPrice")),
            currency=properties.get("priceCurrency") or None,
            image=_image(page, properties.get("image")),
            description=properties.get("description") or None,
        )


def _product_around(page: Page, node: int, kinds: Mapping[int, str]) -> int:
    """The thing that a property is of: offers belong to what they offer; -1 if there is none."""
    node = int(page.columns["parent"][node])
    while node >= 0 and (node not in kinds or kinds[node].endswith(_OFFERS)):
        node = int(page.columns["parent"][node])
    return node


def _content(page: Page, node: int) -> str:
    attributes = page.attributes(node)
    for name in ("content", "src", "href"):
        if attributes.get(name):
            return attributes[name]
    return " ".join(page.text(node).split())
