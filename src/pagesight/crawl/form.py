"""Whether a page is well-formed, and whether its headings are."""

from __future__ import annotations

from collections.abc import Sequence

from selectolax.lexbor import LexborHTMLParser

from pagesight.markup.defaults import is_quirky
from pagesight.markup.tags import doctype_of, tags
from pagesight.markup.tree import HEADINGS, VOID

# Elements whose end tags HTML lets authors leave out.
_OPEN_ENDED = frozenset(
    "html head body p li dt dd tr td th thead tbody tfoot colgroup caption option optgroup rt rp"
    .split()
)  # fmt: skip


def is_well_formed(text: str, *, xhtml: bool = False) -> bool:
    """Whether a document is laid out by the standard and its tags nest as they should.

    With `xhtml`, only XHTML counts.
    """
    doctype = doctype_of(text)
    if is_quirky(doctype) or (xhtml and not _declares_xhtml(text, doctype)):
        return False
    return _nests(text)


def _declares_xhtml(text: str, doctype: str) -> bool:
    root = next((tag for tag in tags(text) if tag.name == "html"), None)
    namespace = "www.w3.org/1999/xhtml" in (text[root.start : root.stop] if root else "")
    return "xhtml" in doctype.lower() or namespace


def _nests(text: str) -> bool:
    """Whether every end tag ends what was begun last, and all that needs an end tag has one."""
    around: list[str] = []
    for tag in tags(text):
        if tag.name in VOID or text.endswith("/>", tag.start, tag.stop):
            continue
        if not tag.is_end:
            around.append(tag.name)
            continue
        while around and around[-1] != tag.name and around[-1] in _OPEN_ENDED:
            around.pop()
        if not around or around.pop() != tag.name:
            return False
    return _OPEN_ENDED.issuperset(around)


def heading_levels(parser: LexborHTMLParser) -> str:
    """The levels of the headings that are not empty, in their order."""
    nodes = parser.css(",".join(HEADINGS))
    return "".join(str(node.tag)[1] for node in nodes if node.text(deep=True).strip())


def is_coherent(levels: Sequence[str]) -> bool:
    """Whether at least two levels are used, and none between the highest and the lowest is not.

    This is the definition of the published method: for some j and n, at least 1, all of h_j to
    h_(j+n) are used and no others.
    """
    used = {int(level) for level in levels}
    return len(used) > 1 and len(used) == max(used) - min(used) + 1


def is_strict(levels: Sequence[str]) -> bool:
    """Whether headings begin with h1 and go down one level at a time, too."""
    steps = zip("0" + "".join(levels), levels, strict=False)
    return is_coherent(levels) and all(int(to) <= int(of) + 1 for of, to in steps)
