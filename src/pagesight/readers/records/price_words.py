"""What is written beside prices, and on buttons to buy something."""

from __future__ import annotations

import re

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
