"""Learning to parse citations, and how well that works for publishers that were not learned from."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from pagesight.learning.calibration import Judged
from pagesight.learning.scores import Prf
from pagesight.models import crf
from pagesight.models.crf import LabelledSequence
from pagesight.models.logistic import Platt
from pagesight.readers.article.citations.labels import LABELS
from pagesight.readers.article.citations.looks import citation_of
from pagesight.readers.article.citations.parser import Parts
from pagesight.readers.article.citations.tokens import Vocabulary, features, normal_gap
from pagesight.readers.article.citations.weights import PARTS, CitationWeights
from pagesight.readers.article.fields.references import items
from pagesight.readers.article.learning.citation_labels import (
    LabelledCitation,
    abbreviates,
    label,
)
from pagesight.readers.article.learning.citation_styles import restyled
from pagesight.readers.article.learning.cited import Cited
from pagesight.readers.article.learning.corpus import ArticlePage
from pagesight.readers.article.learning.scoring import matched_references
from pagesight.readers.article.names.persons import Name, same_person
from pagesight.segment.text import dice, folded, words

PENALTY = 2.0
EPOCHS = 6
COPIES = 1  # of each reference, in other styles
WORDS, GAPS = 400, 60  # that have features of their own
HOUSES = {"public": "plos", "biomed": "bmc", "john": "wiley"}  # of one publisher


def house_of(page: ArticlePage) -> str:
    return HOUSES.get(page.house, page.house)


def labelled_citations(page: ArticlePage) -> list[LabelledCitation]:
    """The references of a page whose parts are known."""
    cited = page.labelling.truth.cited
    found = items(page.zones, page.labelling.labels) if cited else []
    matched = matched_references([one.text for one in cited], [item.text for item in found])
    return [
        label(citation_of(page.zones, found[rank].zones, found[rank].text), cited[number])
        for rank, number in matched.items()
    ]


def fit(known: Sequence[LabelledCitation], copies: int = COPIES) -> CitationWeights:
    """What these references teach, and the same in other styles."""
    examples = [*known, *restyled([one.cited for one in known], copies)]
    vocabulary = _vocabulary(examples)
    sequences = [
        LabelledSequence(features([one.citation], vocabulary), one.allowed)
        for one in examples
        if len(one.citation)
    ]
    count = sum(vocabulary.sizes.values())
    field = crf.train_indicators(sequences, count, penalty=PENALTY, epochs=EPOCHS)
    curves = dict.fromkeys(PARTS, Platt())
    return CitationWeights(vocabulary, field.emission, field.chain, curves)


def _vocabulary(examples: Sequence[LabelledCitation]) -> Vocabulary:
    """The commonest words and gaps."""
    counted: Counter[str] = Counter()
    gaps: Counter[str] = Counter()
    for example in examples:
        citation = example.citation
        counted.update(folded(token) for token in citation.tokens if token[0].isalpha())
        first, *inner, last = citation.gaps
        gaps.update(map(normal_gap, ("^" + first, *inner, last + "$")))
    return Vocabulary.of(*([key for key, _ in found.most_common(most)]
                           for found, most in ((counted, WORDS), (gaps, GAPS))))  # fmt: skip


# Scores


def right_parts(parts: Parts, cited: Cited) -> dict[str, tuple[bool, float]]:
    """By part that is known whether it is right, and how similar it is."""
    known = {
        "title": (cited.title,) if cited.title else (),
        "container": cited.containers,
        "volume": (cited.volume,) if cited.volume else (),
        "issue": (cited.issue,) if cited.issue else (),
        "year": (cited.year,) if cited.year else (),
        "pages": ("–".join(cited.pages),) if cited.pages else (),
    }
    scores = {}
    for name, texts in known.items():
        if texts:
            found = parts.parts[name].text if name in parts.parts else ""
            scores[name] = (
                any(is_same(name, found, text, whole=cited.whole) for text in texts),
                max(dice(found, text) for text in texts) if found else 0.0,
            )
    return scores


def is_same(name: str, found: str, wanted: str, *, whole: bool = True) -> bool:
    """Whether a part is right, as far as signs, capitals and abbreviations go."""
    ours, theirs = words(found), words(wanted)
    if name == "year":
        return found[:4] == wanted
    if name == "pages" and ours and theirs:
        if len(set(theirs)) == 1:  # tags may state the first page only
            return ours[0] == theirs[0] and (not whole or set(ours) == set(theirs))
        return ours[0] == theirs[0] and len(ours) == 2 and theirs[1].endswith(ours[1])
    if "".join(ours) == "".join(theirs):
        return True
    return name == "container" and bool(ours) and _is_abbreviated(ours, theirs)


def _is_abbreviated(ours: list[str], theirs: list[str]) -> bool:
    small = {"of", "the", "and", "for", "in", "on"}
    ours, theirs = ([word for word in part if word not in small] for part in (ours, theirs))
    return len(ours) == len(theirs) and all(
        abbreviates(*sorted(pair, key=len)) for pair in zip(ours, theirs, strict=True)
    )


def persons_counted(parts: Parts, cited: Cited) -> Prf:
    free = [Name(who.given, who.family) for who in parts.authors if not who.group]
    found, right = len(free), 0
    for name in cited.persons:
        same = next((at for at, one in enumerate(free) if same_person(one, name)), None)
        if same is not None:
            free.pop(same)
            right += 1
    return Prf.of(wanted=len(cited.persons), found=found if cited.whole else right, right=right)
