"""Prices in texts: where they are, what they amount to, and what is written beside them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

_SYMBOL = r"(?:(?:US|CDN|CA|C|AU|A|NZ|HK|SG|S|MX|R|NT)\s?)?\$|[€£¥₹₽₩฿₺₫₴₪₱₦₡₲₵₸]"
_BEFORE = (
    r"(?:USD|EUR|GBP|CHF|JPY|CNY|INR|RUB|CAD|AUD|NZD|SEK|NOK|DKK|PLN|CZK|HUF|RON|BRL|MXN|TRY|ZAR|"
    r"SGD|HKD|AED|SAR|ILS|UAH|Rs\.?|Rp\.?|[Kk]r\.?|Fr\.|EURO)"
)  # codes in front of a number
_CODE = (
    rf"(?:{_BEFORE}|zł|Kč|Ft|[Ll]ei|LEI|[рР]уб\.?|б\.\s?р\.|[рР]\.?|[гГ]рн\.?|тг\.?|лв\.?|ден\.?|"
    rf"сум|[Kk]n|[Dd]in\.?|"
    r"RSD|BGN|KZT|TWD|KRW|THB|VND|TL|RM|円|元|원|บาท|đ)"
)
_INDIAN = r"\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d{1,2})?(?!\d)"
_FINE = r"(?:0[.,]\d{3,6}|\d{1,4}[.,]\d{4,6})(?![\d.,]*\d)"
"""A number with more than two decimals: what one of many costs."""

_PLAIN = r"\d{1,12}(?:[.,]\d{1,2}(?!\d))?"
_DECIMALS = r"[.,]\d{2}(?!\d)"
_AFTER_SIGN = (
    rf"{_FINE}|{_INDIAN}|\d{{1,3}}(?:[.,'’\u00a0\u202f]\d{{3}})+(?:[.,]\d{{1,2}})?(?!\d)"
    rf"|\d{{1,3}}(?: \d{{3}})+{_DECIMALS}|{_PLAIN}"
)
"""A number behind a sign: what follows after a space may be of something else."""

_NUMBER = (
    rf"{_FINE}|{_INDIAN}|\d{{1,3}}(?:[ .,'’\u00a0\u202f]\d{{3}})+(?:[.,]\d{{1,2}})?(?!\d)|{_PLAIN}"
)
_EXACT = rf"(?:\d{{1,3}}(?:[ .,'’\u00a0\u202f]\d{{3}})+|\d{{1,9}}){_DECIMALS}"
_DASHES = r"(?:[.,][-–—]{1,2})?"  # as in 20,–
PRICE = re.compile(
    rf"(?:(?:{_SYMBOL})|(?<!\w){_BEFORE})\s{{0,2}}(?:{_AFTER_SIGN}){_DASHES}"
    rf"|(?<![\w.,]){_EXACT}\s{{0,2}}[€£]"
    rf"(?!\d(?!(?:[^€£]*[€£](?=\d)){{0,20}}[^€£]*[€£](?!\d)))"  # in "9,99 €8,99 €", both are behind
    rf"|(?<![\w.,])(?:{_NUMBER}){_DASHES}\s{{0,2}}(?:(?:{_SYMBOL})(?!\s?\d)|{_CODE}"
    rf"(?!\w|\s?\d+{_DECIMALS}))"  # in "4.50 CHF 2.25", the code is of the second number
    rf"|(?<![\w.,]){_EXACT}(?=\s?[-–—]\s?{_EXACT}\s{{0,2}}(?:[€£₽]|{_CODE}(?!\w)))"  # from, to
    rf"|(?<![\w.,])(?=\d\d|\d[ .]\d)(?:{_NUMBER})"
    rf"(?:,[-–]{{1,2}}(?!\s?\d)|\.[-–—]{{1,2}}(?!\s?\w))"  # as in 8 990,-
)
_CURRENCY = re.compile(rf"{_SYMBOL}|(?<!\w){_CODE}|{_CODE}(?!\w)")
FREE = re.compile(
    r"^(?:free(?: to play)?|gratis|kostenlos|gratuit|gratuito|бесплатно|免费|無料)$", re.IGNORECASE
)
FREE_INITIALS = frozenset("fFgGkK\u212aбБ免無")  # of what the former matches
SIGN = re.compile(rf"(?:{_SYMBOL}|{_CODE})")
NUMBER = re.compile(rf"(?:{_NUMBER}){_DASHES}")
_DIGIT = re.compile(r"\d")
_FINELY = re.compile(rf"(?<![\d.,]){_FINE}")
_TWO_BEHIND = re.compile(r"[.,]\d{2}(?!\d)")
_WITH_POINT = frozenset({"en", "he", "hi", "ja", "ko", "th", "zh"})
_THREE_BEHIND = re.compile(r"(?<![\d.,])\d{1,3}[.,]\d{3}(?![\d.,]*\d|[.,][-–—])")
"""A number that is in thousands, or has three decimals."""
LONGEST_ALONE = 40  # characters of a text that is a price
LONGEST = 400  # characters of a text in which prices are looked for


_LESS_BEFORE = re.compile(
    r"(?:\bsav(?:e|ings?)|\bspar(?:en?|t)?|ersparnis|économi\w*|ahorr\w*|risparmi\w*|poup\w+|"
    r"bespaar\w*|"
    r"oszcz\w+|скидк\w|экономи\w|discount|rabatt?|remise|descuento|sconto|coupon|gutschein|"
    r"cashback)"
    r"\s?:?\s(?:(?:up to|bis zu|jusqu.à|hasta|fino a|von|of)\s)?$"
    r"|(?<![\w.,])\d{1,2}\s?[×xх]\s?$|(?:payments|instal?lments) of\s$|\braten (?:zu|à|"
    r"von)\s(?:je\s)?$",
    re.IGNORECASE,
)
"""What is in front of amounts that a price is less by, and of parts of a price: 3 × 9.99 €."""

_LESS_AFTER = re.compile(
    r"\s?(?:off\b|rabatt?\b|gespart|sparen|günstiger|ersparnis|de (?:réduction|remise|descuento|"
    r"desconto)|"
    r"di sconto|korting|discount|cashback|скидк|less\b)",
    re.IGNORECASE,
)
"""What is behind the former."""

_UNIT = (
    r"(?:\d{1,4}(?:[.,]\d)?\s?)?(?:kg|kilogramm|kilo|g|mg|lbs?|oz|fl\.?\s?oz|l|liter|litre|litro|"
    r"ml|cl|dl|m²|m2|qm|sq\.?\s?ft|"
    r"stück|stk\.?|st\.?|pcs?|pieces?|units?|unité|pièce|unidad|pezzo|ct|count|sheets?|кг|л|мл|"
    r"шт\.?|tk)"
)
_PER = re.compile(rf"\s?(?:/|per|pro|je|par|por|al|за)\s?({_UNIT})(?![\w²])", re.IGNORECASE)
_UNIT_AHEAD = re.compile(rf"({_UNIT})\s?=\s?$", re.IGNORECASE)


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
    if not _DIGIT.search(text):
        return ()
    return tuple(match.span() for match in PRICE.finditer(text) if not _is_less(text, match))


def _is_less(text: str, match: re.Match[str]) -> bool:
    """Whether an amount is not a price, but what one is less by, or a part of one."""
    before = text[max(0, match.start() - LONGEST_ALONE) : match.start()]
    return bool(_LESS_BEFORE.search(before) or _LESS_AFTER.match(text, match.end()))


def unit_of(before: str, after: str) -> str | None:
    """What a price is for, by the texts beside it: a kilogram, a litre, a piece."""
    per = _PER.match(after) or _UNIT_AHEAD.search(before)
    return per[1].strip() if per and any(map(str.isalpha, per[1])) else None


def is_price(text: str) -> bool:
    """Whether a text is nothing but a price."""
    found = spans(text) if len(text) <= LONGEST_ALONE else ()
    return len(found) == 1 and found[0][1] - found[0][0] >= len(text.strip()) - 1


def point_of(texts: Iterable[str], language: str) -> str | None:
    """The sign in front of decimals in the prices of some texts: where one has two, none the other.

    English and the languages of East Asia have a point; others may have one as well.
    """
    said = {
        text[match.start()]
        for text in texts
        for start, stop in spans(text)
        for match in _TWO_BEHIND.finditer(text, start, stop)
    }
    if language and language not in _WITH_POINT:
        said.add(",")
    return said.pop() if len(said) == 1 else None


def _point_in(text: str, usual: str | None) -> str | None:
    """The sign in front of three decimals and more; None where there are fewer, or thousands."""
    found = _FINELY.search(text)
    if found is None and usual and (three := _THREE_BEHIND.search(text)) and usual in three[0]:
        return usual
    return next((sign for sign in found[0] if sign in ".,"), None) if found else None


@lru_cache(1 << 12)
def amount_of(text: str, point: str | None = None) -> Amount:
    """What a price amounts to; `point` is in front of the decimals, where that is known.

    >>> amount_of("€1.870").amount, amount_of("€1.870", ".").amount, amount_of("€0.112").amount
    (1870.0, 1.87, 0.112)
    """
    from price_parser import Price

    if FREE.match(text.strip()):
        return Amount(0.0, None)
    price = Price.fromstring(text, decimal_separator=_point_in(text, point))
    sign = _CURRENCY.search(text)
    return Amount(price.amount_float, sign[0].strip() if sign else price.currency)


# What is written beside prices, and on buttons to buy something

SAID = {
    "old": re.compile(
        r"\blist\b|list(?:en)?preis|\bwas\b|regular|\breg\b|retail|msrp|rrp|\bold\b|before|statt|"
        r"\buvp\b|früher|"
        r"bisher|ancien|au lieu|conseillé|barré|antes|anterior|listino|prima|original|normal|"
        r"вместо|"
        r"стар|adviesprijs|\bvan\b|ord\.|tidigare|before|compare|原價|建議售價|定価|参考価格|"
        r"정가|原价",
        re.IGNORECASE,
    ),
    "now": re.compile(
        r"\bour\b|\bnow\b|sale|price|\byour?\b|today|special|only|jetzt|\bnur\b|preis|\bprix\b|"
        r"precio|prezzo|"
        r"preço|цена|prijs|\bpris\b|cena|hind|hinta|\bпо\b|\bbuy|特價|優惠|価格|판매가|售价|total",
        re.IGNORECASE,
    ),
    "less": re.compile(
        r"\bsave|saving|spar(?:en|e|t)?\b|ersparnis|rabatt?|économ|remise|ahorr|descuento|risparm|"
        r"sconto|"
        r"korting|скидк|экономи|discount|rebate|coupon|\boff\b|折抵|할인",
        re.IGNORECASE,
    ),
    "beside": re.compile(
        r"ship|deliver|postage|versand|liefer|livraison|env[ií]o|spedizion|доставк|verzend|frakt|"
        r"dostaw|"
        r"warranty|garantie|gift|points?\b|bonus|used|refurb|gebraucht|occasion|protection|insur|"
        r"運費|配送",
        re.IGNORECASE,
    ),
    "part": re.compile(
        r"month|\bmo\b|monat|\bmois|\bmes\b|mese|rate\b|raten|instal|financ|credit|кредит|\bper\b|"
        r"\bpro\b|"
        r"\bje\b|each|месяц|rate lunare|kuumakse|分期|월",
        re.IGNORECASE,
    ),
    "untaxed": re.compile(
        r"excl|exkl|ex\.? ?vat|ohne mwst|netto|hors tax|\bht\b|brez ddv|без ндс|bez dph|bez vat|"
        r"sin iva|"
        r"iva esclusa|未稅|ekskl",
        re.IGNORECASE,
    ),
    "taxed": re.compile(
        r"incl|inkl|\bttc\b|mwst|\bust\b|\bvat\b|iva incl|z ddv|с ндс|s dph|alv|\bgst\b|moms|"
        r"税込|含稅",
        re.IGNORECASE,
    ),
    "from": re.compile(
        r"\bfrom\b|\bab\b|\bdès\b|à partir|desde|\bda\b|\bот\b|vanaf|\bup to\b|\bover\b|\babove\b|"
        r"\bunder\b",
        re.IGNORECASE,
    ),
}
"""What is written beside prices, by what it says of them."""

_CARTS = r"(?:my )?(?:shopping )?(?:cart|bag|basket|trolley)"
_BUYING = {
    "add to ": rf"(?:{_CARTS}|order)",
    "put to ": _CARTS,
    "buy": r"(?: it)? now|(?<=^buy)$",
    **dict.fromkeys(("jetzt kaufen", "ajouter au panier", "agregar al", "do koszyka", "do košíku",
                     "v košarico", "в корзину", "læg i kurv", "legg i", "order now", "place bid",
                     "pre-order", "preorder"), ""),
    **dict.fromkeys("warenkorb acheter añadir comprar carrello acquista adicionar купить bestellen "
                    "kosárba köp ostukorvi ostoskoriin sepete checkout qty quantity quantité menge "
                    "カートに 加入購物車 購買 구매 장바구니".split(), ""),
    "winkel": "(?:wagen|mand)",
    "adaug": "[aă] [iî]n co[sș]",
}  # fmt: skip
"""What is written on and beside buttons to buy something, in small letters: how it begins, which is
looked for first, and how that goes on."""

CART_BEGUN = tuple(_BUYING)
CART = re.compile("|".join(f"{begun}(?:{rest})" for begun, rest in _BUYING.items()), re.MULTILINE)
