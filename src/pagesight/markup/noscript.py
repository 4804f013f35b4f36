"""What a document shows without scripts, and whether its scripts had run before it was saved."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

_TAG = re.compile(r"<(/?)noscript\b[^<>]{0,1000}>", re.IGNORECASE)
_ROOT = re.compile(r"<html\b([^<>]{0,4000})>", re.IGNORECASE)
_CLASS = re.compile(r"""\bclass\s*=\s*("[^"<>]*"|'[^'<>]*'|[^\s"'<>]+)""", re.IGNORECASE)
_STYLE = re.compile(r"""\sstyle\s*=\s*(?:"[^"<>]*"|'[^'<>]*')""", re.IGNORECASE)
_FADED = re.compile(r"""(?<![\w-])opacity\s*:\s*0(?:\.0*)?(?=[\s;"'])""", re.IGNORECASE)
_ESCAPED = re.compile(r"\s*&lt;\s*[a-z]+[\s&/]", re.IGNORECASE)
_UNSEEN = re.compile(r"<(style|script)\b.*?</\1|<!--.*?-->|<[^<>]*>", re.IGNORECASE | re.DOTALL)
LONGEST = 20_000  # characters that are looked through for words
WITH_SCRIPTS, WITHOUT = frozenset({"js", "js-enabled"}), frozenset({"no-js", "nojs", "js-disabled"})


def scripts_had_run(markup: str) -> bool:
    """Whether a document was saved with what its scripts had made of it.

    They mark the root element, or the markup in a noscript has become text.
    """
    classes = _root_classes(markup)
    if classes & WITH_SCRIPTS and not classes & WITHOUT:
        return True
    return any(_ESCAPED.match(markup, start) for start, _ in _contents(markup))


def without_noscript(markup: str) -> str:
    """The markup with empty noscript elements."""
    return _emptied(markup, lambda _: True)


def without_said(markup: str) -> str:
    """The same, except that those stay which show pictures and say nothing."""
    return _emptied(markup, _has_words)


def as_with_scripts(markup: str) -> str:
    """The markup as a browser with scripts takes it, as far as that can be known.

    What is transparent by its own style is faded in by a script.
    """
    emptied = _STYLE.sub(lambda style: _FADED.sub("", style[0]), without_noscript(markup))
    root = _ROOT.search(emptied)
    if root is None or not _root_classes(emptied) & WITHOUT:
        return emptied
    classes = re.sub(r"(?<![\w-])(?:no-js|nojs|js-disabled)(?![\w-])", "js", root[0])
    return emptied[: root.start()] + classes + emptied[root.end() :]


def _root_classes(markup: str) -> frozenset[str]:
    root = _ROOT.search(markup)
    classes = _CLASS.search(root[1]) if root else None
    return frozenset(classes[1].strip("\"'").lower().split()) if classes else frozenset()


def _contents(markup: str) -> Iterator[tuple[int, int]]:
    """Where the contents of noscript elements begin and end."""
    start = None
    for tag in _TAG.finditer(markup):
        if start is not None and tag[1]:
            yield start, tag.start()
        start = None if tag[1] else tag.end()


def _emptied(markup: str, goes: Callable[[str], bool]) -> str:
    parts, at = [], 0
    for start, end in _contents(markup):
        if goes(markup[start:end]):
            parts.append(markup[at:start])
            at = end
    return "".join([*parts, markup[at:]])


def _has_words(content: str) -> bool:
    return any(map(str.isalnum, _UNSEEN.sub("", content[:LONGEST])))
