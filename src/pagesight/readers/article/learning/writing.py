"""A pen to write pages with by chance: what an article says, and what is around one on a page."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from pagesight.readers.article.learning.stock import Stock
from pagesight.readers.article.learning.tongues import CLASSES, GENERAL, Tongue
from pagesight.readers.article.names.persons import Name

_CHOICE = re.compile(r"⟨([^⟨⟩⟦⟧]*)⟩|⟦(\d+) ([^⟨⟩⟦⟧]*)⟧")
_PART = re.compile(r"\{(\w+(?: [^{}]*)?)\}")
FEWEST_LETTERS = 4  # of a keyword


@dataclass(slots=True)
class Paper:
    """What is written of an article: all that a page may show of it."""

    title: str
    other_title: str  # in English
    names: list[Name]
    shown: list[str]  # the names as they are printed
    places: list[str]
    at: list[int]  # by name its place
    abstract: list[str]
    keywords: list[str]
    body: list[str]
    cited: list[str]
    year: int
    doi: str


class Pen:
    """Writes what pages have besides an article."""

    def __init__(self, stock: Stock, seed: str) -> None:
        self.stock = stock
        self.chance = random.Random(seed)  # noqa: S311 - the same pages every time
        self.tongue = Tongue(self.chance)
        self.naming = self.pick("none", "none", "odd", "telling", "telling")
        self.form = self._name_form()
        self.paper = self._paper()
        self.comma = any("," in shown for shown in self.paper.shown)

    def _paper(self) -> Paper:
        chance, stock, tongue = self.chance, self.stock, self.tongue
        names = [tongue.named(name) for name in chance.choices(stock.names, k=self.many(3, 40))]
        count = len(names)
        places = {
            tongue.place(place): None
            for place in chance.choices(stock.places, k=chance.randint(1, min(count, 9)))
        }
        at = [min(rank, chance.randrange(len(places))) if rank >= len(places) else rank
              for rank in range(count)]  # fmt: skip
        sentences = [
            tongue.said(text) for text in chance.choices(stock.sentences, k=self.many(6, 16, 3))
        ]
        size = -(-len(sentences) // chance.choice((1, 1, 1, 1, 2, 3, 4)))
        joint = "" if tongue.unspaced else " "
        words = (
            word.strip(".,:;()").lower()
            for word in tongue.said(chance.choice(stock.titles)).split()
        )
        body, cited = (
            chance.sample(texts, min(self.many(usual, most, 3), len(texts)))
            for usual, most, texts in ((10, 60, stock.paragraphs), (18, 120, stock.cited))
        )
        year = chance.randint(1975, 2025)
        return Paper(
            title=tongue.said(chance.choice(stock.titles)),
            other_title=chance.choice(stock.titles),
            names=names,
            shown=list(map(self.form, names)),
            places=list(places)[: max(at) + 1],
            at=at,
            abstract=[
                joint.join(sentences[at : at + size]) for at in range(0, len(sentences), size)
            ],
            keywords=[word for word in words if len(word) >= FEWEST_LETTERS or tongue.unspaced][:6]
            or ["tea"],
            body=list(map(tongue.said, body)),
            cited=[tongue.said(text) if self.often(0.1) else text for text in cited],
            year=year,
            doi=self._doi(year),
        )

    def _doi(self, year: int) -> str:
        house, letter = self.chance.randint(1000, 99999), self.pick("a", "x")
        return f"10.{house}/{letter}{year}.{self.chance.randint(1, 999)}"

    def _name_form(self) -> Callable[[Name], str]:
        """How names are printed on this page."""
        whole = self.tongue.whole
        if self.tongue.script in ("han", "japanese", "hangul"):
            gap = " " if self.often(0.2) else ""
            return lambda name: f"{name.family}{gap}{name.given}"

        def initials(name: Name) -> str:
            return " ".join(f"{part[0]}." for part in name.given.split())

        forms: dict[Callable[[Name], str], float] = {
            whole: 0.58,
            lambda name: f"{name.family}, {name.given}": 0.22,
            lambda name: f"{initials(name)} {name.family}": 0.08,
            lambda name: f"{name.family} {initials(name)}": 0.05,
            lambda name: f"{name.given} {name.family.upper()}": 0.04,
            lambda name: whole(name).upper(): 0.03,
        }
        return self.chance.choices(list(forms), list(forms.values()))[0]

    # How it is written

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def many(self, usual: int, most: int, few: int = 1) -> int:
        """How many there are of something: mostly few, sometimes very many."""
        return min(few + int(self.chance.expovariate(1 / usual)), most)

    def pick(self, *values: str) -> str:
        return self.chance.choice(values)

    def filled(self, template: str) -> str:
        """A template with its choices made, and its parts written."""
        return _PART.sub(lambda part: self._part(*part[1].split()), self.chosen(template))

    def chosen(self, template: str) -> str:
        """A template with one of each alternatives, and with some of what may be left out."""
        while _CHOICE.search(template):
            template = _CHOICE.sub(self._choice, template)
        return template

    def _choice(self, found: re.Match[str]) -> str:
        if found[2]:
            return found[3] if self.often(int(found[2]) / 100) else ""
        return self.pick(*found[1].split("|"))

    def _part(self, name: str, *arguments: str) -> str:
        given = (int(text) if text.isdigit() else text.replace("_", " ") for text in arguments)
        return str(getattr(self, name)(*given))

    def el(self, tag: str, inner: str, role: str = "", zone: str = "") -> str:
        """An element with a class that may say what it is, and the label of its zones."""
        name = ""
        if role in CLASSES and self.naming != "none":
            telling = self.chance.choice(CLASSES[role])
            name = f' class="{telling if self.naming == "telling" else f"x{len(role)}"}"'
        label = f' name="{zone}"' if zone else ""
        look = f' data-look="{role}"' if role else ""
        return f"<{tag}{name}{look}{label}>{inner}</{tag}>"

    def link(self, text: str) -> str:
        return f'<a href="/{self.chance.randint(10, 9999)}">{text}</a>'

    def caption(self, kind: str) -> str:
        return escape(self.tongue.caption(kind))

    def heading(self, kind: str) -> str:
        return escape(self.tongue.heading(kind))

    def captions(self, kind: str, few: int, many: int) -> list[str]:
        count = self.chance.randint(few, many)
        return list(dict.fromkeys(self.caption(kind) for _ in range(count)))

    # What is said anywhere

    def one_of(self, kind: str) -> str:
        return escape(self.chance.choice(GENERAL[kind]))

    def place(self) -> str:
        return escape(self.tongue.place(self.chance.choice(self.stock.places)))

    def keyword(self) -> str:
        return escape(self.chance.choice(self.paper.keywords).capitalize())

    def data(self) -> str:
        return self.chosen("⟨Dataset|Data set|Data|Datensatz|Jeu de données|Conjunto de datos⟩")

    def own_title(self) -> str:
        return escape(self.paper.title)

    def date(self) -> str:
        day, month = self.chance.randint(1, 28), self.one_of("months")
        form = self.one_of("dates")
        return form.format(day=day, month=month, number=day % 9 + 1, year=self.paper.year)

    def source(self) -> str:
        """Where an article appeared."""
        volume, issue, page = (self.chance.randint(1, most) for most in (90, 12, 800))
        journal, proceedings = self.one_of("journals"), self.one_of("proceedings")
        return self.one_of("sources").format(
            journal=journal, proceedings=proceedings, volume=volume, issue=issue,
            pages=f"{page}–{page + 11}", year=self.paper.year, doi=self.paper.doi,
        )  # fmt: skip

    def citation(self) -> str:
        """How a page asks to be cited."""
        names = "; ".join(f"{name.family}, {name.given[:1]}." for name in self.paper.names[:4])
        return f"{escape(names)} ({self.paper.year}). {self.own_title()}. {self.source()}"

    def stranger(self) -> str:
        return escape(self.form(self.tongue.named(self.chance.choice(self.stock.names))))

    def other(self) -> str:
        return escape(self.tongue.said(self.chance.choice(self.stock.titles)))

    def top(self, before: str = "") -> str:
        return self.el(self.pick("h1", "h1", "h2", "div"), f"{before} {self.other()}", "title")

    def prose(self, few: int = 2, many: int = 6) -> str:
        texts = self.chance.choices(self.paper.body, k=self.chance.randint(few, many))
        return "".join(f"<p>{escape(text)}</p>" for text in texts)

    # Around an article

    def menu(self) -> str:
        links = [self.link(text) for text in self.captions("menu", 3, 12)]
        if long := self.often(0.25):  # all that a publisher has
            parts = (
                self.other,
                lambda: self.caption("type"),
                lambda: self.one_of("journals"),
                lambda: self.caption("similar"),
            )
            links += [self.link(self.chance.choice(parts)()) for _ in range(self.many(30, 200))]
        if not long and self.often(0.4):
            tag = self.pick("nav", "div", "p")
            return self.el(tag, self.pick(" ", " | ", "").join(links), "menu")
        return self.el("ul", "".join(f"<li>{link}</li>" for link in links), "menu")

    def tools(self) -> str:
        texts = self.captions("tools", 1, 6)
        if self.often(0.3):
            return "".join(f"<button>{text}</button>" for text in texts)
        tag = self.pick("span", "li", "div", "p")
        inner = "".join(f"<{tag}>{self.link(text)}</{tag}> " for text in texts)
        return self.el("div", inner, "side")

    def note(self) -> str:
        return self.el(self.pick("p", "div", "span"), self.caption("note"))

    def entry(self) -> str:
        """Another article, as lists have them."""
        tag = self.pick("div", "p", "span")
        names = ", ".join(self.stranger() for _ in range(self.many(2, 8)))
        title = self.el("h4" if self.often(0.3) else tag, self.link(self.other()))
        source = self.source() if self.often(0.5) else ""
        return title + self.el(tag, names if self.often(0.7) else "") + self.el(tag, source)

    def entries(self, few: int, many: int) -> str:
        tag, count = self.pick("li", "div"), self.chance.randint(few, many)
        listed = "".join(f"<{tag}>{self.entry()}</{tag}>" for _ in range(count))
        return f"<ul>{listed}</ul>" if tag == "li" else listed

    def summaries(self, few: int, many: int) -> str:
        """Other articles with their abstracts."""
        texts = self.chance.choices(self.stock.sentences, k=self.chance.randint(few, many))
        return "".join(f"<div>{self.entry()}<p>{escape(2 * text)}</p></div>" for text in texts)

    def outline(self) -> str:
        """Links to the sections of an article."""
        kinds = ("abstract", "body", "body", "body", "references", "affiliations")
        texts = dict.fromkeys(self.link(self.heading(kind)) for kind in kinds)
        tag = self.pick("li", "div", "span")
        return self.el("div", "".join(f"<{tag}>{text}</{tag}> " for text in texts), "menu")

    def panel(self) -> str:
        """What is beside an article: other articles, numbers, tools."""
        kind = self.pick("similar", "similar", "cited", "tools")
        heading = self.el(self.pick("h2", "h3", "h4", "div", "b"), self.caption(kind), "sidehead")
        parts: Sequence[Callable[[], str]] = (
            lambda: heading + self.entries(2, 5),
            self.tools,
            self.note,
            self.outline,
            lambda: heading + "".join(f"<div>{text}</div>" for text in self.captions("note", 1, 3)),
            lambda: heading + self.el("p", self.citation()),
        )
        return self.el(self.pick("div", "section", "aside"), self.chance.choice(parts)(), "side")

    def panels(self, few: int, many: int) -> str:
        return "".join(self.panel() for _ in range(self.chance.randint(few, many)))

    def above(self) -> str:
        """What is above a title: where it appeared, and of what kind it is."""
        path = self.pick(" / ", " > ", " » ").join(map(self.link, self.captions("menu", 2, 3)))
        parts = [
            self.chosen(f"⟦40 <⟨p|div⟩>{self.source()}</⟨p|div⟩>⟧"),
            self.chosen(f"⟦25 <⟨p|div⟩>{self.caption('types')}</⟨p|div⟩>⟧"),
            self.chosen(f"⟦20 <p>{path}</p>⟧"),
            self.filled("⟦15 {tools}⟧⟦8 {outline}⟧"),
        ]
        self.chance.shuffle(parts)
        return "".join(parts)
