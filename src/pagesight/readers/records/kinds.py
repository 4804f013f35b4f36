"""What is seen of a whole page: whether it shows a list, one product, or something else."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from pagesight.models.logistic import sigmoid
from pagesight.readers.records.details import Detail
from pagesight.readers.records.lists import distinct_share
from pagesight.readers.records.model import RecordsModel, ScoredList
from pagesight.readers.records.price_clues import (
    FAR,
    FIRST,
    LONGEST_SAID,
    apart,
    carts_of,
    headings_of,
    steps,
    words_by_piece,
    words_of,
)
from pagesight.readers.records.reading import Kind
from pagesight.readers.records.sight import Sight

ABOUT = {
    "shop": frozenset(
        "sku stock availability available quantity qty wishlist warranty specification "
        "specifications delivery shipping review reviews item model condition brand lager "
        "lieferzeit verfügbar artikelnummer artikel lieferung livraison disponible disponibile "
        "envío spedizione наличии доставка характеристики отзывы garantie versand".split()
    ),
    "list": frozenset(
        "sort sorted sortieren results result showing filter filters next refine matches found "
        "ergebnisse weiter trier résultats ordenar resultados risultati сортировать relevance "
        "page pages previous".split()
    ),
    "post": frozenset(
        "comment comments posted reply replies author authors published subscribe updated written "
        "joined thread post posts kommentar kommentare veröffentlicht newsletter read share "
        "answer answers topic member members".split()
    ),
    "work": frozenset(
        "contact services team trial testimonials pricing month consultation quote plan plans "
        "customers solutions clients appointment book call partners careers request demo "
        "started support".split()
    ),
    "docs": frozenset(
        "docs documentation contents api tutorial reference guide guides install installation "
        "example examples edit github version changelog release usage syntax".split()
    ),
    "date": frozenset(
        "jan feb mar apr jun jul aug sep sept oct nov dec january february march april june july "
        "august september october november december ago hours days months years".split()
    )
    | frozenset(map(str, range(1995, 2040))),
}
"""Words of the short texts that shops, lists, posts, companies and manuals have."""

_TELLING = frozenset[str]().union(*ABOUT.values())
PARAGRAPHS = (100, 250, 500)  # characters from which on a text is prose
AFTER = 40  # pieces behind a headline that are seen with it
BUYING = 80  # pieces behind a headline in which there may be a way to buy
_OF_HEADLINE = (
    "h1", "top", "size", "in title", "of title", "length", "link", "order", "px to picture",
    "prices after", "links after", "characters after", "long after", "carts after", "cart",
    "pictures after", "buttons after",
)  # fmt: skip
LARGE = 0.7  # of the largest picture: as large
_OF_LIST = (
    "count", "characters share", "area share", "prices share", "pictures share", "with prices",
    "with pictures", "with links", "with headings", "with long", "with buttons", "characters",
    "link share", "alike", "distinct", "same class", "whole width", "whole height", "top", "chance",
    "columns", "digits", "in main", "in navigation", "in aside", "in footer", "size",
)  # fmt: skip


def page_features(sight: Sight, lists: Sequence[ScoredList], detail: Detail) -> dict[str, float]:
    """The features of a page: of its best list, of the product that it may be about, and of all."""
    best = max(lists, key=lambda scored: scored.score, default=None)
    listed = {f"list {name}": best.features[name] if best else 0.0 for name in _OF_LIST}
    listed["list distinct"] = distinct_share(sight, best.group) if best else 0.0
    scores = sorted((scored.score for scored in lists), reverse=True)
    sums = {name: float(total[-1]) for name, total in sight.pieces.sums.items()}
    characters = max(1.0, sums["characters"])
    return {
        **listed,
        **{f"detail {name}": value for name, value in detail.features.items()},
        **_product_and_list(sight, best, detail),
        **page_clues(sight, detail.headline),
        "carts": float(np.log1p(len(carts_of(sight)))),
        "best score": scores[0] if scores else 0.0,
        "margin": scores[0] - scores[1] if len(scores) > 1 else 0.0,
        "lists": float(np.log1p(len(scores))),
        **{name: float(np.log1p(sums[name])) for name in ("characters", "prices", "pictures",
           "headings", "buttons", "links", "long")},
        "link share": sums["link characters"] / characters,
        "long share": sums["long"] / max(1.0, sums["texts"]),
        "price share": sums["prices"] / max(1.0, sums["texts"]),
        "height": float(np.log(sight.height)),
    }  # fmt: skip


def _product_and_list(sight: Sight, best: ScoredList | None, detail: Detail) -> dict[str, float]:
    """Where the name and the price of the product are: in the best list, in front or behind."""
    price = detail.value("detail price") if "detail price" in detail.chosen else None
    units = {"name": detail.headline, "price": price.unit if price else -1}
    pieces = len(sight.units.content.nodes)
    features: dict[str, float] = {}
    for name, unit in units.items():
        place = int(sight.units.first[unit]) if unit >= 0 else -1
        group = best.group if best else None
        inside = group is not None and bool(((group.first <= place) & (place < group.last)).any())
        ahead = (
            (int(group.first[0]) - place) / max(1, pieces)
            if group is not None and unit >= 0
            else 0.0
        )
        features |= {f"{name} in list": float(inside), f"{name} before list": ahead}
    area = sight.pieces.area * sight.pieces.picture
    most = float(area.max(initial=0.0))
    features["largest picture"] = float(np.log1p(most))
    features["pictures as large"] = float(np.log1p((area > LARGE * most).sum()))
    return features


def kind_of(model: RecordsModel, features: Mapping[str, float]) -> tuple[Kind, float]:
    """The kind of a page, and how probable it is."""
    chances = {
        kind: float(sigmoid(ranker.scores([features])[0])) for kind, ranker in model.kinds.items()
    }
    best = max(chances, key=lambda kind: chances[kind], default=Kind.LIST)
    share = chances.get(best, 1.0) / max(1e-9, sum(chances.values()) or 1.0)
    return Kind(best), model.confidence("kind", share)


# What a whole page says of itself


def page_clues(sight: Sight, headline: int) -> dict[str, float]:
    """What tells kinds of pages apart, whatever lists and prices they have."""
    return {**_about(sight), **_prose(sight), **_of_headline(sight, headline)}


def _about(sight: Sight) -> dict[str, float]:
    """How many short texts have words of each kind."""
    pairs = zip(sight.pieces.texts, words_by_piece(sight), strict=True)
    said = [words for text, words in pairs if words and len(text) <= LONGEST_SAID]
    telling = [words for words in said if not _TELLING.isdisjoint(words)]
    features = {}
    for kind, known in ABOUT.items():
        count = sum(not known.isdisjoint(words) for words in telling)
        features[f"about {kind}"] = float(np.log1p(count))
        features[f"about {kind} share"] = count / max(1, len(said))
    return features


def _prose(sight: Sight) -> dict[str, float]:
    """How much is written in paragraphs, apart from links."""
    pieces = sight.pieces
    written = np.bincount(sight.block, pieces.characters * ~pieces.link)
    total = max(1.0, float(pieces.characters.sum()))
    features = {"longest paragraph": float(np.log1p(written.max(initial=0.0)))}
    for least in PARAGRAPHS:
        long = written[written >= least]
        features[f"paragraphs of {least}"] = float(np.log1p(len(long)))
        features[f"in paragraphs of {least}"] = float(long.sum()) / total
    return features


def _of_headline(sight: Sight, headline: int) -> dict[str, float]:
    """What the headline looks like, and what follows it."""
    if headline < 0:
        return {f"headline {name}": -1.0 for name in _OF_HEADLINE}
    pieces, text = sight.pieces, sight.text(headline)
    first, last = int(sight.units.first[headline]), int(sight.units.last[headline])
    title, said = (words_of(some) for some in (sight.units.page.head.title or "", text))
    carts = carts_of(sight)
    seen = slice(last, last + AFTER)
    features = (
        headline in headings_of(sight.units.page, FIRST),
        np.log1p(max(0.0, sight.units.corners[headline][1])),
        pieces.size[first] / max(1.0, pieces.size.max()),
        len(title & said) / max(1, len(said)),
        len(title & said) / max(1, len(title)),
        np.log1p(len(text)),
        pieces.link[first],
        first / len(pieces.texts),
        _px_to_picture(sight, headline),
        np.log1p(pieces.priced[seen].sum()),
        pieces.link[seen].mean() if last < len(pieces.texts) else 0.0,
        np.log1p(pieces.characters[seen].sum()),
        np.log1p((pieces.characters[seen] > LONGEST_SAID).sum()),
        np.log1p(((carts >= first) & (carts < last + BUYING)).sum()),
        steps(np.array([first]), carts)[0],
        np.log1p(pieces.picture[seen].sum()),
        np.log1p(pieces.button[seen].sum()),
    )
    pairs = zip(_OF_HEADLINE, features, strict=True)
    return {f"headline {name}": float(value) for name, value in pairs}


def _px_to_picture(sight: Sight, headline: int) -> float:
    area = np.where(sight.pieces.picture, sight.pieces.area, 0.0)
    if not area.any():
        return FAR
    largest = sight.corners[int(np.argmax(area))][None]
    return float(apart(sight.units.corners[headline][None], largest)[0])
