"""Whether a page is an article at all."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pagesight.models.logistic import fit_logistic, sigmoid
from pagesight.readers.article.labelling.labels import LabelledZones
from pagesight.readers.article.labelling.sections import headed_abstract
from pagesight.readers.article.names.persons import bare_name, is_name
from pagesight.readers.article.reading import Author
from pagesight.readers.article.text import DOI, EMAIL, JOURNAL, YEAR
from pagesight.readers.article.vocabulary import (
    GENERAL,
    SHORT_PIECES,
    is_article_kind,
    names_institution,
    unwrapped,
)
from pagesight.readers.article.zones import Zones
from pagesight.segment.text import folded

Floats = NDArray[np.float64]

EVIDENCE = (
    "bias", "authors", "affiliations", "abstract heading", "references",
    "reference heading", "doi", "section headings", "journal", "kind", "other kind", "author runs",
    "stated kind", "cites itself", "headed abstract", "tools", "other type", "titles alike",
    "authors sure", "keywords",
)  # fmt: skip
_REFERENCES = ("references", "reference heading")
_ABSTRACT = ("abstract heading", "headed abstract", "section headings", "keywords")
_DOI = ("doi",)
_TOOLS = ("tools", "stated kind", "cites itself")
_MISSING = (_REFERENCES, _ABSTRACT, _DOI, _REFERENCES + _ABSTRACT, _REFERENCES + _DOI,
            _ABSTRACT + _DOI, _TOOLS)  # fmt: skip
CITING = (0.8, 1.0)  # evidence of references on most articles
NEAR = 12  # zones above the title in which the kind of article is stated
FEWEST_WORDS = 3  # of such a title
LONGEST_KIND = 60  # characters of what a page calls itself
PENALTY = 0.1  # of the weights of evidence
LAID_OUT = 24.0  # how much a page in a layout of ours counts
FEWEST_CITED, FEWEST_SECTIONS = 3, 4  # references or headings of one that names no authors
_FOR_AUTHORS = re.compile(  # what pages are called that say how to write articles
    r"""(?:instructions?|guid(?:e|elines)|information|advice|notes)\ (?:for|to)\ (?:the\ )?authors|
    (?:author|submission|manuscript)\ (?:guidelines|instructions)|call\ for\ papers""",
    re.IGNORECASE | re.VERBOSE,
)
_OTHER_KIND = re.compile(rf"\W*(?:{unwrapped(GENERAL['other_kinds'])})\W*", re.IGNORECASE)
_TOOL = re.compile(rf"\W*(?:{unwrapped(GENERAL['paper_tools'])})\W*", re.IGNORECASE)
_OTHER_TYPE = re.compile(rf"\W*(?:{unwrapped(GENERAL['other_types'])})\W*", re.IGNORECASE)
_EMPTY = np.array([1.0] + [0.0] * (len(EVIDENCE) - 1))


def evidence(labelled: LabelledZones, authors: Sequence[Author]) -> Floats:
    """What speaks for an article and against it, as numbers between 0 and about 1.

    What other articles are about, on a page that lists or cites them, speaks for nothing.
    """
    texts = labelled.zones.texts
    if not texts or not (authors or _is_unsigned_article(labelled)):
        return _EMPTY.copy()
    of = labelled.of
    kinds, cues = labelled.zones.kinds, labelled.zones.cues
    references, titles = of("reference"), of("title")
    first = min(titles, default=0)
    in_issue = any(JOURNAL.search(texts[zone]) for zone in of("before", "front", "dates"))
    is_issue = any(JOURNAL.search(texts[zone]) for zone in titles)  # "Volume 12, issue 3"
    end = min(of("body", "reference"), default=len(texts))  # DOIs below may be those of others
    sections = {kind for kinds_of_zone in kinds for kind in kinds_of_zone}
    pieces = labelled.zones.pieces
    short = {piece.strip() for piece in pieces if len(piece) <= LONGEST_KIND}
    linked = {pieces[at].strip() for at in np.flatnonzero(labelled.zones.link >= 0)}
    unlinked = short - linked  # what is in menus says nothing of the page
    return np.array(
        [
            1.0,
            min(np.log1p(len(authors)) / 2, 1.0),
            min(len(of("affiliation")) / 3, 1.0),
            float("abstract" in sections or any("abstract" in cue for cue in cues)),
            min(np.log1p(len(references)) / 4, 1.0),
            float("references" in sections),
            float(any(DOI.search(text) for text in texts[:end])),
            min(sum("body" in kinds_of_zone for kinds_of_zone in kinds) / 4, 1.0),
            float(in_issue and not is_issue),
            float(any(map(is_article_kind, texts[max(first - NEAR, 0) : first]))),
            min(sum(map(bool, map(_OTHER_KIND.fullmatch, unlinked))) / 3, 1.0),
            np.clip((len(labelled.runs("author", gap=3)) - 1) / 4, 0.0, 1.0),
            float(any(map(is_article_kind, short))),
            float(_cites_itself(labelled)),
            min(
                int(
                    labelled.zones.words[headed_abstract(texts, first, labelled.zones.beyond)].sum()
                )
                / 80,
                1.0,
            ),
            min(sum(map(bool, map(_TOOL.fullmatch, short))) / 3, 1.0),
            float(any(map(_OTHER_TYPE.fullmatch, unlinked))),
            min(_titles_alike(labelled.zones, first, titles) / 4, 1.0),
            labelled.confidence[of("author")].max() if of("author") else 1.0,  # that there are none
            float(bool(of("keywords"))),
        ]
    )


def _cites_itself(labelled: LabelledZones) -> bool:
    """Whether a line says how to cite the page: its title, and where and when it appeared."""
    texts, titles = labelled.zones.texts, labelled.of("title")
    title = folded(texts[titles[0]])[:LONGEST_KIND] if titles else ""
    others = (text for zone, text in enumerate(texts) if zone not in titles)
    cited = (text for text in others if len(text) > len(title) and YEAR.search(text))
    return bool(title) and any(title in folded(text) for text in cited)


def _titles_alike(zones: Zones, title: int, titles: Sequence[int]) -> int:
    """How many texts look like the title, in elements like its own: lists have many titles."""
    alike = (zone for zone, _ in zones.alike([title], range(len(zones))) if zone not in titles)
    wordy = (zone for zone in alike if zones.words[zone] >= FEWEST_WORDS)
    return sum(bool(zones.font_size[zone] == zones.font_size[title]) for zone in wordy)


def is_entry(labelled: LabelledZones, author: int) -> bool:
    """Whether the line above a name looks like the title of an article: a link, or larger."""
    zones, above = labelled.zones, author - 1
    if above < 0 or labelled.labels[above] not in ("title", "front", "before", "body", "after"):
        return False
    size, text = zones.font_size, zones.texts[above]
    stands_out = zones.link[zones.first[above]] >= 0 or size[above] > size[author]
    other = names_institution(text) or EMAIL.search(text) or zones.kinds[above]
    named_twice = is_name(bare_name(text))
    return bool(stands_out and zones.words[above] >= FEWEST_WORDS and not (other or named_twice))


def _is_unsigned_article(labelled: LabelledZones) -> bool:
    """Whether a page that names no authors may be an article: by its kind, or by its parts."""
    zones, titles = labelled.zones, labelled.of("title")
    if any(_FOR_AUTHORS.search(zones.texts[zone]) for zone in titles):
        return False
    first = min(titles, default=0)
    above = zones.texts[max(first - NEAR, 0) : first]
    kind = any(map(is_article_kind, above)) or any(
        SHORT_PIECES.match(zones.texts[zone]) for zone in titles
    )
    sections = sum("body" in kinds_of_zone for kinds_of_zone in zones.kinds)
    parts = sections or any("abstract" in kinds_of_zone for kinds_of_zone in zones.kinds)
    cites = len(labelled.of("reference")) >= FEWEST_CITED
    return kind or bool(sections >= FEWEST_SECTIONS or (parts and cites))


def with_references(rows: Floats) -> Floats:
    """What would speak for other pages if they cited as much as articles do: encyclopedias, say."""
    citing = rows.copy()
    citing[:, [EVIDENCE.index(name) for name in _REFERENCES]] = CITING
    return citing


def shortened(rows: Floats) -> Floats:
    """What would speak for articles without references, abstract, DOI or tools, or two of these.

    Letters, editorials, corrections and old articles are so; few of the pages to learn from are.
    """
    shorter = []
    for missing in _MISSING:
        short = rows.copy()
        short[:, [EVIDENCE.index(name) for name in missing]] = 0.0
        shorter.append(short)
    return np.concatenate(shorter)


def is_article(
    labelled: LabelledZones, authors: Sequence[Author], weights: Floats
) -> tuple[bool, float]:
    """The verdict, and how likely it is that the page is an article."""
    score = float(evidence(labelled, authors) @ weights)
    probability = float(sigmoid(np.clip(score, -30, 30)))
    return probability >= 0.5, probability


def fit(right: Sequence[Floats], wrong: Sequence[Floats]) -> Floats:
    """Weights by logistic regression, from evidence for articles and for other pages.

    Of each, the last rows come from layouts of our own, and count more: the others, of which there
    are many, are much alike. Both answers count the same in total.
    """
    kinds = (*right, *wrong)
    counts = [LAID_OUT if rows is right[-1] or rows is wrong[-1] else 1.0 for rows in kinds]
    weights = np.repeat(counts, [len(rows) for rows in kinds])
    answers = np.arange(len(weights)) < sum(map(len, right))
    for answer in (answers, ~answers):
        weights[answer] *= 0.5 * len(weights) / max(weights[answer].sum(), 1e-9)
    return fit_logistic(np.concatenate(kinds), answers, penalty=PENALTY, weights=weights)
