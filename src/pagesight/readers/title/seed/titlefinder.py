"""TitleFinder, a baseline: the text on the page that is most like the title tag.

Mohammadzadeh, Gottron, Schweiggert and Heyer, TitleFinder: extracting the headline of news web
pages based on cosine similarity and overlap scoring similarity. Texts are vectors of words,
weighted by term frequency or also by inverse document frequency, each text being a document.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence

_WORD = re.compile(r"\w+")
Vector = Mapping[str, float]


def title(tag: str, texts: Sequence[str], measure: str = "tf-idf") -> str | None:
    """The text that is most similar to the tag; None if none has a word of it."""
    counts = [Counter(words(text)) for text in texts]
    rarity = inverse_frequency(counts) if measure != "tf" else {}
    query = weighted(Counter(words(tag)), rarity)
    best, best_score = None, 0.0
    for text, count in zip(texts, counts, strict=True):
        vector = weighted(count, rarity)
        score = (overlap if measure == "overlap" else cosine)(query, vector)
        if score > best_score:
            best, best_score = text, score
    return best


def words(text: str) -> list[str]:
    """The words of a text in lower case."""
    return _WORD.findall(text.lower())


def inverse_frequency(documents: Sequence[Mapping[str, int]]) -> dict[str, float]:
    """The logarithm of all documents over those with the word; one in all of them counts a bit."""
    counts = Counter(word for document in documents for word in document)
    return {word: math.log((1 + len(documents)) / count) for word, count in counts.items()}


def weighted(count: Mapping[str, int], rarity: Vector) -> dict[str, float]:
    """Term frequencies, times the rarity of each word where it is known."""
    return {word: number * rarity.get(word, 1.0) for word, number in count.items()}


def cosine(one: Vector, other: Vector) -> float:
    """The cosine of the angle between two vectors."""
    dot = sum(value * other[word] for word, value in one.items() if word in other)
    return dot / (_length(one) * _length(other)) if dot else 0.0


def _length(vector: Vector) -> float:
    return math.sqrt(sum(value * value for value in vector.values()))


def overlap(query: Vector, document: Vector) -> float:
    """The overlap score measure: the weights of the query's words in the document, summed."""
    return sum(document[word] for word in query if word in document)
