"""Dialogs that ask for consent, to cookies mostly, and lie before the page."""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pagesight.page.page import Page
from pagesight.page.style import Position
from pagesight.page.words import Searched

FEWEST_WORDS, MOST_WORDS = 6, 500  # of such a dialog
MOST_ANSWERED = 6  # words on a button
MOST_CONTROLS = 100  # buttons that are looked at
DEEPEST = 200  # elements of a dialog around a button
# Of texts in small letters: patterns that ignore case are much slower.
_SUBJECTS = (
    "cookie|consent|gdpr|dsgvo|datenschutz|einwillig|privacy|privacidad|privacidade|vie privée"
    "|données personnelles|traceurs|riservatezza|tracking|nutzungsprofil|ciasteczk|evästee"
    "|soubory|sušenk|süti|çerez|куки|персональн|クッキー|쿠키|隐私|隱私|個人情報|ملفات تعريف"
).split("|")
_ANSWER = re.compile(
    r"(?<!\w)(?:accept|agree|allow|consent|reject|decline|deny|got it|understood|ok(?:ay)?\b"
    r"|continue|akzept|zustimm|einverstanden|annehmen|ablehn|erlaub|alles klar|verstanden|j.accepte"
    r"|refuser|tout accepter|autoriser|acept|rechaz|permitir|de acuerdo|accett|rifiut|consenti"
    r"|akkoord|weiger|toestaan|aceit|rejeit|concordo|akceptuj|zgadzam|odrzu|zezw|godkänn|tillåt|tillad"
    r"|godta|samtyk|hyväksy|souhlas|přijm|povolit|elfogad|kabul|принять|принимаю|соглас)"
    r"|同意|接受|拒绝|拒絕|許可|허용|동의|قبول|موافق"
)
_CALLED = re.compile(
    r"cookie|consent|gdpr|dsgvo|cmp-?\d?-?(?:box|banner|container|wrapper|ui)"
    r"|privacy-?(?:banner|notice|modal|overlay|manager)|onetrust|didomi|usercentrics|cookiebot"
    r"|quantcast|truste|iubenda|borlabs|complianz",
    re.IGNORECASE,
)
_CONTROLS = frozenset({"button", "a", "input", "summary", "label"})
_BEFORE = frozenset({Position.FIXED, Position.ABSOLUTE, Position.STICKY})
_DIALOGS = frozenset({"dialog", "alertdialog"})
_OUTSIDE = frozenset({"body", "html", "#document"})

Ints = NDArray[np.int64]


def consent_dialogs(page: Page) -> list[int]:
    """The elements of a page that ask for consent, in document order; none lies in another.

    Such an element has something to accept or reject, says in a sentence of what, and is before the
    page: by its position, as a dialog, or by what its author calls it.
    """
    texts = page.columns["text"]
    seen = np.flatnonzero(page.visible & (texts >= 0))
    distinct = np.flatnonzero(np.bincount(texts[seen]))
    sizes, _ = page.text_sizes
    size = sizes[distinct]
    long, short = distinct[size >= FEWEST_WORDS], distinct[(size > 0) & (size <= MOST_ANSWERED)]
    subjects = _having(page, seen, long[_searched(page, long).holding(_SUBJECTS)])
    if not len(subjects):
        return []
    answers = _having(page, seen, short[_searched(page, short).matching(_ANSWER)]).tolist()
    inputs = [node for node in page.elements("input") if page.visible[node]]
    answers += [node for node in inputs if _ANSWER.search((page[node].value or "").lower())]
    words = np.zeros(len(page) + 1, dtype=np.int64)
    words[seen + 1] = sizes[texts[seen]]
    around = _Around(page, subjects, words.cumsum())
    found = sorted({dialog for answer in answers[:MOST_CONTROLS]
                    if (dialog := around.dialog(answer)) is not None})  # fmt: skip
    return [one for one in found if not any(other < one < page.end[other] for other in found)]


def _searched(page: Page, texts: Ints) -> Searched:
    return Searched([page.strings[text] for text in texts.tolist()])


def _having(page: Page, nodes: Ints, texts: Ints) -> Ints:
    """Of these nodes those that have one of these texts."""
    has = np.zeros(len(page.strings), dtype=np.bool_)
    has[texts] = True
    return nodes[has[page.columns["text"][nodes]]]


class _Around(NamedTuple):
    """What is around a text, with what is counted once for a page."""

    page: Page
    subjects: Ints
    words: Ints  # before each node

    def dialog(self, answer: int) -> int | None:
        """The outermost element around the text of a control that may be such a dialog."""
        outermost, is_control = None, self.page.name(answer) == "input"
        for node in islice(self.page[answer].ancestors, DEEPEST):
            if node.tag in _OUTSIDE or self._words(node.id) > MOST_WORDS:
                break
            is_control = is_control or node.tag in _CONTROLS or self._role(node.id) == "button"
            first, last = np.searchsorted(self.subjects, (node.id, self.page.end[node.id]))
            if is_control and last > first and self._is_before(node.id):
                outermost = node.id
        return outermost

    def _words(self, node: int) -> int:
        return int(self.words[self.page.end[node]] - self.words[node])

    def _role(self, node: int) -> str:
        return (self.page.attribute(node, "role") or "").lower()

    def _is_before(self, node: int) -> bool:
        if self.page.name(node) == "dialog" or self._role(node) in _DIALOGS:
            return True
        called = (self.page.attribute(node, name) or "" for name in ("id", "class"))
        positioned = self.page.columns["position"][node] in _BEFORE
        return positioned or bool(_CALLED.search(" ".join(called)))
