"""Reading an article: zones, labels, values."""

from __future__ import annotations

import re

import numpy as np

from pagesight.errors import ModelError
from pagesight.lazy import imported
from pagesight.models.weights import HINT
from pagesight.page import Page
from pagesight.page.derived import once_per_page
from pagesight.readers.article.fields.abstract import abstract
from pagesight.readers.article.fields.authors import authors_and_affiliations
from pagesight.readers.article.fields.metadata import by_tags, with_tags
from pagesight.readers.article.fields.publication import (
    appeared,
    dates,
    doi,
    keywords,
    title,
    year,
)
from pagesight.readers.article.fields.references import references
from pagesight.readers.article.labelling.confidence import by_label
from pagesight.readers.article.labelling.features import features
from pagesight.readers.article.labelling.judging import is_article
from pagesight.readers.article.labelling.labels import (
    LABELS,
    NEVER,
    Floats,
    LabelledZones,
    certain,
    decode,
    labelled_zones,
)
from pagesight.readers.article.labelling.weights import (
    ArticleWeights,
    if_an_article,
    shipped_weights,
)
from pagesight.readers.article.names.persons import bare_name, given_first, is_name
from pagesight.readers.article.reading import ArticleReading, ArticleValue
from pagesight.readers.article.tags import stated
from pagesight.readers.article.text import DOI, have_other_script, is_english
from pagesight.readers.article.vocabulary import heading_kinds, is_author_caption
from pagesight.readers.article.zones import Zones, article_zones
from pagesight.segment.nodes import innermost, named

MODELS = ("ours", "seed")
SEED = "pagesight.readers.article.seed.model:label"
METADATA = ("auto", "ignore")
CAPTION = 4.0  # log-odds of a name below a caption that says whose it is
LONGEST_BYLINE = 1000  # characters
AT_ONCE = 64  # zones that are scored together: for more, threads would be waited for
MARGIN = 2.0  # log-odds that a title may look less like one than the zone that does most
MOST_LINES = 3  # of a title, besides the first
MOST_WORDS = 50  # of a title
FEWEST_IN_SUBTITLE = 3  # words; what is shorter may be a badge
HEADING_TAGS = frozenset({"h1", "h2", "h3"})
TELLING = frozenset({"abstract", "references"})  # headings that most articles have
NO_TITLE = re.compile(  # a section within one, a note to the authors, or what has an address in it
    r"\d{1,2}\.\d{1,2}\.\s|\W*(?:these|both) authors\b|\W*(?:contributed equally|equal contrib)|"
    r".{0,200}?https?://",
    re.IGNORECASE,
)


@once_per_page
def read_article(
    page: Page,
    /,
    *,
    model: str = "ours",
    metadata: str = "auto",
    weights: ArticleWeights | None = None,
) -> ArticleReading:
    """What a page says about the article that it shows.

    `model` is ``ours`` or ``seed``, the model of the layout paper. With `metadata` ``auto``, the
    citation tags of the document confirm and complete what is seen; with ``ignore``, the head of
    the page is not looked at.
    """
    if model not in MODELS or metadata not in METADATA:
        raise ValueError(f"there is no model {model!r} with metadata {metadata!r}")
    weights = weights or shipped_weights()
    zones = article_zones(page)
    stated_tags = stated(page) if metadata == "auto" else None
    evidence = by_tags(zones, stated_tags) if stated_tags and model == "ours" else None
    labelled = label_zones(zones, model=model, weights=weights, evidence=evidence)
    reading = reading_of(labelled, weights.judgement)
    reading = with_tags(reading, labelled, stated_tags) if stated_tags else reading
    return if_an_article(reading)


def no_article(page: Page) -> ArticleReading | None:
    """An empty reading of a page that is clearly not an article; None of any other."""
    if may_be_article(page):
        return None
    return ArticleReading(is_article=False, confidence=0.0, url=page.url)


def may_be_article(page: Page) -> bool:
    """Whether it is worth the time to read a page as an article; few other pages pass."""
    if page.head.get("citation_title", "citation_doi", "dc.creator"):
        return True
    texts = [page.strings[text] for text in set(page.columns["text"].tolist()) if text >= 0]
    if any(DOI.search(text) for text in texts if "10." in text):
        return True
    return any(not TELLING.isdisjoint(heading_kinds(text)) for text in texts)


def label_zones(
    zones: Zones, *, model: str, weights: ArticleWeights, evidence: Floats | None = None
) -> LabelledZones:
    """The zones with the labels that a model gives them.

    `evidence`, zones × labels, is added to the scores of our model.
    """
    if model == "seed":
        labels, confidence = imported(SEED)(zones, weights.seed)
        return LabelledZones(zones, labels, certain(labels, confidence))
    scores = model_scores(zones, weights)
    return decided(zones, scores if evidence is None else scores + evidence, weights)


def model_scores(zones: Zones, weights: ArticleWeights) -> Floats:
    """What our model says of each zone by itself, zones × labels."""
    if not len(zones):
        return np.zeros((0, len(LABELS)))
    columns = features(zones)
    if columns.keys() != set(weights.features):
        raise ModelError("the weights of 'article' are for other features", hint=HINT)
    rows = np.array([columns[name] for name in weights.features])
    pieces = np.array_split(rows, range(AT_ONCE, len(zones), AT_ONCE), axis=1)
    return np.concatenate([piece.T @ weights.emission for piece in pieces])


def decided(zones: Zones, scores: Floats, weights: ArticleWeights) -> LabelledZones:
    """The zones with the labels of the likeliest chain, by the scores of each zone."""
    if have_other_script(zones.texts):
        from pagesight.readers.article.labelling.scripts import by_script

        scores = scores + by_script(zones)
    scores = gated(scores + by_captions(zones), zones)
    numbers, chances = decode(weights.chain, weights.orders, scores, sheets=zones.on_sheets)
    labels = [LABELS[number] for number in numbers.tolist()]
    _continue_title(zones, labels)
    _end_title(zones, labels)
    return LabelledZones(zones, labels, chances, by_label(weights.judges))


def _continue_title(zones: Zones, labels: list[str]) -> None:
    """Label the lines in the same heading as the title as parts of it."""
    if "title" not in labels or zones.on_sheets:
        return
    found, page = labels.index("title"), zones.page
    around = innermost(named(page, HEADING_TAGS), page.columns["parent"])
    heads = zones.heads
    heading = int(around[heads[found]])
    inner = range(*np.searchsorted(heads, (heading, page.end[heading])).tolist())
    for way in (range(found - 1, inner.start - 1, -1), range(found + 1, inner.stop)):
        for zone in way if heading >= 0 else ():
            if labels[zone] != "title" and zones.words[zone] < FEWEST_IN_SUBTITLE:
                break
            if zones.cues[zone]:
                break
            labels[zone] = "title"


def _end_title(zones: Zones, labels: list[str]) -> None:
    """Label a line below the title that says it in another language, in another size, as front."""
    first = labels.index("title") if "title" in labels else len(labels)
    for below in range(first + 1, len(labels)):
        if labels[below] != "title":
            break
        other = is_english(zones.texts[below]) != is_english(zones.texts[first])
        if other and zones.font_size[below] < zones.font_size[first]:
            labels[below] = "front"


def by_captions(zones: Zones) -> Floats:
    """What is added to the scores of names below ``Authors:``, or behind it in the same line."""
    added = np.zeros((len(zones), len(LABELS)))
    captioned = False
    for zone, text in enumerate(zones.unmarked):
        if captioned and is_name(given_first(bare_name(text))):
            added[zone, LABELS.index("author")] = CAPTION
        else:
            captioned = is_author_caption(text)
            caption, colon, names = text[:LONGEST_BYLINE].partition(":")
            if colon and names and is_author_caption(caption):
                added[zone, LABELS.index("author")] = CAPTION
    return added


def gated(scores: Floats, zones: Zones) -> Floats:
    """Scores by which only zones that look like titles may be one, or continue one.

    Otherwise, where much navigation follows a title, the chain puts the title behind it. And a
    heading of references says so.
    """
    if not len(scores):
        return scores
    title = LABELS.index("title")
    others = np.logaddexp.reduce(np.delete(scores, title, axis=1), axis=1)
    kinds = zones.kinds
    plain = [
        not kinds_of_zone and "figure" not in cues and not NO_TITLE.match(text)
        for kinds_of_zone, cues, text in zip(kinds, zones.cues, zones.texts, strict=True)
    ]
    wordy = (zones.words >= 1) & (zones.words <= MOST_WORDS)
    odds = np.where(plain & wordy, scores[:, title] - others, NEVER)
    likely = odds > odds.max() - MARGIN
    for _ in range(MOST_LINES):
        likely[1:] |= likely[:-1] & (odds[1:] > odds.max() - 2 * MARGIN)
    gated = scores.copy()
    gated[~likely, title] = NEVER
    heading = np.array(["references" in kinds_of_zone for kinds_of_zone in kinds])
    gated[~heading, LABELS.index("reference heading")] = NEVER
    return gated


def reading_of(labelled: LabelledZones, judgement: Floats) -> ArticleReading:
    """The values of labelled zones; `judgement` weighs the evidence for an article."""
    authors, affiliations = authors_and_affiliations(labelled)
    verdict, confidence = is_article(labelled, authors, judgement)
    called = title(labelled)
    place = appeared(labelled, called.text if called else "") if verdict else {}
    return ArticleReading(
        is_article=verdict,
        confidence=confidence,
        title=called,
        authors=authors,
        affiliations=affiliations,
        abstract=abstract(labelled),
        keywords=tuple(keywords(labelled)),
        references=references(labelled),
        doi=_placed(labelled, doi(labelled)),
        year=_placed(labelled, year(labelled)),
        dates=dates(labelled),
        journal=place.get("journal"),
        volume=place.get("volume"),
        issue=place.get("issue"),
        pages=place.get("pages"),
        url=labelled.zones.page.url,
        zones=labelled_zones(labelled),
    )


def _placed(labelled: LabelledZones, text: str | None) -> ArticleValue | None:
    """A text with its place: the first zone that says it, one with dates before all others."""
    if text is None:
        return None
    saying = [zone for zone, zone_text in enumerate(labelled.zones.texts) if text in zone_text]
    dated = [zone for zone in saying if labelled.labels[zone] == "dates"]
    return ArticleValue(**labelled.value(text, (dated or saying)[:1]))
