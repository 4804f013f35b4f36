"""Pages written by chance, to learn from: articles as nobody of the corpus prints them, and others.

Records, preprints, proceedings, theses, letters, pages by hand. What is written in them comes from
articles of the corpus, put together anew so that it means nothing; how it is laid out, called and
styled is drawn for each page. Elements say which label their zones have (`name`, which no feature
sees), so labels are right.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from pagesight.learning.corpora import Corpora
from pagesight.page import Page
from pagesight.readers.article.labelling.labels import FIELDS
from pagesight.readers.article.learning.alignment import Labelling
from pagesight.readers.article.learning.corpus import ArticlePage
from pagesight.readers.article.learning.stock import Stock
from pagesight.readers.article.learning.tongues import GENERAL
from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.learning.writing import Pen
from pagesight.readers.article.zones import Zones, article_zones
from pagesight.sources import Request

SPLIT = "written"
COPIES, OTHER_COPIES = 45, 10  # of each kind of article, and of other pages
STYLED = 70  # of 100 pages that have a stylesheet


def _kinds(block: str) -> dict[str, str]:
    return dict(line.split(" ", 1) for line in block.splitlines() if line)


_TEMPLATES = Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").split("\n\n")
_STYLE = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
ARTICLES, OTHERS = map(_kinds, _TEMPLATES[1:])
_SIGNS = "*†‡§¶"
_ROMAN = "I II III IV V VI VII VIII IX".split()
_ENTRIES = tuple(
    pair.split() for pair in ("li div", "div div", "div p", "p span", "tr td", "div span")
)
"""The element of an author in a list, and those of name and place in it."""

Row = tuple[str, str, str]  # a caption, a value, and its label


class Writer(Pen):
    """Writes one page with an article, or with parts of one."""

    def __init__(self, stock: Stock, seed: str) -> None:
        super().__init__(stock, seed)
        self.raising = self.pick("sup", "sup", "sup", "round", "square", "plain")
        self.linked, self.orcids, self.degrees = map(self.often, (0.35, 0.2, 0.07))
        self.seen: set[str] = set()  # the fields that are shown
        self.marks: list[str] = []  # by place

    def title(self) -> str:
        words = self.own_title().split()
        text = " ".join(words)
        if self.often(0.06):
            cut = len(words) // 2
            text = f"{' '.join(words[:cut])}<br>{' '.join(words[cut:])}"
        text = self.link(text) if self.often(0.12) else text
        badge = self.chosen("⟦6 <span>⟨Open Access|Free|New|Revised⟩</span> ⟧")
        tag = self.pick("h1", "h1", "h1", "h1", "h2", "h3", "div", "p", "b")
        title = self.el(tag, badge + text, "title", "title")
        title = f"<p>{title}</p>" if tag == "b" else title
        if self.tongue.code != "en" and self.often(0.35):
            other = escape(self.paper.other_title)
            title += self.el(self.pick("h2", "h3", "div", "p"), other, "subtitle")
        return f"<center>{title}</center>" if self.often(0.1) else title

    # Persons and places

    def one_author(self) -> str:
        paper = self.paper
        paper.names, paper.shown, paper.places = paper.names[:1], paper.shown[:1], paper.places[:1]
        paper.at = [0]
        return ""

    def person(self, rank: int, mark: str = "") -> str:
        """A name with what is beside it."""
        text = escape(self.paper.shown[rank])
        text = self.link(text) if self.linked else text
        if self.degrees and self.often(0.6):
            text += f", {self.pick('PhD', 'MD', 'MSc', 'Dr.', 'Prof.', 'MPH', 'RN')}"
        text += mark
        if self.orcids and self.often(0.6):
            number = "-".join(f"{self.chance.randint(0, 9999):04}" for _ in range(4))
            shown = self.pick('<img src="o.png" width=16 height=16 alt="">', "", f" {number}")
            text += f'<a href="https://orcid.org/{number}">{shown}</a>'
        return text

    def persons(self, ranks: Sequence[int]) -> list[str]:
        return list(map(self.person, ranks))

    def by(self, percent: int) -> str:
        """A caption above names, on some pages."""
        tag = self.pick("h3", "h4", "div", "p", "b")
        return self.el(tag, self.caption("by"), "partial") if self.often(percent / 100) else ""

    def joined(self, names: Sequence[str]) -> str:
        """Names in one line."""
        joint = self.pick(", ", ", ", ", ", "; ", " · ", " | ", " – ")
        if self.tongue.unspaced:
            joint = self.pick("，", "、", "; ", " ", ", ")
        elif self.comma:
            joint = self.pick("; ", "; ", " ; ")
        last = self.pick(" and ", ", and ", " & ", joint) if self.tongue.code == "en" else joint
        last = self.pick(joint, " and ") if self.comma and self.tongue.code == "en" else last
        *others, end = names
        if self.often(0.06):  # what is offered beside names
            end += f" {self.link(self.caption('tools'))}"
        elif self.often(0.03):
            end += f" {self.pick('Authors Info & Claims', 'Show more', '+ 3', 'Follow', 'See all')}"
        return joint.join(others) + last + end if others else end

    def names(self) -> str:
        """The names of the authors in a line, in lines, or in a list."""
        marks = self.marks or [""] * len(self.paper.places)
        names = [
            self.person(rank, self.raised(marks[at], first=rank == 0))
            for rank, at in enumerate(self.paper.at)
        ]
        way = self.pick("line", "line", "line", "items", "lines", "spans")
        if way == "line" or self.tongue.unspaced:
            text = self.joined(names)
            if self.often(0.2):
                text = f"{self.pick('By', 'by', self.caption('by') + ':')} {text}"
            line = self.el(self.pick("p", "div", "div", "h3", "h4"), text, "author", "author")
            return self.by(12) + line
        if way == "spans":
            joint = "; " if self.comma else self.pick(", ", " ", "; ", " · ")
            inner = joint.join(f"<span>{name}</span>" for name in names)
            return self.by(15) + self.el("div", inner, "author", "author")
        if way == "lines":
            tag = self.pick("p", "div")
            return self.by(20) + self.el(tag, "<br>".join(names), "author", "author")
        tag = self.pick("li", "div", "p", "h4")
        inner = "".join(self.el(tag, name, zone="author") for name in names)
        return self.by(25) + self.el("ul" if tag == "li" else "div", inner, "author")

    def new_marks(self) -> list[str]:
        numbers = [str(at + 1) for at in range(len(self.paper.places))]
        ways = [numbers, numbers, numbers, [chr(96 + int(number)) for number in numbers]]
        ways += [_ROMAN, list(_SIGNS)] if len(numbers) <= len(_SIGNS) else []
        return self.chance.choice(ways)

    def raised(self, mark: str, *, first: bool = False) -> str:
        """A mark as it is written on this page; the `first` author may have one more."""
        if not mark:
            return ""
        mark = f"{mark},*" if first and self.often(0.2) else mark
        ways = {"sup": f"<sup>{mark}</sup>", "round": f" ({mark})", "square": f"[{mark}]"}
        return ways.get(self.raising, mark)

    def located(self) -> str:
        """Each name with its place: beside, below, in brackets, or in an entry of a list."""
        paper, ranks = self.paper, range(len(self.paper.names))
        places = [escape(paper.places[at]) for at in paper.at]
        way = self.pick("brackets", "comma", "entries", "entries", "entries", "groups")
        way = "brackets" if way == "comma" and self.comma else way
        if way in ("brackets", "comma"):
            names = self.persons(ranks)
            form = "{} ({})" if way == "brackets" else "{}, {}"
            parts = list(map(form.format, names, places))
            if self.often(0.3):
                return f"<ul>{''.join(self.el('li', part, zone='author') for part in parts)}</ul>"
            text = self.pick("; ", ", " if way == "brackets" else "; ", "<br>").join(parts)
            return self.el(self.pick("p", "div"), text, "author", "author")
        if way == "groups":  # all who are at a place, and the place
            return "".join(
                self.el("p", self.joined(names), "author", "author")
                + self.el("p", self.address(place), "place", "affiliation")
                for at, place in enumerate(paper.places)
                if (names := self.persons([rank for rank in ranks if paper.at[rank] == at]))
            )
        tag, cell = self.chance.choice(_ENTRIES)
        gap = "<br>" if cell == "span" else ""
        email, beside = self.often(0.25), self.chosen("⟦15 {tools}⟧")
        parts = []
        for rank in ranks:
            place = self.address(paper.places[paper.at[rank]])
            address = f"{paper.names[rank].family.lower().replace(' ', '')}@example.org"
            cells = [
                self.el(cell, self.person(rank), "author", "author"),
                self.el(cell, place, "place", "affiliation"),
                self.el(cell, address, "", "correspondence") if email else "",
                self.el(cell, self.filled(beside)) if beside else "",
            ]
            parts.append(self.el(tag, gap.join(filter(None, cells))))
        holder = {"li": "ul", "tr": "table"}.get(tag, "div")
        return self.by(25) + self.el(holder, "".join(parts))

    def address(self, place: str) -> str:
        """A place in one line, or in several."""
        if ", " not in place or not self.often(0.25):
            return escape(place)
        parts = place.split(", ")
        cut = self.chance.randint(1, len(parts) - 1)
        halves = escape(", ".join(parts[:cut])), escape(", ".join(parts[cut:]))
        return self.pick(",<br>", "<br>", ", ").join(halves)

    def affiliations(self) -> str:
        """Places in a list, in blocks or lines, or in one line."""
        self.seen.add("affiliations")
        marks = self.marks or [""] * len(self.paper.places)
        gap = self.pick("", " ")
        pairs = zip(marks, self.paper.places, strict=False)
        texts = [f"{self.raised(mark).strip()}{gap}{self.address(place)}" for mark, place in pairs]
        heading = self.el(
            self.pick("h3", "h4", "div", "b"), self.heading("affiliations"), "partial"
        )
        heading = heading if self.often(0.3) else ""
        tag = self.pick("p", "div", "dd")
        way = self.pick("items", "items", "blocks", "lines", "one")
        if way in ("items", "blocks"):
            tag = "li" if way == "items" else tag
            inner = "".join(self.el(tag, text, zone="affiliation") for text in texts)
            inner = self.el(self.pick("ul", "ol"), inner) if way == "items" else inner
        else:
            joint = "; " if way == "one" and self.marks else "<br>"
            inner = self.el(self.pick("p", "div"), joint.join(texts), zone="affiliation")
        return heading + self.el("div", inner, "place")

    def people(self) -> str:
        """Names, and their places if they are shown."""
        self.seen.add("authors")
        way = self.pick("marked", "marked", "located", "located", "below", "none", "none")
        if way == "located":
            self.seen.add("affiliations")
            return self.located()
        self.marks = self.new_marks() if way == "marked" else []
        between = ""
        if self.tongue.script != "latin" and self.often(0.3):  # the names in English
            names = self.chance.choices(self.stock.names, k=len(self.paper.names))
            between = self.el("p", escape(", ".join(name.whole for name in names)), "", "again")
        if self.often(0.08):
            between += self.el(self.pick("p", "div"), self.link(self.one_of("journals")))
        return self.names() + between + (self.affiliations() if way != "none" else "")

    def again(self) -> str:
        """The authors once more, with what is told of each."""
        parts = []
        for name, at in list(zip(self.paper.names, self.paper.at, strict=True))[:8]:
            whole = escape(self.tongue.whole(name))
            place = escape(self.paper.places[at])
            told = self.pick(place, f"{whole} works on tea.", "View profile", "Search for more")
            parts.append(self.el("p", whole, "", "again") + f"<p>{told}</p>")
        heading = self.chosen(f"⟦50 <h3>{self.heading('affiliations')}</h3>⟧")
        return self.el("div", heading + "".join(parts))

    # Other parts of articles

    def dates(self) -> str:
        text = self.filled(
            "⟨Received {date}; Accepted {date}|Published: {date}|"
            "Received: {date} / Revised: {date} / Published: {date}⟩"
        )
        return self.el(self.pick("p", "div"), text, "", "dates")

    def abstract(self) -> str:
        """With a heading above, in the text, or without one; in sections or not; once."""
        if "abstract" in self.seen:
            return ""
        self.seen.add("abstract")
        texts = list(map(escape, self.paper.abstract))
        if len(texts) > 2 and self.tongue.script == "latin" and self.often(0.7):
            way = self.pick("<b>{}:</b> {}", "{}: {}", "<strong>{}</strong> {}")
            texts[:4] = map(
                way.format, self.chance.choice(GENERAL["abstract_parts"]).split(), texts
            )
        called, heading = self.heading("abstract"), ""
        called = called.upper() if self.often(0.1) else called
        way = self.pick("above", "above", "above", "inside", "none", "none", "none")
        if way == "above":
            tag = self.pick("h2", "h3", "h4", "div", "b", "p", "strong")
            heading = self.el(tag, called + self.pick("", "", ":"), "partial", "abstract heading")
        elif way == "inside":
            form = self.pick("<b>{}</b> ", "<b>{}:</b> ", "{}: ", "<i>{}.</i> ", "<b>{}</b> — ")
            texts[0] = form.format(called) + texts[0]
        tag = self.pick("p", "p", "div", "span", "blockquote")
        if tag == "span":
            text = self.el("div", "<br><br>".join(texts), "", "abstract")
        else:
            text = "".join(self.el(tag, text, "", "abstract") for text in texts)
        more = self.chosen("⟦6 <a href=#>⟨Read more|Show less|More|[+]⟩</a>⟧")
        other = ""
        if self.tongue.code != "en" and self.often(0.25):
            sentences = self.chance.choices(self.stock.sentences, k=5)
            other = self.chosen("⟦70 <h3>Abstract</h3>⟧") + f"<p>{escape(' '.join(sentences))}</p>"
        return self.el(self.pick("div", "section"), heading + text + more, "abstract") + other

    def keywords(self) -> str:
        called = self.heading("keywords")
        words = list(map(escape, self.paper.keywords))
        words = list(map(self.link, words)) if self.often(0.3) else words
        text = self.pick(", ", "; ", " · ", ", ").join(words)
        if self.often(0.6):
            line = self.pick(f"<b>{called}:</b> {text}", f"{called}: {text}")
            return self.el(self.pick("p", "div"), line, "keywords", "keywords")
        heading = self.el(self.pick("h3", "h4", "div"), called, "partial", "keywords")
        items = "".join(f"<li>{word}</li>" for word in words)
        tag, inner = ("ul", items) if self.often(0.4) else ("p", text)
        return heading + self.el(tag, inner, "keywords", "keywords")

    def text(self) -> str:
        """The sections of an article, or its text without any."""
        paragraphs = [self.el("p", escape(text), "", "body") for text in self.paper.body]
        if self.often(0.25):
            return self.el("div", "".join(paragraphs), "body")
        tag, numbered = self.pick("h2", "h2", "h3", "h4", "b", "p"), self.often(0.3)
        parts, headings = [], self.tongue.sections()
        for number, heading in enumerate(map(escape, headings), start=1):
            called = f"{number}. {heading}" if numbered else heading
            parts.append(self.el(tag, called, "heading", "body"))
            parts += paragraphs[number - 1 :: len(headings)]
            if self.often(0.15):
                parts.append(self.el("div", f"Figure {number}. {self.other()}", "", "body"))
        return self.el("div", "".join(parts), "body")

    def some_text(self) -> str:
        texts = self.paper.body[: self.chance.randint(2, 6)]
        return "".join(self.el("p", escape(text), "", "body") for text in texts)

    def references(self) -> str:
        self.seen.add("references")
        tag = self.pick("h2", "h3", "h4", "b", "p", "div")
        heading = self.el(tag, self.heading("references"), "heading", "reference heading")
        way = self.pick("ol", "ul", "p", "div", "table", "br")
        numbered = way in ("ul", "p", "div", "br") and self.often(0.4)
        link = self.link(self.pick("Google Scholar", "CrossRef", "PubMed", "[Link]"))
        linked, inside = self.often(0.25), self.often(0.7)
        items = []
        for number, text in enumerate(map(escape, self.paper.cited), start=1):
            cited = f"{number}. {text}" if numbered else text
            cited += f" {link}" if linked and inside else ""
            if way == "table":
                cells = self.el("td", f"{number}.", "", "reference part")
                items.append(f"<tr>{cells}{self.el('td', cited, '', 'reference')}</tr>")
                continue
            item = self.el("span", cited, "", "reference")
            if linked and not inside:
                item = self.el("div", item) + self.el("div", link, "", "reference part")
            entry = "li" if way in ("ol", "ul") else way
            items.append(f"{item}<br>" if way == "br" else self.el(entry, item))
        holder = way if way in ("ol", "ul", "table") else "div"
        return heading + self.el(holder, "".join(items), "references")

    def citing(self) -> str:
        cited = self.chance.sample(self.stock.cited, min(4, len(self.stock.cited)))
        inner = "".join(self.el("li", escape(text), "", "citing") for text in cited)
        return f"<h3>{self.caption('cited')}</h3><ul>{inner}</ul>"

    # Records

    def rows(self, rows: Sequence[Row]) -> str:
        """Captions and values, as records have them."""
        way = self.pick("tr", "tr", "dl", "div", "p", "p", "li", "br")
        colon, cell, bold = self.pick(":", "", " :"), self.pick("td", "th"), self.often(0.8)
        parts = []
        for caption, value, zone in rows:
            called = f"{caption}{colon}"
            own = {"abstract": "abstract heading", "keywords": "keywords"}.get(zone, "")
            if way in ("tr", "div"):
                tags = (cell, "td") if way == "tr" else ("div", "div")
                head = self.el(tags[0], called, "caption", own)
                parts.append(self.el(way, head + self.el(tags[1], value, "", zone)))
            elif way == "dl":
                parts.append(self.el("dt", called, "caption", own) + self.el("dd", value, "", zone))
            elif way == "br":
                parts.append(f"<b>{called}</b> {self.el('span', value, '', zone)}<br>")
            else:
                head = f"<b>{called}</b> " if bold else f"{called} "
                parts.append(self.el(way, head + value, "", zone))
        holder = {"tr": "table", "dl": "dl", "li": "ul"}.get(way, "div")
        return self.el(holder, "".join(parts), "meta")

    def facts(self, few: int, many: int) -> list[Row]:
        """What records state besides."""
        doi, chance = self.paper.doi, self.chance
        link = self.pick(doi, f"https://doi.org/{doi}", f"http://hdl.handle.net/{doi[3:]}")
        number = str(chance.randint(1, 900))
        known = [
            (self.caption("date"), self.date(), ""),
            (self.caption("type"), self.caption("types"), ""),
            (self.caption("journal"), self.pick(self.one_of("journals"), self.source()), ""),
            (self.caption("publisher"), self.pick(self.one_of("publishers"), "en", number), ""),
            (self.caption("publisher"), self.place(), ""),
            (self.caption("rights"), self.caption("note"), ""),
            (self.caption("advisor"), self.stranger(), ""),
            (self.caption("identifier"), self.link(link), ""),
            (self.caption("tools"), self.citation(), ""),
        ]
        return chance.sample(known, chance.randint(few, many))

    def table(self, few: int, many: int) -> str:
        return self.rows(self.facts(few, many))

    def record(self) -> str:
        """All of an article in one table: also its authors, abstract and keywords, or some."""
        paper = self.paper
        self.seen.add("authors")
        names = self.persons(range(len(paper.names)))
        people = "<br>".join(names) if self.often(0.4) else self.joined(names)
        rows = [(self.caption("by"), people, "author"), *self.facts(2, 7)]
        if self.often(0.2):
            self.seen.add("affiliations")
            places = "<br>".join(map(escape, paper.places))
            rows.insert(1, (self.heading("affiliations"), places, "affiliation"))
        if self.often(0.6) and "abstract" not in self.seen:
            self.seen.add("abstract")
            text = "<br><br>".join(map(escape, paper.abstract))
            at = self.chance.randint(1, len(rows))
            rows.insert(at, (self.heading("abstract"), text, "abstract"))
        if self.often(0.5):
            rows.append((self.heading("keywords"), escape("; ".join(paper.keywords)), "keywords"))
        return self.rows(rows if self.often(0.8) else [rows[-1], *rows[:-1]])

    def thesis(self) -> str:
        """One author, and others of whom a record says that they are none."""
        self.seen.add("authors")
        count = self.chance.randint(1, 3)
        others = [(self.caption("advisor"), self.stranger(), "") for _ in range(count)]
        rows = [(self.caption("by"), self.person(0), "author"), *others, *self.facts(1, 5)]
        if self.often(0.5):
            self.seen.add("affiliations")
            row = (self.caption("publisher"), escape(self.paper.places[0]), "affiliation")
            rows.insert(self.chance.randint(1, len(rows)), row)
        return self.rows(rows)

    # Pages

    def page(self, kind: str) -> str:
        """The HTML of a page of a kind."""
        body = self.filled((ARTICLES | OTHERS)[kind])
        main = self.el(self.pick("main", "div", "article", "div"), body)
        if self.often(0.4):
            main = self._beside(main, self.panels(1, 3))
        site = escape(self.chance.choice([*GENERAL["sites"], *GENERAL["journals"]]))
        tag = self.pick("div", "a", "h1", "h2", "b")
        head = self.filled(f"⟦75 {self.el(tag, site, 'site')}⟦80 {{menu}}⟧⟧⟦10 {{note}}⟧")
        head = self.el(self.pick("header", "div"), head) if head else ""
        foot = self.filled(f"⟦60 <footer>{{menu}}<p>© {self.paper.year} {site}</p></footer>⟧")
        last = self.filled("⟦20 <p>Last modified: {date}</p>⟧")
        style = self.chosen(f"⟦{STYLED} <style>{_STYLE}</style>⟧")
        title = self.pick(f"{self.own_title()} | {site}", site, self.own_title())
        return (
            f"<!DOCTYPE html><html lang={self.tongue.code}><meta charset=utf-8><title>{title}"
            f"</title>{style}<body>{head}{main}{foot}{last}"
        )

    def _beside(self, main: str, side: str) -> str:
        """An article and what is beside it, in the order of the document."""
        first = self.often(0.5)
        way = self.pick("columns", "table", "page")
        parts = {"column": main, "aside": side}
        order = ("aside", "column") if first else ("column", "aside")
        if way == "table":
            cells = "".join(f"<td valign=top>{parts[look]}</td>" for look in order)
            return f"<table><tr>{cells}</tr></table>"
        return self.el("div", "".join(self.el("div", parts[look], look) for look in order), way)

    def truth(self) -> Truth:
        """What the page that was written says."""
        paper, seen = self.paper, self.seen
        return Truth(
            titles=(paper.title,),
            authors=tuple(paper.names) if "authors" in seen else (),
            affiliations=tuple(paper.places) if "affiliations" in seen else (),
            abstract="\n".join(paper.abstract) if "abstract" in seen else None,
            references=tuple(paper.cited) if "references" in seen else (),
        )


# Labels


def labelled(zones: Zones, truth: Truth) -> Labelling:
    """The labels that the elements around zones say; of others, where they are says it."""
    stated = [
        next(filter(None, (_stated(zones.page, node) for node in zones.nodes_of(zone))), "")
        for zone in range(len(zones))
    ]
    where = {label: [zone for zone, own in enumerate(stated) if own == label] for label in stated}
    body = where.get("body", [])
    cited = sorted(where.get("reference heading", []) + where.get("reference", []))
    known = [zone for zone, label in enumerate(stated) if label not in ("", "again", "citing")]
    title, end = min(where.get("title", [0])), max(known, default=0)
    start = min([*body[:1], *cited[:1]], default=len(stated))
    labels = []
    for zone, label in enumerate(stated):
        if label == "affiliation" and zone > start:
            label = "last affiliation" if cited and zone > cited[0] else "late affiliation"
        elif label in ("", "again"):
            label = "front"
            if zone < title:
                label = "before"
            elif zone > end or (cited and zone > cited[-1]):
                label = "after"
            elif zone > start:
                label = "reference part" if cited and zone > cited[0] else "body"
        labels.append(label)
    again = frozenset(where.get("again", ()))
    return Labelling(labels=labels, known=frozenset(FIELDS), truth=truth, repeated=again)


def _stated(page: Page, node: int) -> str:
    """The label that the innermost element around a node says."""
    while node > 0:
        if label := page.attribute(node, "name"):
            return label
        node = int(page.columns["parent"][node])
    return ""


def written_articles(corpora: Corpora, stock: Stock, copies: int = COPIES) -> Iterator[ArticlePage]:
    """Articles with their labels; the publisher is the kind of page."""
    for name, kind, writer, page in _pages(corpora, stock, ARTICLES, copies):
        zones = article_zones(page)
        yield ArticlePage(name, f"{kind}-written", SPLIT, zones, labelled(zones, writer.truth()))


def look_alikes(corpora: Corpora, stock: Stock, copies: int = OTHER_COPIES) -> Iterator[Zones]:
    """Pages that hold parts of articles and are none."""
    for *_, page in _pages(corpora, stock, OTHERS, copies):
        yield article_zones(page)


def _pages(
    corpora: Corpora, stock: Stock, kinds: Mapping[str, str], copies: int
) -> Iterator[tuple[str, str, Writer, Page]]:
    """Name, kind, writer and Page of each; there are none without anything to write."""
    names = [(f"{kind} {copy}", kind) for kind in kinds for copy in range(copies)]
    made = [(name, kind, Writer(stock, name)) for name, kind in names] if stock.is_enough else []
    requests = [Request(source=writer.page(kind).encode()) for _, kind, writer in made]
    for (name, kind, writer), page in corpora.rendered(made, requests):
        yield name, kind, writer, page
