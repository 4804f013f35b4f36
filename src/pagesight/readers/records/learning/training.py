"""Training of the model of records, and what it reaches on brands that it has not seen."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pagesight.errors import CorpusNotFound
from pagesight.learning.corpora import Corpora, digest
from pagesight.learning.folds import others
from pagesight.learning.task import Learned, Measured, Task
from pagesight.models.boosting import Boosting, Listwise, Logistic, boost, boost_several
from pagesight.models.logistic import Platt
from pagesight.models.ranking import Ranker
from pagesight.models.weights import Weights
from pagesight.readers.records import name_clues, price_clues
from pagesight.readers.records.attributes import HABITS
from pagesight.readers.records.candidates import Candidate
from pagesight.readers.records.details import NAME_CLUES, may_be
from pagesight.readers.records.learning.corpus import CORPUS, LISTS
from pagesight.readers.records.learning.examples import (
    NEITHER_WAY,
    RIGHT,
    WRITTEN,
    RecordsPage,
    examples,
    letters,
    products,
    written_details,
    written_examples,
    written_groups,
    written_kinds,
)
from pagesight.readers.records.learning.labels import labelled_pages
from pagesight.readers.records.learning.measure import PRICE, ReadRecords, measure
from pagesight.readers.records.learning.seen import Seen, Verdicts, seen_on
from pagesight.readers.records.model import (
    ATTRIBUTES,
    DETAIL_NAME,
    DETAILS,
    NONE,
    RECORD,
    TASK,
    VERSION,
    RecordsModel,
    allowed,
    filtered_features,
    shipped_model,
)
from pagesight.readers.records.reading import Kind

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
MEMBERS = Boosting(trees=150, ridge=4.0, least=1.0)
LIST_TREES = Boosting(trees=200)
ATTRIBUTE_TREES = Boosting(trees=200)
PRICE_TREES = Boosting(trees=300, rate=0.05, ridge=3.0, least=0.5, features=0.25)  # few pages teach
KIND_TREES = Boosting(trees=150, ridge=4.0, least=1.0)
JUDGE_TREES = {
    RECORD: Boosting(trees=100, depth=2, ridge=4.0, least=1.0),
    PRICE: Boosting(trees=60, depth=2, ridge=4.0, least=0.3, features=0.7),
    DETAIL_NAME: Boosting(trees=120, depth=1, ridge=4.0, least=0.3, features=0.25),
}
"""How judges are grown: few values are wrong, and most of these on few pages."""

JUDGED_BY = {DETAIL_NAME: ("margin", *NAME_CLUES)}  # with more, the few that are wrong are learnt

OTHERS_COUNT = 0.65  # how much a page that is neither list nor product counts: there are many
NEAR_THE_MODEL = 3.5  # the penalty for curves that say something else: few values are wrong
SEVERAL = 3  # rankers of lists and kinds that are averaged: what wins depends on chance less
LEAST_LIST = 0.5  # F1 of a group, from which on its members teach what a record is
SHARPNESS = 0.05  # how much less F1 a group may have, and still be wanted
MOST_RECORDS = 5  # of a page that teach: pages differ, their records do not
MOST_OF_BRAND = 6  # pages of single products that teach
COPIES = 4  # of records without some of the habits of sites
WRITTEN_ATTRIBUTES = ("name", "price", "description")  # written cards have one picture only
WRITTEN_COPIES = 3  # of those that were written by chance
FORGOTTEN = 0.5  # the share of habits that a copy lacks


def fit(pages: Sequence[RecordsPage]) -> RecordsModel:
    """A model of these pages; it tells no kinds of pages yet."""
    model = fit_lists(pages)
    return replace(model, attributes={**model.attributes, **_details(pages)})


def fit_lists(pages: Sequence[RecordsPage]) -> RecordsModel:
    """A model of the lists among these pages, which knows of nothing else."""
    shops = products([page for page in pages if page.kind is Kind.LIST])
    attributes = {
        name: _attribute(name, shops, _written() if name in WRITTEN_ATTRIBUTES else ())
        for name in ATTRIBUTES
    }
    return replace(_fit_groups(pages), attributes=attributes)


def _fit_groups(pages: Sequence[RecordsPage]) -> RecordsModel:
    """A model that finds the list of a page, and knows of no attributes."""
    lists = [page for page in pages if page.kind is Kind.LIST and page.records]
    lists += _written_groups()
    partial = RecordsModel(_member(lists), Ranker((), ()), {})
    return replace(partial, lists=_lists(partial, lists))


def _details(pages: Sequence[RecordsPage]) -> dict[str, Ranker]:
    return {name: _detail(name, pages) for name in DETAILS}


def _member(pages: Sequence[RecordsPage]) -> Ranker:
    rows, wanted, weights, family = [], [], [], []
    brands = _numbered(pages)
    for page in pages:
        for group, features, score in zip(page.groups, page.members, page.scores, strict=True):
            if score >= LEAST_LIST:
                counted = ~page.is_ignored(group)
                rows.append(np.stack(list(features.values()), axis=1)[counted])
                wanted.append((page.matched(group) >= 0)[counted])
                weights.append(np.full(int(counted.sum()), 1 / np.sqrt(len(group))))
                family.append(np.full(int(counted.sum()), brands[page.brand]))
    names = tuple(next(iter(pages)).members[0])
    loss = Logistic(np.concatenate(wanted), np.concatenate(weights), np.concatenate(family))
    return boost(names, np.concatenate(rows), loss, MEMBERS)


def _numbered(pages: Iterable[RecordsPage]) -> dict[str, int]:
    return {brand: at for at, brand in enumerate(sorted({page.brand for page in pages}))}


def _lists(model: RecordsModel, pages: Sequence[RecordsPage]) -> Ranker:
    rows: list[dict[str, float]] = []
    wanted, sizes = [], []
    for page in pages:
        kept = model.filtered(page.sight, page.groups)
        scores = np.array([page.score(group) for group, _ in kept])
        if not len(scores) or not scores.max():
            continue
        rows += filtered_features(page.sight, page.groups, kept)
        weights = np.exp((scores - scores.max()) / SHARPNESS)
        wanted.append(weights / weights.sum())
        sizes.append(len(scores))
    loss = Listwise(np.repeat(np.arange(len(sizes)), sizes), np.concatenate(wanted))
    names = tuple(rows[0])
    cases = np.array([[row[name] for name in names] for row in rows])
    return boost_several(names, cases, loss, LIST_TREES, SEVERAL)


@dataclass(frozen=True)
class _Cases:
    """Candidates for an attribute of some records, each with the answer that there is none."""

    rows: Floats
    wanted: Floats
    sizes: list[int]


def _attribute(
    attribute: str, pages: Sequence[RecordsPage], written: Sequence[RecordsPage] = ()
) -> Ranker:
    """Which candidate is an attribute of a record; `written` are pages made up to teach it."""
    names = tuple(name for name in pages[0].candidates[1] if _is_known(name, attribute))
    taught = [_of_records(attribute, page) for page in pages]
    return _ranker(names, taught, [_of_records(attribute, page) for page in written])


@cache
def _of_written_kinds() -> list[RecordsPage]:
    return written_kinds()


@cache
def _written() -> list[RecordsPage]:
    return written_examples()


def _ranker(
    names: Sequence[str],
    cases: Iterable[_Cases | None],
    written: Iterable[_Cases | None] = (),
    *,
    habits: Sequence[Sequence[str]] = HABITS,
    trees: Boosting = ATTRIBUTE_TREES,
    several: int = 1,
) -> Ranker:
    """Which candidate is the right one. Cases are shown again without some habits of sites."""
    random = np.random.default_rng(0)
    rows, wanted, sizes = [], list[Floats](), list[int]()
    for some, copies in ((cases, COPIES), (written, WRITTEN_COPIES)):
        for case in filter(None, some):
            rows.append(case.rows)
            rows += [_forgetful(case.rows, (*names, NONE), habits, random) for _ in range(copies)]
            wanted += [case.wanted] * (1 + copies)
            sizes += case.sizes * (1 + copies)
    loss = Listwise(np.repeat(np.arange(len(sizes)), sizes), np.concatenate(wanted))
    return boost_several((*names, NONE), np.concatenate(rows), loss, trees, several)


def _is_known(feature: str, attribute: str) -> bool:
    """Whether a feature is there when an attribute is chosen: the name is chosen first."""
    return attribute != "name" or not feature.endswith(" name")


def _forgetful(
    rows: Floats,
    names: Sequence[str],
    habits: Sequence[Sequence[str]],
    random: np.random.Generator,
) -> Floats:
    """The cases without some of the habits of sites."""
    forgotten = {name for habit in habits if random.random() < FORGOTTEN for name in habit}
    kept = np.array([name not in forgotten for name in names], dtype=np.float64)
    return np.asarray(rows * kept)


def _of_records(attribute: str, page: RecordsPage) -> _Cases | None:
    values, features = page.candidates
    may_be = allowed(attribute, features)
    judged = np.array([page.judge(attribute, value, page.seen[value.record]) for value in values])
    record = np.array([value.record for value in values])
    taught = np.unique(np.linspace(0, len(page.seen) - 1, MOST_RECORDS).astype(np.int64))
    answers = []
    for index in taught.tolist():
        inside = np.flatnonzero((record == index) & may_be)
        marked = attribute in page.seen[index].values
        if marked:
            inside = inside[judged[inside] != NEITHER_WAY]
        right = np.abs(judged[inside]) == RIGHT  # other answers are right where there is none
        if right.any() or not marked:
            answers.append((inside, right))
    known = {name: column for name, column in features.items() if _is_known(name, attribute)}
    return _cases(known, answers)


def _cases(
    features: Mapping[str, Floats], answers: Sequence[tuple[Ints, NDArray[np.bool_]]]
) -> _Cases | None:
    if not answers:
        return None
    rows, wanted = [], []
    for inside, right in answers:
        row = np.zeros((len(inside) + 1, len(features) + 1))
        row[:-1, :-1] = np.stack([column[inside] for column in features.values()], axis=1)
        row[-1, -1] = 1
        chances = np.append(right, not right.any()).astype(np.float64)
        rows.append(row)
        wanted.append(chances / chances.sum())
    return _Cases(np.concatenate(rows), np.concatenate(wanted), [len(row) for row in rows])


def _detail(attribute: str, pages: Sequence[RecordsPage]) -> Ranker:
    """Which candidate is an attribute of the product that a page is about."""
    of_brand: Counter[str] = Counter()
    cases = []
    for page in pages:
        if page.kind is Kind.DETAIL and of_brand[page.brand] < MOST_OF_BRAND:
            case = _of_detail(attribute, page)
            of_brand[page.brand] += case is not None
            cases.append(case)
    first = next(page for page in pages if page.kind is Kind.DETAIL)
    names = tuple(_of_product(attribute, first)[1])
    taught = attribute in (PRICE, DETAIL_NAME)
    return _ranker(
        names,
        cases,
        [_of_detail(attribute, page) for page in _written_products()] if taught else (),
        habits=name_clues.HABITS if attribute == DETAIL_NAME else (*HABITS, *price_clues.HABITS),
        trees=PRICE_TREES if taught else ATTRIBUTE_TREES,
        several=SEVERAL if taught else 1,
    )


@cache
def _written_groups() -> list[RecordsPage]:
    return written_groups()


@cache
def _written_products() -> list[RecordsPage]:
    return written_details()


def _of_product(
    attribute: str, page: RecordsPage
) -> tuple[Sequence[Candidate], Mapping[str, Floats]]:
    """What may be an attribute of a product, and the features that it is judged by."""
    if attribute == DETAIL_NAME:
        return page.names
    values, features = page.detail
    if attribute == PRICE:
        return values, price_clues.of_prices(features)
    kept = {name: column for name, column in features.items() if name not in price_clues.CLUES}
    return values, kept


def _of_detail(attribute: str, page: RecordsPage) -> _Cases | None:
    what = attribute.split()[1]
    values, known = _of_product(attribute, page)
    possible = None if attribute == DETAIL_NAME else may_be(what, page.detail[1])
    inside = np.arange(len(values)) if possible is None else np.flatnonzero(possible)
    right = np.array([page.judge_detail(what, values[at]) for at in inside.tolist()], dtype=bool)
    if attribute == DETAIL_NAME:
        right = _exactly(page, [values[at].text for at in inside.tolist()], right)
    priceless = page.group == WRITTEN and attribute == PRICE  # nobody knows it of other pages
    return _cases(known, [(inside, right)]) if right.any() or priceless else None


def _exactly(
    page: RecordsPage, texts: Sequence[str], right: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Which texts are the name and nothing else; if there is none, those that are right."""
    wanted = {letters(name) for name in page.stated_names}
    exact = np.array([letters(text) in wanted for text in texts], dtype=bool)
    return exact if exact.any() else right


def finished(model: RecordsModel, seen: Sequence[Seen]) -> RecordsModel:
    """A model that tells kinds of pages and how sure it is, by what was seen on pages left out."""
    return replace(model, kinds=_kinds(seen), judges=_judges(seen))


def _kinds(seen: Sequence[Seen]) -> dict[str, Ranker]:
    """Which pages are of which kind."""
    rows = [some.kind for some in seen]
    names = tuple(rows[0])
    cases = np.array([[row[name] for name in names] for row in rows])
    family = _families([some.page for some in seen])
    weights = np.array([OTHERS_COUNT if some.page.kind is Kind.OTHER else 1.0 for some in seen])
    return {
        kind.value: boost_several(
            names,
            cases,
            Logistic(np.array([some.page.kind is kind for some in seen]), weights, family),
            KIND_TREES,
            SEVERAL,
        )
        for kind in Kind
    }


def _judges(seen: Sequence[Seen]) -> dict[str, Ranker]:
    """Which records, and which prices and names of products, are right."""
    cases = {
        RECORD: [(some.page, some.records) for some in seen],
        PRICE: [(some.page, some.price) for some in seen],
        DETAIL_NAME: [(some.page, some.name) for some in seen],
    }
    known = {what: [(page, case) for page, case in cases[what] if case] for what in cases}
    return {what: _judge(what, some) for what, some in known.items() if some}


def _judge(what: str, cases: Sequence[tuple[RecordsPage, Verdicts]]) -> Ranker:
    """Which values are right, as log odds; those of a page count less the more they are."""
    names = tuple(JUDGED_BY.get(what, cases[0][1].clues))
    rows = [np.stack([case.clues[name] for name in names], axis=1) for _, case in cases]
    counts = [len(case.right) for _, case in cases]
    family = np.repeat(_families([page for page, _ in cases]), counts)
    weights = np.repeat(1 / np.sqrt(counts), counts)
    loss = Logistic(np.concatenate([case.right for _, case in cases]), weights, family)
    return boost_several(names, np.concatenate(rows), loss, JUDGE_TREES[what], SEVERAL)


def _families(pages: Sequence[RecordsPage]) -> Ints:
    brands = _numbered(pages)
    return np.array([brands[page.brand] for page in pages])


class RecordsTask(Task[RecordsPage, RecordsModel, ReadRecords]):
    """What is learned in two steps: the second learns from what the first sees on brands left out.

    A model of some brands knows what is right on their pages, and would think itself too sure.
    """

    def held_out(self, examples: Sequence[RecordsPage]) -> list[ReadRecords]:
        """What models of the other folds read on each example."""
        return self._by_folds(examples)[0]

    def learn(self, examples: Sequence[RecordsPage]) -> Learned[RecordsModel, ReadRecords]:
        """A model of all examples."""
        measured, seen = self._by_folds(examples)
        model = finished(self.fit(examples), seen)
        return Learned(model=_calibrated(model, self.curves(measured)), measured=measured)

    def curves(self, pages: Iterable[Measured]) -> dict[str, Platt]:
        """The curves of what no judge has judged: judges learn from brands left out already."""
        curve_of = super().curves(pages)
        return {kind: curve for kind, curve in curve_of.items() if kind not in JUDGE_TREES}

    def _by_folds(self, examples: Sequence[RecordsPage]) -> tuple[list[ReadRecords], list[Seen]]:
        """What is read on each example, and all that models of the other folds see."""
        parts = list(self.models_by_fold(examples))
        written = _of_written_kinds()
        seen = [
            [seen_on(model, page) for page in (*(examples[at] for at in part), *more)]
            for number, (part, model) in enumerate(parts)
            for more in (written[number :: len(parts)],)
        ]
        measured: dict[int, ReadRecords] = {}
        for number, (part, model) in enumerate(parts):
            elsewhere = [some for other in others([number], len(parts)) for some in seen[other]]
            whole = finished(model, elsewhere)
            measured |= {at: measure(whole, examples[at]) for at in part}
        return [measured[at] for at in range(len(examples))], [
            page for some in seen for page in some
        ]


def _calibrated(model: RecordsModel, curve_of: Mapping[str, Platt]) -> RecordsModel:
    return replace(model, curves=dict(curve_of))


RECORDS = RecordsTask(
    name=TASK,
    version=VERSION,
    labels=ATTRIBUTES,
    corpus=CORPUS,
    index=LISTS,
    examples=examples,
    group=lambda page: page.brand,
    fit=fit,
    measure=measure,
    to_json=RecordsModel.to_json,
    calibrate=_calibrated,
    curve=partial(Platt.fit, penalty=NEAR_THE_MODEL),
    grouped_by="brand",
)


def train(corpora: Corpora, *, output: Path | None = None, labels: Path | None = None) -> None:
    """Learn from the corpus; write the weights where they are shipped, or to `output`.

    With `labels`, the shipped model learns the attributes that are marked on the pages of a file.
    """
    if labels:
        _train_own(corpora, labels, output)
    else:
        RECORDS.train(corpora, output=output)


def _train_own(corpora: Corpora, labels: Path, output: Path | None) -> None:
    """Teach the shipped model attributes of somebody's own."""
    if output is None:
        raise CorpusNotFound("a model of your own needs a place", hint="name a file after -o")
    pages = labelled_pages(corpora, labels)
    names = sorted({name for page in pages for record in page.seen for name in record.values})
    if not names:
        raise CorpusNotFound(f"{labels} marks no attribute that is seen on its pages")
    for name in names:
        if not any(_of_records(name, page) for page in pages):
            raise CorpusNotFound(f"what {labels} marks as {name} is no text, or is not in a record")
    model = shipped_model()
    taught = {name: _attribute(name, pages) for name in names}
    model = replace(model, attributes={**model.attributes, **taught})
    weights = Weights(
        task=TASK,
        features=VERSION,
        corpus=digest(labels.parent, labels.name),
        command=f"pagesight train records --labels {labels.name}",
        labels=tuple(names),
        scores={},
        model=model.to_json(),
    )
    output.write_bytes(weights.to_bytes())
