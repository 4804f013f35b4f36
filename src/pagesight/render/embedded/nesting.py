"""Rules in rules, which the engine does not know, as rules one after the other."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import product

MOST_SELECTORS = 256  # of one rule
LONGEST_SELECTOR = 4096  # characters
DEEPEST = 32
_NESTED = re.compile(r"(?:^|[;{}])\s*+[^@{};\s][^{};]*+\{[^{}]*+\{")
_TOKEN = re.compile(
    r"""/\*.*?(?:\*/|\Z)|"(?:\\.|[^"\\\n])*+"?|'(?:\\.|[^'\\\n])*+'?|url\([^)"']*+\)"""
    r"""|[{};]|(?:[^{};"'/u]++|/(?!\*)|u(?!rl\())++|.""",
    re.DOTALL | re.IGNORECASE,
)
_GROUP = re.compile(r"@(?:media|supports|layer|container|scope|document)\b", re.IGNORECASE)
_SELECTOR = re.compile(r"(?:[^,()\[]++|\((?:[^()]++|\([^()]*+\))*+\)|\[[^\]]*+\]|[()\[])++")


@dataclass(slots=True)
class _Block:
    """A block that is open: of a rule, or of conditions around rules."""

    selectors: list[str] | None = None  # None where no rule is around
    ends_with: str = ""
    declarations: list[str] = field(default_factory=list)


def flattened(css: str) -> str:
    """A stylesheet without rules in rules."""
    return _Flattening().run(css) if "{" in css and _NESTED.search(css) else css


class _Flattening:
    """Goes through a stylesheet once."""

    def __init__(self) -> None:
        self.written: list[str] = []
        self.open = [_Block()]
        self.words: list[str] = []
        self.raw = 0  # how many blocks are open in one that is copied, such as @font-face

    def run(self, css: str) -> str:
        actions = {"{": self.begin, "}": self.end, ";": self.declare}
        for found in _TOKEN.finditer(css):
            part = found[0]
            if self.raw:
                self.copy(part)
            elif action := actions.get(part):
                action()
            elif not part.startswith("/*"):
                self.words.append(part)
        while len(self.open) > 1:
            self.end()
        return "".join(self.written)

    def copy(self, part: str) -> None:
        self.written.append(part)
        self.raw += (part == "{") - (part == "}")

    def taken(self) -> str:
        text = "".join(self.words).strip()
        self.words.clear()
        return text

    def begin(self) -> None:
        prelude, around = self.taken(), self.open[-1]
        self.flush(around)
        if _GROUP.match(prelude):
            self.written.append(f"{prelude}{{")
            self.open.append(_Block(around.selectors, "}"))
        elif prelude.startswith("@") or len(self.open) > DEEPEST:
            self.written.append(f"{prelude}{{")
            self.raw = 1
        else:
            self.open.append(_Block(_within(around.selectors, prelude)))

    def declare(self) -> None:
        if text := self.taken():
            block = self.open[-1]
            target = self.written if block.selectors is None else block.declarations
            target.append(f"{text};")

    def end(self) -> None:
        self.declare()
        if len(self.open) > 1:
            block = self.open.pop()
            self.flush(block)
            self.written.append(block.ends_with)

    def flush(self, block: _Block) -> None:
        if block.selectors and block.declarations:
            self.written.append(f"{','.join(block.selectors)}{{{''.join(block.declarations)}}}")
        block.declarations.clear()


def _within(around: list[str] | None, prelude: str) -> list[str]:
    """The selectors of a rule inside of another; none where they are too many or too long."""
    own = [selector.strip() for selector in _SELECTOR.findall(prelude)]
    if around is None:
        return own
    if len(own) * len(around) > MOST_SELECTORS:
        return []
    return [
        selector.replace("&", outer) if "&" in selector else f"{outer} {selector}"
        for outer, selector in product(around, own)
        if len(selector) + len(outer) * max(selector.count("&"), 1) <= LONGEST_SELECTOR
    ]
