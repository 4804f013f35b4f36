"""What is known of the articles of the corpus, in pieces, to write other pages with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pagesight.readers.article.fields.references import items
from pagesight.readers.article.learning.corpus import ArticlePage
from pagesight.readers.article.names.persons import Name
from pagesight.readers.article.text import YEAR

T = TypeVar("T")
FEWEST_IN_PLACE, MOST_IN_PLACE = 4, 22  # words
FEWEST_IN_PARAGRAPH, MOST_PARAGRAPHS, MOST_CITED = 40, 8, 25  # words, and of a page
FEWEST_IN_SENTENCE, MOST_IN_SENTENCE = 6, 45  # words
_NO_PLACE = re.compile(r"[;()@:]|\b(\w+) \1$")
_SENTENCE = re.compile(r"(?<=[a-z)]\.)\s+(?=[A-Z])")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stock:
    """Titles, names, places, sentences of abstracts, paragraphs, and references as printed."""

    titles: Sequence[str]
    names: Sequence[Name]
    places: Sequence[str]
    sentences: Sequence[str]
    paragraphs: Sequence[str]
    cited: Sequence[str]

    @property
    def is_enough(self) -> bool:
        """Whether pages can be written with it."""
        parts = self.titles, self.names, self.places, self.sentences, self.paragraphs, self.cited
        return all(parts)


def stock_of(pages: Sequence[ArticlePage]) -> Stock:
    """What these articles have."""
    truths = [page.labelling.truth for page in pages]
    places = (text.strip(" ,.;") for truth in truths for text in truth.affiliations)
    sizes = range(FEWEST_IN_PLACE, MOST_IN_PLACE)
    abstracts = (truth.abstract for truth in truths if truth.abstract and not truth.cut_off)
    sentences = (text for abstract in abstracts for text in _SENTENCE.split(abstract))
    paragraphs = [text for page in pages for text in _long_texts(page)[:MOST_PARAGRAPHS]]
    return Stock(
        titles=_once(title for truth in truths for title in truth.titles[:1]),
        names=_once(name for truth in truths for name in truth.authors if name.given),
        places=_once(
            text for text in places if len(text.split()) in sizes and not _NO_PLACE.search(text)
        ),
        sentences=_once(
            text
            for text in sentences
            if FEWEST_IN_SENTENCE <= len(text.split()) <= MOST_IN_SENTENCE
        ),
        paragraphs=_once(paragraphs),
        cited=_once(text for page in pages for text in _cited(page)),
    )


def _once(values: Iterable[T]) -> tuple[T, ...]:
    return tuple(dict.fromkeys(values))


def _long_texts(page: ArticlePage) -> list[str]:
    """The paragraphs of the text of an article."""
    labelled = zip(page.zones.texts, page.labelling.labels, strict=True)
    long = (text for text, label in labelled if label == "body")
    return [text for text in long if len(text.split()) >= FEWEST_IN_PARAGRAPH]


def _cited(page: ArticlePage) -> list[str]:
    items_of_page = items(page.zones, page.labelling.labels)
    return [item.text for item in items_of_page if YEAR.search(item.text)][:MOST_CITED]
