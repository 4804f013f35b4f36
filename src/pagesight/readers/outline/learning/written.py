"""Pages written by chance, to learn from: shapes that are rare in the corpus.

Cards, panels, dashboards, blogs, sidebars, references of programs, indexes, questions, forms. Their
texts say nothing, their stylesheets are drawn anew for each page, and their tags are right.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from pagesight.learning.corpora import rendered
from pagesight.page import Page
from pagesight.sources import Request

COPIES = 8  # of each kind of page
_WORDS = (
    "tea leaf water garden river stone market window paper letter music engine signal harbour "
    "valley winter copper lantern ladder basket kitchen journey weather meadow thread mirror "
    "bridge island pocket pepper station quarter measure colour service project design report "
    "update product customer schedule account overview quick simple modern fresh open local "
    "annual daily careful silent bright common general public early global first"
).split()
_SIDE = (
    "Table of contents", "On this page", "This page", "Contents", "Navigation", "Quick search",
    "Previous topic", "Next topic", "Recent posts", "Categories", "Archives", "Tags", "About",
    "Links", "Search", "Related", "Newsletter", "Follow us", "Latest news",
)  # fmt: skip
_NOTES = ("Note", "Warning", "Tip", "See also", "Important", "Example", "Deprecated since 2.4")
_LABELS = ("Name", "E-mail address", "Message", "Subject", "Telephone", "Company", "Password")


class Writer:
    """Writes one page, all of it by chance."""

    def __init__(self, seed: str) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - the same pages every time
        self.titled = self.chance.random() < 0.5  # Every Word Has a Capital
        self.pictures = self.chance.random() < 0.7
        self.site, self.name = self.title(1, 3), self.title(*self.chance.choice(((1, 2), (3, 8))))

    def often(self, share: float) -> bool:
        return self.chance.random() < share

    def some(self, few: int, many: int, part: Callable[[], str]) -> str:
        return "".join(part() for _ in range(self.chance.randint(few, many)))

    def words(self, few: int, many: int) -> str:
        return " ".join(self.chance.choices(_WORDS, k=self.chance.randint(few, many)))

    def title(self, few: int = 1, many: int = 5) -> str:
        words = self.words(few, many)
        return words.title() if self.titled else words.capitalize()

    def text(self, few: int = 8, many: int = 50) -> str:
        return f"{self.words(few, many).capitalize()}."

    def paragraph(self) -> str:
        return f"<p>{self.text(15, 70)}</p>"

    def heading(self, level: int, text: str = "", name: str = "") -> str:
        text = text or self.title()
        return f'<h{level} class="{name}">{text}</h{level}>'

    def links(self, few: int = 3, many: int = 9) -> str:
        return f"<ul>{self.some(few, many, lambda: f'<li><a href=#>{self.title()}</a></li>')}</ul>"

    def picture(self) -> str:
        return '<div class="picture"></div>' if self.pictures else ""

    # Parts without headings

    def masthead(self) -> str:
        slogan = f"<div class=slogan>{self.title(3, 7)}</div>" if self.often(0.3) else ""
        menu = self.some(3, 7, lambda: f"<a href=#>{self.title(1, 2)}</a> ")
        logo = f"<div class=logo><a href=#>{self.site}</a></div>"
        return f"<header>{logo}{slogan}<nav>{menu}</nav></header>"

    def note(self) -> str:
        name = self.chance.choice(_NOTES)
        return f"<div class=note><p class=note-title>{name}</p>{self.paragraph()}</div>"

    def table(self) -> str:
        head = self.some(3, 3, lambda: f"<th>{self.title(1, 2)}</th>")
        rows = self.some(
            2, 6, lambda: f"<tr>{self.some(3, 3, lambda: f'<td>{self.words(1, 4)}</td>')}</tr>"
        )
        caption = f"<caption>{self.title(2, 6)}</caption>" if self.often(0.3) else ""
        return f"<table>{caption}<tr>{head}</tr>{rows}</table>"

    def figure(self) -> str:
        caption = f"Figure {self.chance.randint(1, 9)}. {self.title(2, 7)}"
        return f"<div class=figure>{self.picture()}<p class=caption>{caption}</p></div>"

    def signature(self) -> str:
        one, two, three = self.chance.choices(_WORDS, k=3)
        return self.chance.choice((
            f"class {one}.{two.title()}({three}, {two}=None)", f"{one}_{two}({three}, *, {two})",
            f"--{one}-{two}={three.upper()}", f"-f{one}-{two}", f"{one}.{two}", f"-{one[0]} {two}",
            f"{one}{two.title()}()", f"{two.upper()}_{one.upper()}", f"{one}::{two}", one,
        ))  # fmt: skip

    def terms(self) -> str:
        code = self.often(0.7)
        term = self.signature if code else self.title

        def entry() -> str:
            return f"<dt>{term()}</dt><dd>{self.some(1, 2, self.paragraph)}</dd>"

        return f"<dl class={'code' if code else 'terms'}>{self.some(3, 9, entry)}</dl>"

    def items(self) -> str:
        return f"<ul>{self.some(3, 7, lambda: f'<li>{self.lead_in()}{self.text(4, 20)}</li>')}</ul>"

    def lead_in(self) -> str:
        return f"<b>{self.title(1, 3)}:</b> " if self.often(0.2) else ""

    def statistics(self) -> str:
        def box() -> str:
            number = f"<div class=number>{self.chance.randint(3, 9999)}</div>"
            return f"<div class=box>{number}<div class=small>{self.title(1, 3)}</div></div>"

        return f"<div class=row>{self.some(3, 4, box)}</div>"

    def quote(self) -> str:
        said = f"<blockquote class=quote>{self.text(8, 25)}</blockquote>"
        return f"{said}<p class=who>{self.title(2, 2)}</p>"

    def form(self) -> str:
        def field() -> str:
            return f"<p><label>{self.chance.choice(_LABELS)}</label><br><input></p>"

        return f"<form>{self.some(3, 5, field)}<button>{self.title(1, 2)}</button></form>"

    def button(self) -> str:
        return f"<a class=button href=#>{self.title(1, 2)}</a>"

    def lead(self) -> str:
        return f"<p class=lead>{self.text(6, 25)}</p>"

    def filler(self) -> str:
        """Something between two headings."""
        other = self.chance.choice((
            self.note, self.table, self.figure, self.terms, self.items, self.quote, self.lead,
            self.form,
        ))  # fmt: skip
        return self.some(1, 3, self.paragraph) + (other() if self.often(0.35) else "")

    # Parts with headings

    def sections(self, level: int, deepest: int = 4, few: int = 2, many: int = 5) -> str:
        def section() -> str:
            inner = ""
            if level < deepest and self.often(0.5):
                inner = self.sections(level + 1, deepest, 1, 4)
            return f"<section>{self.heading(level)}{self.filler()}{inner}</section>"

        return self.some(few, many, section)

    def cards(self, level: int) -> str:
        first, linked = self.often(0.6), self.often(0.3)
        name = self.chance.choice(("card", "panel", "plain"))

        def card() -> str:
            text = f"<a href=#>{self.title()}</a>" if linked else self.title()
            heading, picture = self.heading(level, text, "card-title"), self.picture()
            more = "<p><a href=#>Read more</a></p>" if linked else ""
            head = picture + heading if first else heading + picture
            return f"<div class={name}>{head}<p>{self.text(5, 25)}</p>{more}</div>"

        return f"<div class=row>{self.some(2, 4, card)}</div>"

    def panels(self, level: int) -> str:
        def panel() -> str:
            parts = self.picture, self.table, self.links, self.items, self.form
            holds = self.chance.choice(parts)
            heading = self.heading(level, name="panel-title")
            return f"<div class=panel>{heading}<div class=inside>{holds()}</div></div>"

        return "".join(f"<div class=row>{self.some(1, 3, panel)}</div>" for _ in range(2))

    def prices(self, level: int) -> str:
        def plan() -> str:
            heading = self.heading(level, self.title(1, 2), "card-title")
            price = f"<div class=number>${self.chance.randint(5, 99)}</div>"
            return f"<div class=card>{heading}{price}{self.items()}{self.button()}</div>"

        return f"<div class=row>{self.some(3, 3, plan)}</div>"

    def posts(self, level: int) -> str:
        def post() -> str:
            heading = self.heading(level, f"<a href=#>{self.title(2, 7)}</a>", "post")
            day, year = self.chance.randint(1, 28), self.chance.randint(10, 24)
            meta = f"<p class=small>{day} May 20{year} by {self.title(2, 2)}</p>"
            texts = self.some(1, 2, self.paragraph)
            return f"<article>{heading}{meta}{texts}<p><a href=#>Continue reading</a></p></article>"

        return self.some(2, 6, post)

    def sidebar(self, level: int) -> str:
        def widget() -> str:
            holds = self.chance.choice((self.links, self.links, self.paragraph, self.form))
            heading = self.heading(level, self.chance.choice(_SIDE), "caption")
            return f"<div class=widget>{heading}{holds()}</div>"

        return f"<aside>{self.some(1, 4, widget)}</aside>"

    def footer(self, level: int) -> str:
        def column() -> str:
            heading = self.heading(level, self.title(1, 2), "caption")
            return f"<div>{heading}{self.links(2, 6)}</div>"

        columns = f"<div class=row>{self.some(3, 4, column)}</div>" if self.often(0.5) else ""
        rights = f"© 2020 {self.title(1, 3)}. {self.text(3, 6)}"
        return f"<footer>{columns}<p class=small>{rights}</p></footer>"

    def letters(self) -> str:
        start = self.chance.randint(65, 80)
        count = self.chance.randint(4, 9)
        letters = map(chr, range(start, start + count))
        return "".join(f"<p class=letter>{letter}</p>{self.links(2, 8)}" for letter in letters)

    def questions(self, level: int) -> str:
        def ask() -> str:
            heading = self.heading(level, f"{self.title(4, 9)}?", "ask")
            return f"<div class=question>{heading}{self.some(1, 2, self.paragraph)}</div>"

        return self.some(4, 9, ask)

    # Pages

    def page(self, kind: str) -> str:
        body: str = getattr(self, f"_{kind}")()
        beside = self.often(0.6)
        side = self.sidebar(self.chance.choice((2, 3))) if beside else ""
        main = f"<main>{body}</main>"
        columns = side + main if self.often(0.5) else main + side
        named = f"{self.name} - {self.site}", f"{self.site} | {self.name}", self.name, self.site
        title = self.chance.choice(named)
        return (
            f"<!DOCTYPE html><meta charset=utf-8><title>{title}</title><style>{self.stylesheet()}"
            f"</style><body>{self.masthead()}<div class=columns>{columns}</div>{self.footer(3)}"
        )

    def top(self) -> str:
        return self.heading(1, self.name)

    def _landing(self) -> str:
        hero = f"<div class=hero>{self.top()}{self.lead()}{self.button()}</div>"
        bands = [self.cards, self.prices, self.cards, self._quotes]
        bands = self.chance.sample(bands, self.chance.randint(2, 4))
        return hero + "".join(
            f"<section>{self.heading(2)}{self.lead() if self.often(0.5) else ''}{band(3)}</section>"
            for band in bands
        )

    def _quotes(self, _: int) -> str:
        return self.quote() + self.quote()

    def _dashboard(self) -> str:
        return self.top() + (self.statistics() if self.often(0.6) else "") + self.panels(2)

    def _portfolio(self) -> str:
        return self.top() + self.lead() + self.some(1, 3, lambda: self.cards(2))

    def _blog(self) -> str:
        return self.top() + self.posts(2)

    def _article(self) -> str:
        author = f"<p class=small>{self.title(2, 2)}</p>"
        return f"{self.top()}{author}{self.lead()}{self.sections(2)}"

    def _reference(self) -> str:
        def part() -> str:
            return f"{self.heading(2)}{self.filler()}{self.terms()}"

        return self.top() + self.paragraph() + self.some(2, 5, part)

    def _index(self) -> str:
        return self.top() + self.letters()

    def _answers(self) -> str:
        if self.often(0.5):
            return self.top() + self.questions(2)
        return self.top() + self.some(2, 3, lambda: self.heading(2) + self.questions(3))

    def _contact(self) -> str:
        return f"{self.top()}{self.form()}{self.panels(2) if self.often(0.5) else self.sections(2)}"

    def _handbook(self) -> str:
        """Several headings of the first level."""

        def chapter() -> str:
            return self.heading(1) + self.filler() + self.sections(2, 3, 1, 3)

        return self.some(2, 4, chapter)

    # How it looks

    def pick(self, *values: object) -> object:
        return self.chance.choice(values)

    def em(self, *sizes: float) -> str:
        return f"font-size: {self.pick(*sizes)}em"

    def weight(self) -> str:
        return f"font-weight: {self.pick('normal', 'bold', '600')}"

    def stylesheet(self) -> str:
        size = self.chance.randint(12, 18)
        dark = self.pick("#222", "#333", "#000", "#444", "#1b2a41")
        accent = self.pick("#036", "#a22", "#2a7", "#777", dark, dark, "#e67e22")
        font = self.pick("serif", "sans-serif", "Georgia, serif", "Arial, sans-serif")
        heads = self._heading_rules(accent)
        box = self.pick(
            "border: 1px solid #ccc;", "background: #f3f3f3;", "box-shadow: 0 0 5px #999;", ""
        )
        body = f"font: {size}px/{self.pick(1.2, 1.4, 1.6)} {font}; color: {dark}; margin: 0"
        frame, titles = self._frame_rules(accent, box), self._title_rules(accent, dark)
        return f"{heads} body {{ {body} }}{frame}{titles}{self._text_rules(box)}"

    def _heading_rules(self, accent: object) -> str:
        """Larger, bold, or coloured; sometimes a title is not larger than the sections."""
        scale = self.chance.choice((1.1, 1.2, 1.3, 1.4))
        smaller = self.chance.choice((0, 0, 0, 0, 1, 2))
        powers = (max(3 - smaller, 0.25), 2, 1, 0.25)
        return "".join(
            self._heading_rule(level, scale**power, accent) for level, power in enumerate(powers, 1)
        )

    def _heading_rule(self, level: int, size: float, accent: object) -> str:
        weight = self.pick("normal", "bold", "bold", "600") if size > 1.1 else "bold"
        line = "border-bottom: 1px solid #bbb;"
        more = self.pick("", "", "", "text-transform: uppercase;", line, "text-align: center;")
        return (
            f"h{level} {{ font-size: {size:.2f}em; font-weight: {weight}; {more} "
            f"color: {self.pick(accent, 'inherit')}; "
            f"margin: {self.pick(10, 20, 30)}px 0 {self.pick(4, 8, 15)}px }}\n"
        )

    def _frame_rules(self, accent: object, box: object) -> str:
        pick, em, weight = self.pick, self.em, self.weight
        return f"""
            .columns {{ display: flex; gap: 30px; max-width: {pick(800, 960, 1140, 1280)}px;
                        margin: {pick("0", "0 auto", "20px auto")}; padding: 0 15px }}
            main {{ flex: 1; min-width: 0 }} aside {{ width: {pick(180, 240, 300)}px }}
            aside, footer {{ {em(0.8, 0.9, 1, 1)} }}
            header {{ padding: {pick(5, 15, 30)}px;
                      background: {pick("#fff", "#fff", "#345", "#eee")};
                      display: {pick("block", "flex")}; gap: 20px }}
            .logo {{ {em(1, 1.2, 1.5, 2, 2.5)}; {weight()} }}
            .slogan {{ {em(0.8, 1, 1.2)} }}
            nav a {{ {weight()}; {em(0.9, 1, 1.1)}; margin-right: 12px }}
            a {{ color: {pick("#0645ad", "inherit", accent)};
                 text-decoration: {pick("none", "underline")} }}
            .row {{ display: flex; gap: 20px; margin: 15px 0 }}
            .row > * {{ flex: 1; {box} padding: {pick(0, 10, 20)}px }}
            .picture {{ height: {pick(80, 160, 240)}px; background: #9bc }}"""

    def _title_rules(self, accent: object, dark: object) -> str:
        pick, em, weight = self.pick, self.em, self.weight
        return f"""
            .card-title {{ {em(1, 1, 1.1, 1.25, 1.5)}; {weight()};
                           margin: {pick(4, 10)}px 0; text-align: {pick("left", "center")} }}
            .panel-title {{ {em(0.9, 1, 1, 1.1, 1.25)}; {weight()}; margin: 0; padding: 8px;
                            color: {pick(accent, dark)};
                            background: {pick("#eee", "transparent", "#def")};
                            border-bottom: {pick(0, 1)}px solid #ccc }}
            .caption {{ {em(0.8, 0.9, 1, 1.1, 1.3)}; {weight()};
                        text-transform: {pick("none", "none", "uppercase")};
                        margin: 10px 0 5px }}
            .ask {{ {em(1, 1.1, 1.3)}; font-weight: bold }}"""

    def _text_rules(self, box: object) -> str:
        pick, em, weight = self.pick, self.em, self.weight
        return f"""
            .lead {{ {em(1, 1.15, 1.3, 1.5)}; font-weight: {pick(300, 400)} }}
            .number {{ {em(1.3, 2, 3)}; {weight()} }} .small {{ {em(0.75, 0.85)} }}
            .quote {{ {em(1, 1.2, 1.6)}; font-style: {pick("italic", "normal")} }}
            .who, label {{ {weight()} }}
            .note {{ {box} padding: 8px }}
            .note-title {{ font-weight: bold; {em(1, 1, 1.15)}; margin: 0 }}
            dl.code dt {{ font-family: {pick("monospace", "monospace", "inherit")};
                          {em(0.95, 1, 1.1, 1.25)};
                          {weight()}; background: {pick("transparent", "#eef")} }}
            dl.terms dt {{ font-weight: bold }} dd {{ margin-left: {pick(0, 20, 40)}px }}
            .letter {{ {em(1, 1.3, 1.6, 2)}; {weight()}; margin: 12px 0 4px }}
            .hero {{ text-align: {pick("left", "center")}; padding: {pick(10, 40)}px;
                     background: {pick("#fff", "#eef", "#345")} }}
            .button {{ padding: 6px 12px; background: #27c; color: #fff;
                       display: inline-block; {weight()} }}
            ul {{ list-style: {pick("none", "disc")}; padding-left: {pick(0, 20)}px }}
            th, caption, td {{ padding: 3px 8px; text-align: left }} caption {{ {weight()} }}"""


KINDS = tuple(
    "landing dashboard portfolio blog article reference index answers contact handbook".split()
)


def written_pages() -> Iterator[tuple[str, str, Page]]:
    """Name, kind and Page of each."""
    names = [(f"{kind} {copy}", kind) for kind in KINDS for copy in range(COPIES)]
    requests = [Request(source=Writer(name).page(kind).encode()) for name, kind in names]
    results = rendered(requests)
    for (name, kind), page in zip(names, results, strict=True):
        if isinstance(page, Page):
            yield name, f"written {kind}", page
