"""Learning to parse citations, and how well that works for other publishers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from pagesight.learning.calibration import merged, trust_in
from pagesight.learning.corpora import Corpora
from pagesight.learning.scores import Prf
from pagesight.learning.tables import table
from pagesight.learning.task import Measured, Task
from pagesight.models import crf
from pagesight.models.crf import LabelledSequence
from pagesight.models.logistic import Platt
from pagesight.readers.article.citations.fields import chance_of_doi
from pagesight.readers.article.citations.labels import STATES
from pagesight.readers.article.citations.lines import (
    FIELDS,
    Line,
    citations_of,
    own_lines,
    own_parts,
)
from pagesight.readers.article.citations.parser import RUNS, Part, Parts, parse
from pagesight.readers.article.citations.tokens import ADDRESS, Vocabulary, features, normal_gap
from pagesight.readers.article.citations.weights import CALIBRATED, TASK, VERSION, CitationWeights
from pagesight.readers.article.fields.references import items
from pagesight.readers.article.learning.citation_labels import (
    LabelledCitation,
    abbreviates,
    label,
)
from pagesight.readers.article.learning.citation_styles import restyled
from pagesight.readers.article.learning.cited import Cited, appeared_in_tags
from pagesight.readers.article.learning.corpus import CORPUS, INDEX, ArticlePage
from pagesight.readers.article.learning.scoring import matched_references
from pagesight.readers.article.names.persons import Name, same_person
from pagesight.readers.article.tags import stated
from pagesight.segment.text import folded, letters, words

PENALTY = 2.0
EPOCHS = 3
WORDS, GAPS = 400, 60  # that have features of their own
FOLDS = 3
FEWEST_HOUSES = 2  # to learn from one what the other is judged by
HOUSES = {"public": "plos", "biomed": "bmc", "john": "wiley"}  # other names of publishers
_SMALL = frozenset({"of", "the", "and", "for", "in", "on"})


@dataclass(frozen=True, eq=False)
class CitingPage:
    """The references of a page whose parts are known, and where it says that it appeared."""

    name: str
    house: str
    citations: Sequence[LabelledCitation]
    title: str
    lines: Sequence[Line]
    appeared: Cited


def citing_pages(pages: Iterable[ArticlePage]) -> list[CitingPage]:
    """The pages of which one or the other is known."""
    citing = map(_citing_page, pages)
    return [page for page in citing if page.citations or page.appeared.containers]


def _citing_page(page: ArticlePage) -> CitingPage:
    truth, labels = page.labelling.truth, page.labelling.labels
    appeared = truth.appeared or appeared_in_tags(stated(page.zones.page))
    return CitingPage(
        name=page.name,
        house=HOUSES.get(page.house, page.house),
        citations=labelled_citations(page) if truth.cited else (),
        title=(*truth.titles, "")[0],
        lines=own_lines(page.zones, labels),
        appeared=appeared,
    )


def labelled_citations(page: ArticlePage) -> list[LabelledCitation]:
    """The references that are on a page and of which parts are known, with their labels."""
    zones, cited = page.zones, page.labelling.truth.cited
    found = items(zones, page.labelling.labels)
    matched = matched_references([one.text for one in cited], [item.text for item in found])
    shown = citations_of(zones, ((found[rank].zones, found[rank].text) for rank in matched))
    return [
        replace(label(citation, cited[number]), doi=found[rank].doi)
        for citation, (rank, number) in zip(shown, matched.items(), strict=True)
    ]


def fit(pages: Sequence[CitingPage]) -> CitationWeights:
    """What these references teach, and the same in another style."""
    known = [one for page in pages for one in page.citations]
    examples = [*known, *restyled([one.seen for one in known])]
    vocabulary = _vocabulary(examples)
    sequences = [
        LabelledSequence(features([one.citation], vocabulary), one.allowed)
        for one in examples
        if len(one.citation)
    ]
    count = sum(vocabulary.sizes.values())
    learned = crf.train_indicators(sequences, count, penalty=PENALTY, epochs=EPOCHS)
    curves = dict.fromkeys(CALIBRATED, Platt())
    return CitationWeights(vocabulary, learned.emission, learned.chain, curves)


def _vocabulary(examples: Sequence[LabelledCitation]) -> Vocabulary:
    """The commonest words and gaps."""
    counted: Counter[str] = Counter()
    gaps: Counter[str] = Counter()
    for example in examples:
        citation = example.citation
        counted.update(folded(token) for token in citation.tokens if token[0].isalpha())
        first, *inner, last = citation.gaps
        gaps.update(map(normal_gap, ("^" + first, *inner, last + "$")))
    common = (
        [key for key, _ in counted.most_common(WORDS)],
        [key for key, _ in gaps.most_common(GAPS)],
    )
    return Vocabulary(*common)


# Scores


@dataclass(frozen=True, kw_only=True)
class ParsedPage(Measured):
    """What was parsed on a page, and how well."""

    house: str
    counts: Mapping[str, Prf]
    """By part how many are exactly right."""

    whole: Sequence[bool]
    """By reference whether all of it is right."""


@dataclass(slots=True)
class _Score:
    """The scores of a page while its references are compared."""

    counts: dict[str, Prf] = field(default_factory=dict)
    judged: dict[str, list[tuple[float, bool]]] = field(default_factory=dict)
    whole: list[bool] = field(default_factory=list)

    def compare_own(self, page: CitingPage, parsed: Sequence[Parts]) -> None:
        """What is said of the article itself.

        What no line says counts neither way; what is read instead of it should not be trusted.
        """
        own = own_parts(page.lines, parsed, page.title)
        texts = (ADDRESS.sub(" ", line.citation.text) for line in page.lines)
        lines = [f" {' '.join(words(text))} " for text in texts]
        for name, part in FIELDS.items():
            known = written(page.appeared, part)
            found = own[name][0] if name in own else Part("", 0.0)
            right = any(is_same(part, found.text, text, whole=False) for text in known)
            if known:
                count = self._one(f"own {name}", found, right=right)
                if any(_is_in(text, line) for text in known for line in lines):
                    self._count(f"own {name}", count)

    def compare(self, parts: Parts, one: LabelledCitation) -> None:
        counts = {name: self._part(name, parts, one) for name in RUNS}
        counts["authors"] = self._persons(parts, one.seen)
        counts["doi"] = self._doi(one)
        self.whole.append(not any(count.wrong or count.missing for count in counts.values()))
        for name, count in counts.items():
            self._count(name, count)

    def _count(self, name: str, count: Prf) -> None:
        self.counts[name] = self.counts.get(name, Prf()) + count

    def _judge(self, name: str, chance: float, *, right: bool) -> None:
        self.judged.setdefault(name, []).append((chance, right))

    def _one(self, name: str, found: Part, *, right: bool) -> Prf:
        """The count of a part that is known, and may have been found."""
        if found.text:
            self._judge(name, found.chance, right=right)
        return Prf.of(wanted=1, found=bool(found.text), right=right)

    def _part(self, name: str, parts: Parts, one: LabelledCitation) -> Prf:
        """What is not stated counts neither way: many JATS files leave out issues, say."""
        wanted, part = written(one.seen, name), parts.parts.get(name, Part("", 0.0))
        if not wanted:
            return Prf()
        right = any(is_same(name, part.text, text, whole=one.cited.whole) for text in wanted)
        return self._one(name, part, right=right)

    def _persons(self, parts: Parts, seen: Cited) -> Prf:
        """Tags may name some authors only: others count neither way."""
        free = list(seen.persons)
        right = wrong = 0
        for who in parts.authors:
            name = Name(who.given, who.family)
            same = next((known for known in free if _is_same_person(name, known)), None)
            if same:
                free.remove(same)
                right += 1
            elif seen.whole and not who.group:
                wrong += 1
            if same or (seen.whole and not who.group):
                self._judge("authors", who.chance, right=bool(same))
        return Prf(right, wrong, len(free))

    def _doi(self, one: LabelledCitation) -> Prf:
        wanted = one.cited.doi.casefold()
        seen = bool(wanted) and wanted in one.citation.text.casefold()
        if not wanted or not (one.doi or seen):
            return Prf()
        doi = one.doi or ""
        found = Part(doi, chance_of_doi(one.citation.text, doi))
        return self._one("doi", found, right=doi.casefold() == wanted)


def measure(weights: CitationWeights, page: CitingPage) -> ParsedPage:
    """How well the references of a page are parsed."""
    score = _Score()
    shown = [one.citation for one in page.citations] + [line.citation for line in page.lines]
    parsed = parse(shown, weights)
    for parts, one in zip(parsed, page.citations, strict=False):
        score.compare(parts, one)
    score.compare_own(page, parsed[len(page.citations) :])
    return ParsedPage(
        name=page.name,
        house=page.house,
        scores={"all right": float(np.mean(score.whole))} if score.whole else {},
        judged=score.judged,
        counts=score.counts,
        whole=score.whole,
    )


def written(cited: Cited, name: str) -> Sequence[str]:
    """The ways to write a part that is known; none if it is not."""
    texts = {"container": cited.containers, "pages": ("–".join(cited.pages),)}
    return tuple(filter(None, texts[name] if name in texts else (getattr(cited, name),)))


def is_same(name: str, found: str, wanted: str, *, whole: bool = True) -> bool:
    """Whether a part is right; signs, capitals and abbreviations of journals do not count."""
    ours, theirs = words(found), words(wanted)
    if name == "pages" and ours and theirs:
        if len(set(theirs)) == 1:  # tags may state the first page only
            return ours[0] == theirs[0] and (not whole or set(ours) == set(theirs))
        return ours[0] == theirs[0] and len(ours) == 2 and theirs[-1].endswith(ours[1])
    if name in ("volume", "issue") and any(map(str.isalpha, theirs)):
        ours, theirs = ours[:1], theirs[:1]  # "9, supplement"
    if "".join(ours) == "".join(theirs):
        return True
    return name == "container" and _is_abbreviated(ours, theirs)


def _is_in(text: str, line: str) -> bool:
    """Whether a line has the first word of a text: the first page, say."""
    return f" {words(text)[0]} " in line if words(text) else False


def _is_abbreviated(ours: list[str], theirs: list[str]) -> bool:
    ours, theirs = ([word for word in part if word not in _SMALL] for part in (ours, theirs))
    return (
        bool(ours)
        and len(ours) == len(theirs)
        and all(abbreviates(*sorted(pair, key=len)) for pair in zip(ours, theirs, strict=True))
    )


def _is_same_person(one: Name, other: Name) -> bool:
    """Particles may be part of either name."""
    ours, theirs = (sorted(letters(name.whole)) for name in (one, other))
    return ours == theirs or same_person(one, other)


# The task


CITATIONS: Task[CitingPage, CitationWeights, ParsedPage] = Task(
    name=TASK,
    version=VERSION,
    labels=STATES,
    corpus=CORPUS,
    index=INDEX,
    examples=lambda _: [],
    group=lambda page: page.house,
    grouped_by="publisher",
    folds=FOLDS,
    fit=fit,
    measure=measure,
    to_json=CitationWeights.to_json,
    calibrate=lambda weights, curve_of: replace(
        weights, calibration={**weights.calibration, **curve_of}
    ),
    trained_with="article",
)


def train(pages: Sequence[ArticlePage], corpora: Corpora, output: Path | None) -> None:
    """Learn from pages of several publishers; write to where weights are shipped, or `output`."""
    citing = citing_pages(pages)
    if len({page.house for page in citing}) < FEWEST_HOUSES:
        return
    learned = CITATIONS.learn(citing)
    scores = {f"{name} F1": count.f for name, count in totals(learned.measured).items()}
    scores["all right"] = float(np.mean([one for page in learned.measured for one in page.whole]))
    CITATIONS.write(learned.model.to_json(), scores, corpora, output)


def totals(pages: Iterable[ParsedPage]) -> dict[str, Prf]:
    """The counts of all pages, by part."""
    counts = dict.fromkeys(CALIBRATED, Prf())
    for page in pages:
        for name, count in page.counts.items():
            counts[name] += count
    return counts


def citation_tables(pages: Sequence[ArticlePage], folds: int) -> Iterator[str]:
    """How well references are parsed by what other publishers taught, by part and by publisher."""
    task, citing = replace(CITATIONS, folds=folds), citing_pages(pages)
    if len({page.house for page in citing}) < FEWEST_HOUSES:
        return
    measured = task.calibrated(citing, task.held_out(citing))
    judged = merged(page.judged for page in measured)
    whole = [one for page in measured for one in page.whole]
    houses = sorted({page.house for page in measured if page.whole})
    count = min(folds, len(houses))
    yield table(
        ["part", "P", "R", "F1", "AUROC", "calibration error"],
        [
            [name, count.precision, count.recall, count.f, *trust_in(judged.get(name, ()))]
            for name, count in totals(measured).items()
        ],
        title=f"Parts of {len(whole)} references of {len(houses)} publishers, in {count} folds by "
        f"publisher: all right {np.mean(whole):.3f}",
    )
    by_house = [[one for page in measured if page.house == house for one in page.whole]
                for house in houses]  # fmt: skip
    rows = [
        [house, len(own), float(np.mean(own))] for house, own in zip(houses, by_house, strict=True)
    ]
    yield table(["publisher", "references", "all right"], rows)
