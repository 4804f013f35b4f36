"""Pages written by chance, to learn from: articles as nobody of the corpus prints them, and others.

Records, preprints, proceedings, theses, letters, pages by hand. What is written in them comes from
articles of the corpus, put together anew so that it means nothing; how it is laid out, called and
styled is drawn for each page. Elements say which label their zones have (`name`, which no
feature sees), so labels are right.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from itertools import pairwise

from pagesight.learning.corpora import Corpora, rendered
from pagesight.page import Page
from pagesight.readers.article.labelling.labels import AFFILIATIONS
from pagesight.readers.article.learning.alignment import Labelling
from pagesight.readers.article.learning.corpus import ArticlePage
from pagesight.readers.article.learning.stock import Stock
from pagesight.readers.article.learning.tongues import GENERAL, Tongue
from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.names.persons import Name
from pagesight.readers.article.zones import Zones, article_zones
from pagesight.sources import Request

SPLIT = "written"
COPIES = 24  # of each kind of article
OTHER_COPIES = 8  # of each kind of other pages
ARTICLES = tuple(
    "journal record preprint proceedings handmade thesis letter essay index landing".split()
)
OTHERS = tuple(
    "blog dataset contents profile results news instructions conference book software question "
    "course job encyclopedia event issue patent".split()
)
_CLASSES = {
    "title": "title article-title citation__title page-title headline entry-title",
    "author": "authors contrib-group author-list creators byline people metadata-authors",
    "place": "affiliations affiliation aff institution address author-info",
    "abstract": "abstract abstract-section summary description abstractInFull item-abstract",
    "keywords": "keywords kwd-group subjects tags",
    "references": "references ref-list citations biblio article-references",
    "body": "body article-body fulltext content main-text",
    "meta": "metadata item-details info citation-info article-meta details",
    "side": "sidebar related recommended widget metrics side",
    "menu": "nav menu navbar top-links header-links",
}
_SIGNS = "*†‡§¶"
_DEGREES = ("PhD", "MD", "MSc", "Dr.", "Prof.", "MPH", "RN")


@dataclass(slots=True)
class Paper:
    """What is written of an article: all that a page may show of it."""

    title: str
    other_title: str
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


class Writer:
    """Writes one page, all of it by chance."""

    def __init__(self, stock: Stock, seed: str) -> None:
        self.stock = stock
        self.chance = random.Random(seed)  # noqa: S311 - the same pages every time
        self.tongue = Tongue(self.chance)
        self.naming = self.pick("none", "none", "odd", "telling", "telling")
        self.raising = self.pick("sup", "sup", "sup", "round", "plain")  # how marks are written
        self.linked, self.orcids, self.degrees = (self.often(share) for share in (0.35, 0.2, 0.07))
        self.seen: set[str] = set()  # the fields that are shown
        self.marks: list[str] = []  # by place, if names have marks
        self.paper = self._paper()

    def _paper(self) -> Paper:
        chance, stock, tongue = self.chance, self.stock, self.tongue
        count = self.many(3, 40)
        names = [tongue.named(chance.choice(stock.names)) for _ in range(count)]
        places = [tongue.place(chance.choice(stock.places)) for _ in range(chance.randint(1, min(count, 9)))]
        places = list(dict.fromkeys(places))
        at = [*range(min(len(places), count))]
        at += [chance.randrange(len(places)) for _ in range(count - len(at))]
        places = places[: max(at) + 1]
        english = chance.choice(stock.titles)
        sentences = [tongue.said(chance.choice(stock.sentences)) for _ in range(chance.randint(3, 14))]
        parts = chance.choice((1, 1, 1, 1, 2, 3, 4))
        size = -(-len(sentences) // parts)
        joint = "" if tongue.unspaced else " "
        abstract = [joint.join(sentences[at : at + size]) for at in range(0, len(sentences), size)]
        words = [word.strip(".,:;()").lower() for word in tongue.said(chance.choice(stock.titles)).split()]
        year = chance.randint(1975, 2025)
        paragraphs = chance.sample(stock.paragraphs, min(self.many(10, 60, 3), len(stock.paragraphs)))
        body = [tongue.said(text) for text in paragraphs]
        cited = chance.sample(stock.cited, min(self.many(18, 120, 3), len(stock.cited)))
        form = self.name_form = self._name_form()
        return Paper(
            title=tongue.said(english), other_title=chance.choice(stock.titles), names=names,
            shown=list(map(form, names)), places=places, at=at, abstract=abstract,
            keywords=[word for word in words if len(word) > 3 or tongue.unspaced][:6] or ["tea"],
            body=body, cited=[tongue.said(text) if chance.random() < 0.1 else text for text in cited],
            year=year, doi=f"10.{chance.randint(1000, 99999)}/{chance.choice('abcxyz')}{year}.{chance.randint(1, 999)}",
        )  # fmt: skip

    def _name_form(self) -> Callable[[Name], str]:
        whole = self.tongue.whole
        if self.tongue.script in ("han", "japanese", "hangul"):
            gap = " " if self.often(0.2) else ""
            return lambda name: f"{name.family}{gap}{name.given}"

        def initials(name: Name) -> str:
            return " ".join(f"{part[0]}." for part in name.given.split() if part)

        forms: list[tuple[float, Callable[[Name], str]]] = [
            (0.58, whole),
            (0.22, lambda name: f"{name.family}, {name.given}" if name.given else name.family),
            (0.08, lambda name: f"{initials(name)} {name.family}".strip()),
            (0.05, lambda name: f"{name.family} {initials(name)}".strip()),
            (0.04, lambda name: f"{name.given} {name.family.upper()}".strip()),
            (0.03, lambda name: whole(name).upper()),
        ]
        weights, ways = zip(*forms, strict=True)
        form: Callable[[Name], str] = self.chance.choices(ways, weights)[0]
        return form

    # Small parts

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def many(self, usual: int, most: int, few: int = 1) -> int:
        """How many there are of something: mostly few, sometimes very many."""
        return min(few + int(self.chance.expovariate(1 / usual)), most)

    def pick(self, *values: str) -> str:
        return self.chance.choice(values)

    def shuffled(self, parts: Sequence[str]) -> str:
        return "".join(sorted(parts, key=lambda _: self.chance.random()))

    def el(self, tag: str, inner: str, role: str = "", zone: str = "") -> str:
        """An element with a class that may say what it is, and the label of its zones."""
        name = ""
        if role in _CLASSES and self.naming != "none":
            telling = self.chance.choice(_CLASSES[role].split())
            name = f' class="{telling if self.naming == "telling" else f"x{len(role)}"}"'
        label = f' name="{zone}"' if zone else ""
        look = f' data-look="{role}"' if role else ""
        return f"<{tag}{name}{look}{label}>{inner}</{tag}>"

    def link(self, text: str) -> str:
        return f'<a href="/{self.chance.randint(10, 9999)}">{text}</a>'

    def caption(self, kind: str) -> str:
        return escape(self.tongue.caption(kind))

    def captions(self, kind: str, few: int, many: int) -> list[str]:
        return list(dict.fromkeys(self.caption(kind) for _ in range(self.chance.randint(few, many))))

    def menu(self) -> str:
        links = [self.link(text) for text in self.captions("menu", 3, 12)]
        if long := self.often(0.25):  # all that a publisher has
            links += [self.link(self.pick(self.other(), self.caption("types"), self.caption("similar"), self.journal())) for _ in range(self.many(30, 200))]
            if self.often(0.5):
                links = [f"{link}<p>{self.caption('note')}</p>" if self.often(0.05) else link for link in links]
        if not long and self.often(0.4):
            return self.el(self.pick("nav", "div", "p"), self.pick(" ", " | ", "").join(links), "menu")
        return self.el("ul", "".join(f"<li>{link}</li>" for link in links), "menu")

    def tools(self) -> str:
        texts = self.captions("tools", 1, 6)
        if self.often(0.3):
            return "".join(f"<button>{text}</button>" for text in texts)
        tag = self.pick("span", "li", "div", "p")
        return self.el("div", "".join(f"<{tag}>{self.link(text)}</{tag}> " for text in texts), "side")

    def note(self) -> str:
        return self.el(self.pick("p", "div", "span"), self.caption("note"))

    def journal(self) -> str:
        return escape(self.chance.choice(GENERAL["journals"]))

    def date(self) -> str:
        day, year = self.chance.randint(1, 28), self.paper.year
        month = self.chance.choice(GENERAL["months"])
        return self.pick(f"{day} {month} {year}", f"{month} {day}, {year}", f"{year}", f"{year}-0{day % 9 + 1}-{day:02}", f"{day:02}.0{day % 9 + 1}.{year}")

    def source(self) -> str:
        """Where the article appeared."""
        volume, issue, page = (self.chance.randint(1, most) for most in (90, 12, 800))
        pages = f"{page}–{page + 11}"
        journal, year = self.journal(), self.paper.year
        return self.pick(
            f"{journal}, Vol. {volume}, No. {issue} ({year}), pp. {pages}",
            f"{journal} {volume}({issue}): {pages} · {year}", f"{journal}, {year}, {volume} ({issue}), {pages}.",
            f"Vol. {volume} ({year})", f"{escape(self.chance.choice(GENERAL['proceedings']))}, pp. {pages}",
            f"{journal}. {year} Jul;{volume}({issue}):{pages}. doi: {self.paper.doi}.",
        )  # fmt: skip

    def citation(self) -> str:
        """How the page asks to be cited: this is not where authors are."""
        names = "; ".join(f"{name.family}, {name.given[:1]}." for name in self.paper.names[:4])
        return f"{escape(names)} ({self.paper.year}). {escape(self.paper.title)}. {self.source()}"

    def stranger(self) -> str:
        return escape(self.tongue.whole(self.tongue.named(self.chance.choice(self.stock.names))))

    def other(self) -> str:
        return escape(self.tongue.said(self.chance.choice(self.stock.titles)))

    def entry(self) -> str:
        """Another article, as lists have them."""
        tag = self.pick("div", "p", "span", "li")
        names = ", ".join(self.stranger() for _ in range(self.chance.randint(1, 4)))
        title = self.link(self.other())
        title = f"<h4>{title}</h4>" if self.often(0.3) else f"<{tag}>{title}</{tag}>"
        parts = [title, f"<{tag}>{names}</{tag}>" if self.often(0.7) else ""]
        parts += [f"<{tag}>{self.source()}</{tag}>" if self.often(0.5) else ""]
        return "".join(parts)

    def entries(self, few: int, many: int) -> str:
        tag = self.pick("li", "div")
        listed = "".join(f"<{tag}>{self.entry()}</{tag}>" for _ in range(self.chance.randint(few, many)))
        return f"<ul>{listed}</ul>" if tag == "li" else listed

    def panel(self) -> str:
        """What is beside an article: other articles, numbers, tools."""
        heading = self.el(self.pick("h2", "h3", "h4", "div", "b"), self.caption(self.pick("similar", "similar", "cited")), "sidehead")
        inner = self.chance.choice((
            lambda: heading + self.entries(2, 5), self.tools, self.note,
            lambda: self.el("h3", self.caption("tools"), "sidehead") + "".join(f"<div>{text}</div>" for text in self.captions("note", 1, 3)),
            lambda: f"<p>{self.caption('tools')}</p>" + self.el("p", self.citation()), self.outline,
        ))()  # fmt: skip
        return self.el(self.pick("div", "section", "aside"), inner, "side")

    def outline(self) -> str:
        """Links to the sections of an article."""
        kinds = ("abstract", "body", "body", "body", "references", "affiliations")
        texts = dict.fromkeys(self.link(escape(self.tongue.heading(kind))) for kind in kinds)
        tag = self.pick("li", "div", "span")
        return self.el("div", "".join(f"<{tag}>{text}</{tag}> " for text in texts), "menu")

    def panels(self, few: int = 0, many: int = 3) -> str:
        return "".join(self.panel() for _ in range(self.chance.randint(few, many)))

    # Parts of articles

    def title(self) -> str:
        text = escape(self.paper.title)
        text = text.upper() if self.often(0.05) else text
        if self.often(0.12):
            text = self.link(text)
        if self.often(0.06):
            text = f"<span>{self.pick('Open Access', 'Free', 'New', 'Revised')}</span> {text}"
        tag = self.pick("h1", "h1", "h1", "h2", "h3", "div", "p", "b", "h1")
        title = self.el(tag, text, "title", "title")
        if tag == "b":
            title = f"<p>{title}</p>"
        if self.tongue.code != "en" and self.often(0.35):  # or the other way round
            title += self.el(self.pick("h2", "h3", "div", "p"), escape(self.paper.other_title), "subtitle")
        return f"<center>{title}</center>" if self.often(0.1) else title

    def one(self, rank: int, mark: str = "") -> str:
        """A name with what is beside it."""
        text = escape(self.paper.shown[rank])
        if self.linked:
            text = self.link(text)
        if self.degrees and self.often(0.6):
            text += f", {self.chance.choice(_DEGREES)}"
        text += mark
        if self.orcids and self.often(0.6):
            number = "-".join(f"{self.chance.randint(0, 9999):04}" for _ in range(4))
            shown = self.pick('<img src="o.png" width=16 height=16 alt="">', "", f" {number}")
            text += f'<a href="https://orcid.org/{number}">{shown}</a>'
        return text

    def byline(self, placed: str) -> str:
        """Names, and with them places if they are `placed` inside or below."""
        often, paper = self.often, self.paper
        ranks = range(len(paper.names))
        if placed == "inside":
            return self.located()
        marks = self.marks = self.new_marks() if placed == "marked" else [""] * len(paper.places)
        names = [self.one(rank, self._superscript(marks[paper.at[rank]], rank)) for rank in ranks]
        comma = any("," in shown for shown in paper.shown)
        way = self.pick("line", "line", "line", "items", "lines", "spans")
        if way == "line" or self.tongue.unspaced:
            text = self._joined(names, comma)
            tag = self.pick("p", "div", "h3", "h4", "span", "div")
            if often(0.2):
                text = f"{self.pick('By', 'by', self.caption('by') + ':', self.caption('by') + ':')} {text}"
            return f"{self._by_caption(0.12)}{self._own_line(tag, text)}"
        if way == "spans":
            joint = self.pick(", ", " ", "; ", " · ") if not comma else "; "
            inner = joint.join(f"<span>{name}</span>" for name in names)
            return self._by_caption(0.15) + self.el("div", inner, "author", "author")
        if way == "lines":
            return self._by_caption(0.2) + self.el(self.pick("p", "div"), "<br>".join(names), "author", "author")
        tag = self.pick("li", "div", "p", "h4", "a")
        inner = "".join(self.el(tag, name, "", "author") for name in names)
        return self._by_caption(0.25) + self.el("ul" if tag == "li" else "div", inner, "author")

    def _own_line(self, tag: str, text: str) -> str:
        line = self.el(tag, text, "author", "author")
        return f"<p>{line}</p>" if tag == "span" else line

    def _by_caption(self, share: float) -> str:
        if not self.often(share):
            return ""
        return self.el(self.pick("h3", "h4", "div", "p", "b"), self.caption("by"), "partial")

    def _joined(self, names: Sequence[str], comma: bool) -> str:
        names = list(names)
        if self.often(0.06):  # what is offered beside names
            names[-1] += f" {self.link(self.caption('tools'))}" if self.often(0.5) else f" {self.pick('Authors Info & Claims', 'Show more', '+ 3', 'Follow', 'See all')}"
        joint = self.pick("; ", "; ", " ; ") if comma else self.pick(", ", ", ", ", ", "; ", " · ", " | ", " – ")
        if self.tongue.unspaced:
            joint = self.pick("，", "、", "; ", " ", ", ")
        last = self.pick(" and ", ", and ", " & ", joint) if self.tongue.code == "en" else joint
        if comma:
            last = self.pick(joint, " and ") if self.tongue.code == "en" else joint
        return joint.join(names[:-1]) + last + names[-1] if len(names) > 1 else names[0]

    def new_marks(self) -> list[str]:
        first = self.pick("1", "1", "1", "a", "*")
        count = len(self.paper.places)
        if first == "*" and count > len(_SIGNS):
            first = "1"
        return [{"1": str(at + 1), "a": chr(97 + at), "*": (_SIGNS + "x")[at % 6]}[first] for at in range(count)]

    def _superscript(self, mark: str, rank: int) -> str:
        if not mark:
            return ""
        mark = f"{mark},*" if rank == 0 and self.often(0.2) else mark
        return self._raise(mark)

    def _raise(self, mark: str) -> str:
        return {"sup": f"<sup>{mark}</sup>", "round": self.pick(f" ({mark})", f"[{mark}]"), "plain": mark}[self.raising]

    def located(self) -> str:
        """Each name with its place: beside, below, in brackets, or in an entry of a list."""
        paper, way = self.paper, self.pick("brackets", "comma", "below", "below", "lines", "row", "groups")
        ranks = range(len(paper.names))
        if way == "brackets" or (way == "comma" and any("," in shown for shown in paper.shown)):
            parts = [f"{self.one(rank)} ({escape(paper.places[paper.at[rank]])})" for rank in ranks]
            tag = self.pick("p", "div", "li")
            if tag == "li":
                return f"<ul>{''.join(self.el('li', part, '', 'author') for part in parts)}</ul>"
            return self.el(tag, self.pick("; ", ", ", "<br>").join(parts), "author", "author")
        if way == "comma":
            parts = [f"{self.one(rank)}, {escape(paper.places[paper.at[rank]])}" for rank in ranks]
            return self.el("p", "; ".join(parts) if self.often(0.5) else "<br>".join(parts), "author", "author")
        if way == "groups":  # all who are at a place, and the place
            blocks = []
            for at, place in enumerate(paper.places):
                names = [self.one(rank) for rank in ranks if paper.at[rank] == at]
                blocks.append(self.el("p", self._joined(names, any("," in shown for shown in paper.shown)), "author", "author") + self.el("p", self.address(place), "place", "affiliation"))
            return "".join(blocks)
        tag = {"below": self.pick("li", "div", "div"), "lines": "p", "row": "tr"}[way]
        cell = {"li": "div", "div": self.pick("div", "p", "span"), "p": "span", "tr": "td"}[tag]
        gap = "<br>" if way == "lines" or cell == "span" else ""
        email, beside = self.often(0.25), self.tools() if self.often(0.15) else ""
        entries = []
        for rank in ranks:
            address = f"{paper.names[rank].family.lower().replace(' ', '')}@example.org"
            entries.append(
                self.el(cell, self.one(rank), "author", "author") + gap
                + self.el(cell, self.address(paper.places[paper.at[rank]]), "place", "affiliation")
                + (gap + self.el(cell, address, "", "correspondence") if email else "")
                + (self.el(cell, beside) if beside else "")
            )  # fmt: skip
        inner = "".join(self.el(tag, entry) for entry in entries)
        return self._by_caption(0.25) + {"li": f"<ul>{inner}</ul>", "tr": f"<table>{inner}</table>"}.get(tag, inner)

    def address(self, place: str) -> str:
        """A place in one line, or in several elements of one entry."""
        if ", " not in place or not self.often(0.25):
            return escape(place)
        parts = place.split(", ")
        cut = self.chance.randint(1, len(parts) - 1)
        halves = [escape(", ".join(parts[:cut])), escape(", ".join(parts[cut:]))]
        return self.pick(",<br>", "<br>", ", ").join(halves)

    def affiliations(self, marked: bool, zone: str = "affiliation") -> str:
        paper = self.paper
        self.seen.add("affiliations")
        marks = [self._raise(mark) for mark in self.marks] if marked else [""] * len(paper.places)
        gap = self.pick("", " ")
        texts = [f"{mark.strip()}{gap}{self.address(place)}" for mark, place in zip(marks, paper.places, strict=True)]
        heading = ""
        if self.often(0.3):
            heading = self.el(self.pick("h3", "h4", "div", "b"), escape(self.tongue.heading("affiliations")), "partial")
        way = self.pick("items", "items", "blocks", "lines", "one")
        if way == "one" and not marked:
            way = "lines"
        if way == "items":
            tag = self.pick("ul", "ol")
            inner = f"<{tag}>{''.join(self.el('li', text, '', zone) for text in texts)}</{tag}>"
        elif way == "blocks":
            tag = self.pick("p", "div", "dd")
            inner = "".join(self.el(tag, text, "", zone) for text in texts)
        else:
            inner = self.el(self.pick("p", "div"), {"lines": "<br>", "one": "; "}[way].join(texts), "", zone)
        return heading + self.el("div", inner, "place")

    def people(self) -> str:
        """Names and places as they are between the title and the abstract."""
        self.seen.add("authors")
        placed = self.pick("marked", "marked", "inside", "inside", "below", "none", "none")
        if placed == "inside":
            self.seen.add("affiliations")
            return self.byline("inside")
        names = self.byline(placed)
        if self.tongue.script != "latin" and self.often(0.3):  # the same in English
            names += self.el(self.pick("p", "div"), ", ".join(escape(self.chance.choice(self.stock.names).whole) for _ in self.paper.names), "", "again")
        if placed == "none":
            return names
        return names + (self.panel() if self.often(0.05) else "") + self.affiliations(placed == "marked")

    def again(self) -> str:
        """The authors once more, with what is told of each."""
        paper = self.paper
        entries = []
        for rank, name in enumerate(paper.names[:8]):
            told = self.pick(escape(paper.places[paper.at[rank]]), f"{escape(self.tongue.whole(name))} works on tea.", "View profile", "Search for more papers by this author")
            entries.append(self.el("p", escape(self.tongue.whole(name)), "", "again") + f"<p>{told}</p>")
        heading = f"<h3>{escape(self.tongue.heading('affiliations'))}</h3>" if self.often(0.5) else ""
        return f"<div>{heading}{''.join(entries)}</div>"

    def dates(self) -> str:
        text = self.pick(
            f"Received {self.date()}; Accepted {self.date()}", f"{self.caption('date')}: {self.date()}",
            f"Published: {self.date()}", f"Received: {self.date()} / Revised: {self.date()} / Published: {self.date()}",
        )  # fmt: skip
        return self.el(self.pick("p", "div"), text, "", "dates")

    def abstract(self) -> str:
        """With a heading above, in the text, or without one; in sections or not."""
        self.seen.add("abstract")
        texts = list(map(escape, self.paper.abstract))
        if len(texts) >= 3 and self.tongue.script == "latin" and self.often(0.7):
            names = self.chance.choice((
                ("Background", "Methods", "Results", "Conclusions"), ("Aim", "Methods", "Findings", "Conclusion"),
                ("Objective", "Design", "Results", "Limitations"), ("Purpose", "Methodology", "Findings", "Originality"),
            ))  # fmt: skip
            way = self.pick("<b>{}:</b> ", "{}: ", "<strong>{}</strong> ")
            texts = [way.format(name) + text for name, text in zip(names, texts, strict=False)]
        called = escape(self.tongue.heading("abstract"))
        called = called.upper() if self.often(0.1) else called
        way = self.pick("above", "above", "above", "inside", "none", "none", "none")
        heading = ""
        if way == "above":
            tag = self.pick("h2", "h3", "h4", "div", "b", "p", "strong")
            heading = self.el(tag, called + self.pick("", "", ":"), "partial", "abstract heading")
        elif way == "inside":
            opening = self.pick(f"<b>{called}</b>", f"<b>{called}:</b>", f"{called}:", f"<i>{called}.</i>", f"<strong>{called}</strong> —")
            texts[0] = f"{opening} {texts[0]}"
        tag = self.pick("p", "p", "div", "span", "blockquote")
        if tag == "span":
            text = self.el("div", "<br><br>".join(texts), "", "abstract")
        else:
            text = "".join(self.el(tag, text, "", "abstract") for text in texts)
        more = self.link(self.pick("Read more", "Show less", "More", "[+]")) if self.often(0.06) else ""
        other = ""
        if self.tongue.code != "en" and self.often(0.25):
            other = "<h3>Abstract</h3>" if self.often(0.7) else ""
            other += f"<p>{escape(' '.join(self.chance.choice(self.stock.sentences) for _ in range(5)))}</p>"
        return self.el(self.pick("div", "section"), heading + text + more, "abstract") + other

    def keywords(self) -> str:
        called = escape(self.tongue.heading("keywords"))
        words = [escape(word) for word in self.paper.keywords]
        words = [self.link(word) for word in words] if self.often(0.3) else words
        text = self.pick(", ", "; ", " · ", ", ").join(words)
        if self.often(0.6):
            return self.el(self.pick("p", "div"), f"<b>{called}:</b> {text}" if self.often(0.6) else f"{called}: {text}", "keywords", "keywords")
        inner = "".join(f"<li>{word}</li>" for word in words) if self.often(0.4) else text
        heading = self.el(self.pick("h3", "h4", "div"), called, "partial", "keywords")
        return heading + self.el("ul" if inner.startswith("<li") else "p", inner, "keywords", "keywords")

    def rows(self, rows: Sequence[tuple[str, str, str]]) -> str:
        """Captions and values, as records have them: of each the caption, the value and its label."""
        way = self.pick("table", "table", "dl", "divs", "paragraphs", "paragraphs", "items", "lines")
        colon = self.pick(":", "", " :")
        parts = []
        for caption, value, zone in rows:
            called = f"{caption}{colon}"
            own = {"abstract": "abstract heading", "keywords": "keywords"}.get(zone, "")
            if way == "table":
                tag = self.pick("td", "th") if not parts else tag  # noqa: F821 - of the row before
                parts.append(f"<tr>{self.el(tag, called, 'caption', own)}{self.el('td', value, '', zone)}</tr>")
            elif way == "dl":
                parts.append(self.el("dt", called, "caption", own) + self.el("dd", value, "", zone))
            elif way == "divs":
                parts.append(f"<div>{self.el('div', called, 'caption', own)}{self.el('div', value, '', zone)}</div>")
            elif way == "lines":
                parts.append(f"{self.el('b', called)} {self.el('span', value, '', zone)}<br>")
            else:
                bold = f"<b>{called}</b> " if self.often(0.8) else f"{called} "
                parts.append(self.el("p" if way == "paragraphs" else "li", bold + value, "", zone))
        tag = {"table": "table", "dl": "dl", "items": "ul"}.get(way, "div")
        return self.el(tag, "".join(parts), "meta")

    def facts(self, few: int = 2, many: int = 9) -> list[tuple[str, str, str]]:
        """What records state besides."""
        paper, chance = self.paper, self.chance
        doi = paper.doi
        known = [
            (self.caption("date"), self.date(), ""), (self.caption("type"), self.caption("types"), ""),
            (self.caption("journal"), self.pick(self.journal(), self.source()), ""),
            (self.caption("publisher"), self.pick(escape(chance.choice(GENERAL["publishers"])), "English", "en", str(chance.randint(1, 900)), f"{chance.randint(3, 30)} p."), ""),
            (self.caption("publisher"), escape(self.tongue.place(chance.choice(self.stock.places))), ""),
            (self.caption("rights"), self.caption("note"), ""), (self.caption("advisor"), self.stranger(), ""),
            (self.caption("identifier"), self.link(self.pick(doi, f"https://doi.org/{doi}", f"http://hdl.handle.net/{doi[3:]}")), ""),
            (self.caption("tools"), self.citation(), ""),
        ]  # fmt: skip
        return chance.sample(known, chance.randint(few, many))

    def record(self) -> str:
        """All of an article in one table: also its authors, abstract and keywords, or some."""
        paper = self.paper
        self.seen.add("authors")
        comma = any("," in shown for shown in paper.shown)
        names = [self.one(rank) for rank in range(len(paper.names))]
        people = "<br>".join(names) if self.often(0.4) else self._joined(names, comma)
        if self.often(0.2):
            people = "; ".join(f"{name} ({escape(paper.places[at])})" for name, at in zip(names, paper.at, strict=True))
            self.seen.add("affiliations")
        rows = [(self.caption("by"), people, "author"), *self.facts(2, 7)]
        if "affiliations" not in self.seen and self.often(0.2):
            self.seen.add("affiliations")
            rows.insert(1, (escape(self.tongue.heading("affiliations")), "<br>".join(map(escape, paper.places)), "affiliation"))
        if self.often(0.6):
            self.seen.add("abstract")
            text = "<br><br>".join(map(escape, paper.abstract))
            rows.insert(self.chance.randint(1, len(rows)), (escape(self.tongue.heading("abstract")), text, "abstract"))
        if self.often(0.5):
            rows.append((escape(self.tongue.heading("keywords")), escape("; ".join(paper.keywords)), "keywords"))
        first = rows[1:] if self.often(0.2) else rows
        rows = rows if first is rows else [*first[:1], rows[0], *first[1:]]
        return self.rows(rows)

    def text(self) -> str:
        """The sections of an article, or its text without any."""
        paragraphs = [self.el("p", escape(text), "", "body") for text in self.paper.body]
        if self.often(0.2):
            return self.el("div", "".join(paragraphs), "body")
        tag, numbered = self.pick("h2", "h2", "h3", "h4", "b", "p"), self.often(0.3)
        parts = []
        for number, heading in enumerate(self.tongue.sections(), start=1):
            called = f"{number}. {escape(heading)}" if numbered else escape(heading)
            parts.append(self.el(tag, called, "heading", "body"))
            parts += paragraphs[number - 1 :: 5]
            if self.often(0.15):
                parts.append(self.el("div", f"Figure {number}. {self.other()}", "", "body"))
        return self.el("div", "".join(parts), "body")

    def references(self) -> str:
        self.seen.add("references")
        tag = self.pick("h2", "h3", "h4", "b", "p", "div")
        heading = self.el(tag, escape(self.tongue.heading("references")), "heading", "reference heading")
        way = self.pick("ol", "ul", "p", "div", "table", "br")
        numbered = way not in ("ol",) and self.often(0.4)
        links = self.captions("tools", 1, 1) if self.often(0.1) else [self.pick("Google Scholar", "CrossRef", "PubMed", "[Link]")]
        linked, inside = self.often(0.25), self.often(0.7)
        items = []
        for number, text in enumerate(map(escape, self.paper.cited), start=1):
            if linked and inside:
                text += f" {self.link(links[0])}"
            front = self.chance.choice((f"{number}. ", f"[{number}] ")) if numbered and not items else ""
            front = f"{number}. " if numbered else front
            more = self.el("div", self.link(links[0]), "", "reference part") if linked and not inside else ""
            if way == "table":
                items.append(f"<tr>{self.el('td', f'{number}.', '', 'reference part')}{self.el('td', text, '', 'reference')}</tr>")
            elif way == "br":
                items.append(self.el("span", front + text, "", "reference") + "<br>")
            else:
                inner = self.el("div" if more else "span", front + text, "", "reference") + more
                items.append(f"<{'li' if way in ('ol', 'ul') else way}>{inner}</{'li' if way in ('ol', 'ul') else way}>")
        inner = "".join(items)
        return heading + self.el(way if way in ("ol", "ul", "table") else "div", inner, "references")

    def citing(self) -> str:
        if not self.often(0.2):
            return ""
        cited = self.chance.sample(self.stock.cited, min(4, len(self.stock.cited)))
        inner = "".join(self.el("li", escape(text), "", "citing") for text in cited)
        return f"<h3>{self.caption('cited')}</h3><ul>{inner}</ul>"

    def above(self) -> str:
        """What is above a title: where it appeared, and of what kind it is."""
        parts = []
        if self.often(0.4):
            parts.append(self.el(self.pick("p", "div"), self.source()))
        if self.often(0.25):
            parts.append(self.el(self.pick("p", "span", "div"), self.caption("types")))
        if self.often(0.2):
            parts.append(f"<p>{self.pick(' / ', ' > ', ' » ').join(map(self.link, self.captions('menu', 2, 3)))}</p>")
        if self.often(0.15):
            parts.append(self.tools())
        if self.often(0.08):
            parts.append(self.outline())
        return self.shuffled(parts)

    def maybe(self, share: float, part: Callable[[], str]) -> str:
        return part() if self.often(share) else ""

    # Kinds of articles

    def _journal(self) -> str:
        meta = self.maybe(0.4, lambda: self.rows(self.facts(1, 4)))
        front = self.shuffled([self.maybe(0.3, self.dates), meta, self.maybe(0.3, self.tools)])
        abstract = self.maybe(0.85, self.abstract) + self.maybe(0.6, self.keywords)
        text = self.maybe(0.75, self.text)
        end = self.maybe(0.85, self.references) + self.citing() + self.maybe(0.1, self.again)
        before = self.maybe(0.1, lambda: self.rows(self.facts(1, 3)))
        people = self.people() + self.maybe(0.1, self.again) + self.maybe(0.06, self.outline)
        return f"{self.above()}{self.title()}{before}{people}{front}{abstract}{text}{end}"

    def _record(self) -> str:
        table = self.record()
        if "abstract" in self.seen or self.often(0.15):
            return self.above() + self.title() + self.maybe(0.2, self.tools) + table + self.panels()
        return self.above() + self.title() + (table + self.abstract() if self.often(0.5) else self.abstract() + table) + self.panels()

    def _preprint(self) -> str:
        facts = self.rows(self.facts(2, 6))
        parts = [self.title(), self.people(), self.maybe(0.4, self.dates), self.maybe(0.3, self.tools)]
        parts += [self.maybe(0.15, lambda: facts), self.abstract(), self.maybe(0.3, self.keywords), facts]
        return self.above() + "".join(parts) + self.maybe(0.15, self.references) + self.panels(0, 2)

    def _proceedings(self) -> str:
        venue = self.el(self.pick("p", "h2", "div"), escape(self.chance.choice(GENERAL["proceedings"])))
        parts = [self.maybe(0.6, lambda: venue), self.title(), self.people(), self.maybe(0.5, self.tools)]
        parts += [self.maybe(0.8, self.abstract), self.maybe(0.4, lambda: self.rows(self.facts(2, 6)))]
        return "".join(parts) + self.maybe(0.3, lambda: f"<pre>@inproceedings{{x, title = {{{escape(self.paper.title)}}} }}</pre>") + self.maybe(0.25, self.references)

    def _handmade(self) -> str:
        self.naming = "none"
        rule = self.pick("<hr>", "", "<br>")
        front = self.title() + rule + self.people() + rule + self.maybe(0.85, self.abstract)
        return f"{front}{self.maybe(0.4, self.keywords)}{rule}{self.maybe(0.7, self.text)}{self.maybe(0.7, self.references)}{rule}"

    def _thesis(self) -> str:
        one = self.paper
        one.names, one.shown, one.at = one.names[:1], one.shown[:1], one.at[:1]
        one.places = one.places[:1]
        if self.often(0.5):  # whoever is named next is not the author
            form, self.seen = self.name_form, {"authors"}
            others = [(self.caption("advisor"), escape(form(self.tongue.named(self.chance.choice(self.stock.names)))), "") for _ in range(self.chance.randint(1, 3))]
            rows = [(self.caption("by"), self.one(0), "author"), *others, *self.facts(1, 5)]
            if self.often(0.5):
                self.seen.add("affiliations")
                rows.insert(self.chance.randint(1, len(rows)), (self.caption("publisher"), escape(one.places[0]), "affiliation"))
            return self.above() + self.title() + self.rows(rows) + self.abstract() + self.maybe(0.5, self.keywords) + self.rows(self.facts(1, 4))
        return self._record() if self.often(0.6) else self._preprint()

    def _letter(self) -> str:
        """Names below the text."""
        text = "".join(self.el("p", escape(text), "", "body") for text in self.paper.body[: self.chance.randint(2, 5)])
        called = self.el("p", self.pick("Letter", "Correspondence", "Editorial", "To the Editor", "Comment"))
        return f"{self.maybe(0.6, lambda: called)}{self.title()}{text}{self.people()}{self.maybe(0.7, self.references)}"

    def _essay(self) -> str:
        """Names above or below all else."""
        if self.often(0.5):
            return f"{self.above()}{self.title()}{self.text()}{self.references()}{self.people()}"
        return f"{self.above()}{self.title()}{self.people()}{self.text()}{self.maybe(0.5, self.references)}"

    def _index(self) -> str:
        first = self.el(self.pick("p", "div"), self.source())
        tail = [self.maybe(0.6, self.keywords), self.rows(self.facts(2, 5)), self.panels(1, 2)]
        return first + self.title() + self.people() + self.maybe(0.9, self.abstract) + self.shuffled(tail)

    def _landing(self) -> str:
        parts = [self.maybe(0.6, self.tools), self.maybe(0.8, self.abstract), self.maybe(0.5, self.keywords)]
        return self.above() + self.title() + self.people() + "".join(parts) + self.rows(self.facts(2, 6)) + self.maybe(0.4, self.references) + self.panels(0, 3)

    # Kinds of other pages

    def top(self, text: str = "") -> str:
        return self.el(self.pick("h1", "h1", "h2", "div"), text or self.other(), "title")

    def prose(self, few: int = 2, many: int = 6) -> str:
        texts = self.chance.choices(self.paper.body, k=self.chance.randint(few, many))
        return "".join(f"<p>{escape(text)}</p>" for text in texts)

    def sections(self, *names: str) -> str:
        tag = self.pick("h2", "h3", "h4")
        chosen = [name for name in names if self.often(0.75)]
        return "".join(f"<{tag}>{name}</{tag}>{self.prose(1, 3)}" for name in chosen)

    def _blog(self) -> str:
        meta = self.pick(f"Posted on {self.date()} by {self.stranger()}", f"{self.stranger()} · {self.date()} · 6 min read", f"{self.date()} | {self.stranger()}")
        end = self.maybe(0.5, self.references) + f"<h3>{self.pick('2 Comments', 'Leave a comment', 'About the author', 'Related posts')}</h3>" + self.prose(1, 2)
        return self.top() + f"<p>{meta}</p>" + self.maybe(0.8, lambda: self.sections("Why it matters", "What we did", "Results", "Discussion", "Next steps")) + self.prose() + end

    def _dataset(self) -> str:
        kind = self.pick("Dataset", "Data set", "Data", "Datensatz", "Jeu de données", "Conjunto de datos", "Data package")
        title = self.pick("Data from: ", "Dataset: ", "Replication data for: ", "", "Supplementary data: ") + self.other()
        files = "".join(f"<tr><td>{self.link(f'data{n}.{self.pick(*_FILES)}')}</td><td>{n}.2 MB</td></tr>" for n in range(1, self.chance.randint(2, 6)))
        rows = [(self.caption("type"), kind, ""), *self.facts(2, 6)]
        files = f"<h3>{self.pick('Files', 'Data files', 'Download dataset', 'Usage notes')}</h3><table>{files}</table>"
        return self.maybe(0.6, lambda: f"<p>{kind}</p>") + self.top(title) + self.people() + self.maybe(0.8, self.abstract) + self.shuffled([files, self.rows(rows), self.tools()]) + self.maybe(0.15, self.references)

    def _contents(self) -> str:
        top = self.top(f"{self.journal()}, Vol. {self.chance.randint(1, 50)}, No. 2 ({self.paper.year})")
        head = f"<h2>{self.pick('Table of contents', 'Articles', 'Contents', 'Inhalt', 'Sommaire', 'Artículos', 'Spis treści')}</h2>"
        return top + head + self.entries(5, 14)

    def _profile(self) -> str:
        facts = self.rows([("Position", "Associate Professor", ""), ("Institution", escape(self.paper.places[0]), ""), ("E-mail", "person@example.org", ""), *self.facts(0, 2)])
        return self.top(self.stranger()) + self.shuffled([facts, self.prose(1, 2)]) + f"<h2>{self.pick('Publications', 'Selected publications', 'Recent articles')}</h2>" + self.maybe(0.5, self.references) + self.entries(3, 10)

    def _results(self) -> str:
        top = self.top(self.pick("Search results", f"1–10 of {self.chance.randint(20, 900)} results", self.paper.keywords[0]))
        return top + self.entries(6, 14) + "<p>1 2 3 4 Next</p>"

    def _news(self) -> str:
        source = f"<p>{self.date()} — {escape(self.paper.places[0])}</p>"
        end = f"<p>{self.pick('Journal reference', 'Story source', 'Media contact', 'Original publication')}: {self.citation()}</p>"
        return self.top() + source + self.prose(3, 7) + self.maybe(0.7, lambda: end) + self.panels(0, 2)

    def _instructions(self) -> str:
        title = self.pick("Instructions for authors", "Author guidelines", "Normas para autores", "Hinweise für Autoren", "Submission guidelines", "Zasady dla autorów", "Consignes aux auteurs", "Guide for contributors")
        return self.top(title) + self.sections("Title page", "Authors and affiliations", "Abstract", "Keywords", "Introduction", "Methods", "Figures", "References", "Ethics", "Fees") + self.maybe(0.5, self.references)

    def _conference(self) -> str:
        people = "".join(f"<li>{self.stranger()}, {escape(self.tongue.place(self.chance.choice(self.stock.places)))}</li>" for _ in range(self.chance.randint(3, 9)))
        named = "".join(f"<h3>{name}</h3>{self.prose(1, 1) if self.often(0.5) else f'<ul>{people}</ul>'}" for name in ("Important dates", "Keynote speakers", "Programme committee", "Venue", "Call for papers"))
        return self.top(escape(self.chance.choice(GENERAL["proceedings"]))) + named

    def _book(self) -> str:
        rows = [("ISBN", "978-1-4020-9623-5", ""), ("Pages", "312", ""), ("Format", self.pick("Hardcover", "Paperback", "E-book"), ""), *self.facts(1, 4)]
        return self.top() + f"<p>{self.pick('by ', '')}{self.stranger()}</p>" + self.prose(1, 3) + self.rows(rows) + self.maybe(0.6, lambda: f"<h3>Table of contents</h3>{self.entries(4, 8)}") + self.maybe(0.5, lambda: "<button>Add to cart</button><p>$49.00</p>")

    def _software(self) -> str:
        parts = self.sections("Installation", "Usage", "Citation", "License", "Changelog", "Contributors")
        return self.top() + self.maybe(0.5, lambda: self.byline("none")) + parts + f"<pre>pip install tea</pre><p>{self.citation()}</p>"

    def _question(self) -> str:
        answers = "".join(f"<div>{self.prose(1, 2)}<p>answered {self.date()} {self.stranger()}</p></div>" for _ in range(3))
        return self.top(self.other() + "?") + self.prose(1, 2) + f"<h2>{self.chance.randint(2, 9)} Answers</h2>" + answers

    def _course(self) -> str:
        staff = f"<p>Lecturer: {self.stranger()}, {escape(self.paper.places[0])}</p>"
        return self.top() + staff + self.sections("Overview", "Learning outcomes", "Assessment", "Prerequisites") + "<h3>Required reading</h3>" + self.references()

    def _job(self) -> str:
        return self.top(f"Research fellow in {escape(self.chance.choice(GENERAL['fields']))}") + f"<p>{escape(self.paper.places[0])}</p>" + self.sections("About the role", "Your profile", "We offer", "How to apply") + f"<p>Closing date: {self.date()}</p>"

    def _encyclopedia(self) -> str:
        return self.top(self.paper.keywords[0].capitalize()) + self.prose(1, 2) + self.sections("History", "Description", "Uses", "Distribution", "Etymology") + "<h2>See also</h2>" + self.references()

    def _event(self) -> str:
        who = f"<p>Speaker: {self.stranger()} ({escape(self.paper.places[0])})</p>" if self.often(0.5) else self.byline("inside")
        return self.top() + who + f"<p>{self.date()}, 16:00, Room 2.14</p>" + self.maybe(0.8, self.abstract) + "<p><a href=/ics>Add to calendar</a></p>" + self.maybe(0.5, lambda: f"<h3>Biography</h3>{self.prose(1, 1)}") + self.panels(0, 2)

    def _issue(self) -> str:
        """A list of articles with their abstracts."""
        def entry() -> str:
            names = ", ".join(self.stranger() for _ in range(self.chance.randint(1, 4)))
            return f"<div><h3>{self.link(self.other())}</h3><p>{names}</p><p>{escape(self.chance.choice(self.stock.sentences))} {escape(self.chance.choice(self.stock.sentences))}</p></div>"
        return self.top(self.pick(self.journal(), "Special issue: " + self.other())) + self.prose(0, 1) + "".join(entry() for _ in range(self.chance.randint(4, 9)))

    def _patent(self) -> str:
        rows = [("Inventor", self.stranger(), ""), ("Applicant", escape(self.paper.places[0]), ""), ("Application number", "US 12/345,678", ""), ("Filing date", self.date(), "")]
        return self.top() + self.rows(rows) + self.maybe(0.8, self.abstract) + self.sections("Claims", "Description", "Field of the invention")

    # Pages

    def page(self, kind: str) -> str:
        body: str = getattr(self, f"_{kind}")()
        chance = self.chance
        side = self.panels(1, 3) if self.often(0.4) else ""
        way = self.pick("plain", "plain", "flex", "table", "float")
        main = self.el(self.pick("main", "div", "article", "div"), body, "main")
        if side:
            parts = [side, main] if self.often(0.5) else [main, side]
            if way == "table":
                main = f"<table><tr>{''.join(f'<td valign=top>{part}</td>' for part in parts)}</tr></table>"
            else:
                parts = [f'<div data-look="{"aside" if part is side else "column"}">{part}</div>' for part in parts]
                main = f'<div data-look="{"columns" if way == "flex" else "page"}">{"".join(parts)}</div>'
        site = escape(chance.choice(GENERAL["sites"] + GENERAL["journals"]))
        head = self.maybe(0.75, lambda: self.el(self.pick("div", "a", "h1", "h2", "b"), site, "site") + self.maybe(0.8, self.menu))
        head = f"<{self.pick('header', 'div')}>{head}{self.maybe(0.15, self.note)}</div>" if head else ""
        foot = self.maybe(0.6, lambda: f"<footer>{self.menu()}<p>© {self.paper.year} {site}</p></footer>")
        foot += self.maybe(0.2, lambda: f"<p>{self.pick('Last modified: ' + self.date(), self.caption('note'))}</p>")
        style = f"<style>{self.stylesheet()}</style>" if self.often(0.7) else ""
        title = self.pick(f"{escape(self.paper.title)} | {site}", site, escape(self.paper.title))
        html = f"<!DOCTYPE html><html lang={self.tongue.code}><meta charset=utf-8><title>{title}</title>{style}<body>{head}{main}{foot}"
        return html

    def truth(self) -> Truth:
        """What the page that was written last says."""
        paper, seen = self.paper, self.seen
        return Truth(
            titles=(paper.title,),
            authors=tuple(paper.names) if "authors" in seen else (),
            affiliations=tuple(dict.fromkeys(paper.places)) if "affiliations" in seen else (),
            abstract="\n".join(paper.abstract) if "abstract" in seen else None,
            references=tuple(paper.cited) if "references" in seen else (),
        )

    def stylesheet(self) -> str:
        """How a page looks, by chance."""
        chance, size = self.chance, self.chance.randint(12, 18)

        def em(*sizes: float) -> str:
            return f"font-size: {chance.choice(sizes)}em; font-weight: {chance.choice(('normal', 'bold', '600'))}"

        color = self.pick("#222", "#003366", "#7a1f1f", "#000", "#555")
        scale = chance.choice((1.0, 1.1, 1.3, 1.6, 2.0))
        return f"""
            body {{ font: {size}px/{chance.choice((1.2, 1.5, 1.7))} {self.pick("serif", "sans-serif", "Georgia, serif")};
                    max-width: {chance.choice((640, 800, 960, 1180, 2000))}px; margin: {self.pick("0", "0 auto", "1em 3em")} }}
            [data-look=title] {{ {em(scale, scale, scale + 0.4)}; color: {color} }}
            [data-look=subtitle] {{ {em(1, scale, 0.9)}; font-style: {self.pick("italic", "normal")} }}
            [data-look=site] {{ {em(1, 1.5, 2, 2.6)} }}
            [data-look=heading], [data-look=partial], [data-look=sidehead] {{ {em(1, 1.1, 1.3, 0.9)}; color: {self.pick(color, "inherit")};
                text-transform: {self.pick("none", "none", "uppercase")} }}
            [data-look=caption] {{ {em(1, 0.9)}; vertical-align: top; text-align: left; width: {self.pick("auto", "150px")} }}
            [data-look=author] {{ {em(1, 1, 1.1, 0.9)}; font-style: {self.pick("normal", "normal", "italic")}; color: {self.pick("inherit", color)} }}
            [data-look=place] {{ font-size: {chance.choice((0.8, 0.9, 1, 1))}em; color: {self.pick("inherit", "#666")}; font-style: {self.pick("normal", "normal", "italic")} }}
            [data-look=abstract] {{ {self.pick("", "font-style: italic;", "background: #eee; padding: 9px;", "margin: 0 3em;", "font-size: .9em;")} }}
            [data-look=columns] {{ display: flex; gap: 30px }} [data-look=column] {{ flex: 1; min-width: 0 }}
            [data-look=aside] {{ width: {chance.choice((180, 240, 320))}px; font-size: {chance.choice((0.8, 0.9, 1))}em }}
            [data-look=page] > [data-look=aside] {{ float: {self.pick("right", "left")} }}
            [data-look=menu] li, ul[data-look=menu] li {{ display: {self.pick("inline", "block")} }}
            a {{ color: {self.pick("#0645ad", "inherit", "#c33")}; text-decoration: {self.pick("none", "underline")} }}
            ul {{ list-style: {self.pick("none", "disc")}; padding-left: {self.pick("0", "20px")} }} dd {{ margin-left: {self.pick("0", "30px")} }}
            p {{ margin: {self.pick("0", "6px", "12px")} 0 }} footer {{ font-size: {chance.choice((0.8, 0.9, 1))}em }}
        """


_FILES = ("csv", "zip", "txt", "xlsx", "nc")


def labelled(zones: Zones, truth: Truth) -> Labelling:
    """The labels that the elements around zones say; of others, where they are says it."""
    page = zones.page
    labels = [_stated(page, int(zones.nodes[zones.first[zone]])) for zone in range(len(zones))]
    where = {name: [zone for zone, label in enumerate(labels) if label == name] for name in set(labels)}
    title = min(where.get("title", [0]))
    body = min(where.get("body", [len(labels)]))
    cited = sorted(where.get("reference", []) + where.get("reference heading", []))
    known = [zone for zone, label in enumerate(labels) if label not in ("", "citing", "again")]
    last_field = max(known, default=0)
    last_text = max([*where.get("body", []), *cited], default=-1)
    repeated = frozenset(where.get("again", []))
    labels = ["" if label == "again" else label for label in labels]
    for zone, label in enumerate(labels):
        if label in ("affiliation",) and last_text >= 0 and zone > min(body, *cited[:1] or [body]):
            labels[zone] = "last affiliation" if cited and zone > cited[0] else "late affiliation"
        if label:
            continue
        if zone < title:
            labels[zone] = "before"
        elif zone > last_field or (cited and zone > cited[-1]):
            labels[zone] = "after"
        elif cited and zone > cited[0]:
            labels[zone] = "reference part"
        else:
            labels[zone] = "body" if zone > body else "front"
    fields = frozenset(("title", "author", "affiliation", "abstract", "reference"))
    return Labelling(labels=labels, known=fields, truth=truth, repeated=repeated)


def _stated(page: Page, node: int) -> str:
    parent = page.columns["parent"]
    while node > 0:
        if label := page.attribute(node, "name"):
            return label
        node = int(parent[node])
    return ""


def written_articles(corpora: Corpora, stock: Stock, copies: int = COPIES) -> Iterator[ArticlePage]:
    """Articles with their labels; the publisher is the kind of page."""
    for name, kind, writer, page in _pages(corpora, stock, ARTICLES, copies):
        zones = article_zones(page)
        yield ArticlePage(name, f"{kind}-written", SPLIT, zones, labelled(zones, writer.truth()))


def look_alikes(corpora: Corpora, stock: Stock, copies: int = OTHER_COPIES) -> Iterator[tuple[str, Zones]]:
    """Pages that hold parts of articles and are none: the kind of each."""
    for _, kind, _, page in _pages(corpora, stock, OTHERS, copies):
        yield kind, article_zones(page)


def _pages(
    corpora: Corpora, stock: Stock, kinds: Sequence[str], copies: int
) -> Iterator[tuple[str, str, Writer, Page]]:
    """Name, kind, writer and Page of each; there are none without anything to write."""
    names = [(f"{kind} {copy}", kind) for kind in kinds for copy in range(copies)]
    writers = [Writer(stock, name) for name, _ in names] if stock.is_enough else []
    requests = [
        Request(source=writer.page(kind).encode())
        for writer, (_, kind) in zip(writers, names, strict=False)
    ]
    results = rendered(requests, renderer=corpora.renderer)
    made = list(zip(names, writers, strict=False))
    for ((name, kind), writer), page in zip(corpora.worked_on(made), results, strict=True):
        if isinstance(page, Page):
            yield name, kind, writer, page
