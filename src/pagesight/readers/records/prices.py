"""Prices in texts: where they are, and what they amount to."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

_SYMBOL = r"(?:(?:US|CDN|CA|C|AU|A|NZ|HK|SG|S|MX|R|NT)\s?)?\$|[€£¥₹₽₩฿₺₫₴₪₱₦₡₲₵₸]"
_BEFORE = (
    r"(?:USD|EUR|GBP|CHF|JPY|CNY|INR|RUB|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BRL|MXN|TRY|ZAR|"
    r"SGD|HKD|AED|SAR|ILS|UAH|Rs\.?|Rp\.?|kr\.?|Fr\.|EURO)"
)  # codes in front of a number
_CODE = rf"(?:{_BEFORE}|zł|Kč|Ft|lei|руб\.?|р\.|грн\.?|TL|RM|円|元|원)"
_INDIAN = r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,2})?(?!\d)"
_PLAIN = r"\d{1,12}(?:[.,]\d{1,2}(?!\d))?"
_DECIMALS = r"[.,]\d{2}(?!\d)"
_AFTER_SIGN = (
    rf"{_INDIAN}|\d{{1,3}}(?:[.,'’\u00a0\u202f]\d{{3}})+(?:[.,]\d{{1,2}})?(?!\d)"
    rf"|\d{{1,3}}(?: \d{{3}})+{_DECIMALS}|{_PLAIN}"
)
"""A number behind a sign: what follows after a space may be of something else."""

_NUMBER = rf"{_INDIAN}|\d{{1,3}}(?:[ .,'’\u00a0\u202f]\d{{3}})+(?:[.,]\d{{1,2}})?(?!\d)|{_PLAIN}"
_EXACT = rf"(?:\d{{1,3}}(?:[ .,'’\u00a0\u202f]\d{{3}})+|\d{{1,9}}){_DECIMALS}"
_DASHES = r"(?:[.,][-–—]{1,2})?"  # as in 20,–
PRICE = re.compile(
    rf"(?:(?:{_SYMBOL})|(?<!\w){_BEFORE})\s{{0,2}}(?:{_AFTER_SIGN}){_DASHES}"
    rf"|(?<![\w.,]){_EXACT}\s{{0,2}}[€£](?!\d)"
    rf"|(?<![\w.,])(?:{_NUMBER}){_DASHES}\s{{0,2}}(?:(?:{_SYMBOL})(?!\s?\d)|{_CODE}(?!\w))"
)
_CURRENCY = re.compile(rf"{_SYMBOL}|(?<!\w){_CODE}|{_CODE}(?!\w)")
FREE = re.compile(
    r"^(?:free(?: to play)?|gratis|kostenlos|gratuit|gratuito|бесплатно|免费|無料)$", re.IGNORECASE
)
LONGEST_ALONE = 40  # characters of a text that is a price
LONGEST = 400  # characters of a text in which prices are looked for


class Amount(NamedTuple):
    """What a price says."""

    amount: float | None
    currency: str | None


def spans(text: str) -> tuple[tuple[int, int], ...]:
    """Where prices are in a text."""
    return _spans(text) if len(text) <= LONGEST else ()


@lru_cache(1 << 14)
def _spans(text: str) -> tuple[tuple[int, int], ...]:
    if FREE.match(text.strip()):
        return ((0, len(text)),)
    return tuple(match.span() for match in PRICE.finditer(text))


def is_price(text: str) -> bool:
    """Whether a text is nothing but a price."""
    found = spans(text) if len(text) <= LONGEST_ALONE else ()
    return len(found) == 1 and found[0][1] - found[0][0] >= len(text.strip()) - 1


@lru_cache(1 << 12)
def amount_of(text: str) -> Amount:
    """What a price amounts to."""
    from price_parser import Price

    if FREE.match(text.strip()):
        return Amount(0.0, None)
    price = Price.fromstring(text)
    sign = _CURRENCY.search(text)
    return Amount(price.amount_float, sign[0].strip() if sign else price.currency)
