"""Authors and affiliations as publishers of many kinds print them, read with shipped weights."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from small_article import ABSTRACT, BODY, REFERENCES, TITLE

from pagesight.page import Page
from pagesight.readers.article import ArticleReading
from pagesight.readers.article.reader import read_article

LayOut = Callable[[str], Page]

KYOTO = "Department of Botany, University of Kyoto, Kyoto, Japan"
LUND = "Institute of Plant Sciences, Lund University, Box 117, 221 00 Lund, Sweden"
OXFORD = "School of Medicine, University of Oxford, Oxford OX3 9DU, United Kingdom"
PLACES = {"k": KYOTO, "l": LUND, "o": OXFORD}
CSS = (
    "body { font: 16px/1.4 serif; width: 860px; margin: 0 auto } h1 { font-size: 30px }"
    ".aff { font-size: 13px } li { list-style: none } .pop { font-size: 12px }"
)
NAVIGATION = "<nav><a href=/>Home</a> <a href=/i>Current issue</a> <a href=/l>Log in</a></nav>"
FOOTER = "<footer><p>© 2019 The Tea Press. All rights reserved.</p></footer>"


def article(front: str) -> str:
    """An article with these authors and affiliations."""
    cited = "".join(f"<li>{text}</li>" for text in REFERENCES)
    text = "".join(
        f"<h2>{heading}</h2><p>{BODY}</p>" for heading in ("Introduction", "Methods", "Results")
    )
    return (
        f"<!doctype html><html lang=en><head><meta charset=utf-8><style>{CSS}</style></head><body>"
        f"{NAVIGATION}<p>Journal of Tea 12 (2019) 44–51. doi:10.1000/jt.2019.44</p><h1>{TITLE}</h1>"
        f"{front}<h2>Abstract</h2><p>{ABSTRACT}</p><p>Keywords: tea; reviewers</p>{text}"
        f"<h2>References</h2><ol>{cited}</ol>{FOOTER}</body></html>"
    )


def aff(mark: str, place: str) -> str:
    return f"<p class=aff>{mark}{place}</p>"


STYLES = {
    "superscript letters": (
        "<p>Ada B. King<sup>a,*</sup>, Bo Lindqvist<sup>b</sup>, Maria Garcia<sup>a,c</sup></p>"
        + aff("<sup>a</sup> ", KYOTO) + aff("<sup>b</sup> ", LUND) + aff("<sup>c</sup> ", OXFORD)
        + "<p class=aff>* Corresponding author. E-mail: a.king@kyoto.example</p>",
        ["k", "l", "ko"],
    ),
    "symbols": (
        "<p>Ada B. King,*† Bo Lindqvist,‡ and Maria Garcia§</p>"
        + aff("† ", KYOTO) + aff("‡ ", LUND) + aff("§ ", OXFORD)
        + "<p class=aff>*E-mail: king@kyoto.example</p>",
        ["k", "l", "o"],
    ),
    "superscript symbols in one line": (
        "<p>Ada B. King<sup>*†</sup>, Bo Lindqvist<sup>‡</sup> and Maria Garcia<sup>†§</sup></p>"
        f"<p class=aff><sup>†</sup>{KYOTO}, <sup>‡</sup>{LUND}, and <sup>§</sup>{OXFORD}</p>",
        ["k", "l", "ko"],
    ),
    "numbers in parentheses": (
        "<p>Ada B. King (1), Bo Lindqvist (2), Maria Garcia (1,3)</p>"
        + aff("(1) ", KYOTO) + aff("(2) ", LUND) + aff("(3) ", OXFORD),
        ["k", "l", "ko"],
    ),
    "numbers in brackets": (
        "<p>Ada B. King [1], Bo Lindqvist [2], Maria Garcia [1,3]</p>"
        f"<p class=aff>[1] {KYOTO}<br>[2] {LUND}<br>[3] {OXFORD}</p>",
        ["k", "l", "ko"],
    ),
    "a block each": (
        "".join(
            f"<div><div><b>{name}</b></div><div class=aff>{place}</div></div>"
            for name, place in zip(
                ("Ada B. King", "Bo Lindqvist", "Maria Garcia"), (KYOTO, LUND, KYOTO), strict=True
            )
        ),
        ["k", "l", "k"],
    ),
    "nested lists": (
        "<ul>" + "".join(
            f"<li><a href=/a>{name}</a><ul><li class=aff>{place}</li></ul></li>"
            for name, place in zip(
                ("Ada B. King", "Bo Lindqvist", "Maria Garcia"), (KYOTO, LUND, KYOTO), strict=True
            )
        ) + "</ul>",
        ["k", "l", "k"],
    ),
    "panels that say names again": (
        "<p>" + "".join(
            f"<span><a href=/x>{name}</a><div class=pop><p>{name}</p><p>{place}</p>"
            "<p><a href=/s>Search for more papers by this author</a></p></div></span>"
            for name, place in zip(
                ("Ada B. King", "Bo Lindqvist", "Maria Garcia"), (KYOTO, LUND, OXFORD), strict=True
            )
        ) + "</p>",
        ["k", "l", "o"],
    ),
    "degrees, and initials in brackets": (
        "<p>Ada B. King, MD, PhD; Bo Lindqvist, MSc; Maria Garcia, RN, MPH</p>"
        f"<p class=aff>From the {KYOTO} (A.B.K.); the {LUND} (B.L.); and the {OXFORD} (M.G.).</p>",
        ["k", "l", "o"],
    ),
    "two places at one mark": (
        "<p>Ada B. King<sup>1</sup>, Bo Lindqvist<sup>2</sup>, Maria Garcia<sup>1</sup></p>"
        + aff("<sup>1</sup>", KYOTO) + aff("<sup>2</sup>", f"{LUND}; {OXFORD}"),
        ["k", "lo", "k"],
    ),
    "family names first": (
        "<p>King, Ada B.; Lindqvist, Bo; Garcia, Maria</p>" + aff("", KYOTO),
        ["k", "k", "k"],
    ),
}  # fmt: skip


def linked(reading: ArticleReading) -> dict[str, list[str]]:
    """The places of each author."""
    return {
        author.text: [place.text for place in reading.affiliations_of(author)]
        for author in reading.authors
    }


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("metadata", ["auto", "ignore"])
def test_authors_are_linked_to_their_places(lay_out: LayOut, style: str, metadata: str) -> None:
    front, wanted = STYLES[style]
    reading = read_article(lay_out(article(front)), metadata=metadata)
    names = ("Ada B. King", "Bo Lindqvist", "Maria Garcia")
    assert linked(reading) == {
        name: [PLACES[key] for key in keys] for name, keys in zip(names, wanted, strict=True)
    }
    assert [(author.given, author.family) for author in reading.authors] == [
        ("Ada B.", "King"), ("Bo", "Lindqvist"), ("Maria", "Garcia")
    ]  # fmt: skip


def test_the_year_stands_beside_the_journal(lay_out: LayOut) -> None:
    reading = read_article(lay_out(article(STYLES["symbols"][0])), metadata="ignore")
    assert reading.year is not None
    assert reading.year.text == "2019"


@pytest.mark.parametrize("style", ["superscript letters", "symbols"])
def test_who_is_to_be_written_to_is_known(lay_out: LayOut, style: str) -> None:
    reading = read_article(lay_out(article(STYLES[style][0])))
    assert [author.corresponding for author in reading.authors] == [True, False, False]
    assert str(reading.authors[0].email).endswith("king@kyoto.example")


def test_identifiers_stand_beside_names(lay_out: LayOut) -> None:
    front = (
        "<p><a href=/a>Ada B. King</a> <a href='https://orcid.org/0000-0002-1825-0097'>ORCID</a>, "
        "<a href=/b>Jan van der Berg Jr.</a> <a href='mailto:jan@lund.example'>✉</a></p>"
    )
    ada, jan = read_article(lay_out(article(front + aff("", KYOTO)))).authors
    assert ada.orcid == "0000-0002-1825-0097"
    assert (jan.given, jan.family, jan.suffix) == ("Jan", "van der Berg", "Jr.")
    assert jan.text == "Jan van der Berg Jr."
    assert (jan.email, jan.corresponding, ada.corresponding) == ("jan@lund.example", True, False)


IDS = [f"0000-0002-1825-009{digit}" for digit in range(3)]
PICTURES = [f"<a href='https://orcid.org/{id_}'><img alt=iD width=9 height=9></a>" for id_ in IDS]
NAMES = ["Ada B. King", "Bo Lindqvist", "Li-Hua Xu"]
BESIDE = {
    "behind": "<p>{0} {a}, {1}<sup>1</sup> {b}, {2} {c}</p>",
    "before": "<p>{a} {0}, {b} {1}<sup>1</sup>, {c} {2}</p>",
    "behind, in elements":
        "<ul><li>{0} <sup>1</sup>{a}</li><li>{1} <i>{b}</i></li><li>{2}{c}</li></ul>",
    "before, in elements":
        "<p><span>{a} <a href=/1>{0}</a></span>, <span>{b} <a href=/2>{1}</a></span>,"
        " <span>{c} <a href=/3>{2}</a></span></p>",
}  # fmt: skip


@pytest.mark.parametrize("style", BESIDE)
def test_identifiers_behind_pictures(lay_out: LayOut, style: str) -> None:
    front = BESIDE[style].format(*NAMES, a=PICTURES[0], b=PICTURES[1], c=PICTURES[2])
    reading = read_article(lay_out(article(front + aff("", KYOTO))))
    assert [author.text for author in reading.authors] == NAMES
    assert [author.orcid for author in reading.authors] == IDS


@pytest.mark.parametrize("style", BESIDE)
def test_some_have_no_identifier(lay_out: LayOut, style: str) -> None:
    front = BESIDE[style].format(*NAMES, a=PICTURES[0], b="", c=PICTURES[2])
    reading = read_article(lay_out(article(front + aff("", KYOTO))))
    assert [author.orcid for author in reading.authors] == [IDS[0], None, IDS[2]]


def test_identifiers_elsewhere_are_of_others(lay_out: LayOut) -> None:
    others = f"<div><div><ul><li>{PICTURES[2]}</li></ul></div></div>"
    front = f"<p>{NAMES[0]}, {NAMES[1]}</p>{aff('', KYOTO)}{others}"
    reading = read_article(lay_out(article(front)))
    assert [author.orcid for author in reading.authors] == [None, None]


@pytest.mark.parametrize(
    ("written", "groups"),
    [
        ("Ada B. King, TEA Consortium and Oolong Trial Investigators",
         ["TEA Consortium", "Oolong Trial Investigators"]),
    ],
)  # fmt: skip
def test_groups_have_no_given_names(lay_out: LayOut, written: str, groups: list[str]) -> None:
    reading = read_article(lay_out(article(f"<p>{written}</p>{aff('', KYOTO)}")))
    found = [author for author in reading.authors if author.group]
    assert [(author.given, author.family) for author in found] == [("", name) for name in groups]
    assert all(author.given for author in reading.authors if not author.group)


CARD = "<div class=card><p>{name}</p><div class=affs>{entries}</div></div>"


@pytest.mark.parametrize("comma", ["", ","])
def test_lines_of_one_repeated_element_are_one_affiliation(lay_out: LayOut, comma: str) -> None:
    lines = {
        "Ada B. King": ["Department of Botany, University of Kyoto", "Kyoto, Japan"],
        "Bo Lindqvist": ["Lund University", "Lund, Sweden"],
        "Maria Garcia": ["School of Medicine, University of Oxford", "Oxford, United Kingdom"],
    }
    cards = [
        CARD.format(
            name=name,
            entries=f"<div class=aff><div>{parts[0]}</div>{comma}<div>{parts[1]}</div></div>",
        )
        for name, parts in lines.items()
    ]
    reading = read_article(lay_out(article("".join(cards))), metadata="ignore")
    assert [place.text for place in reading.affiliations] == [
        "Department of Botany, University of Kyoto, Kyoto, Japan",
        "Lund University, Lund, Sweden",
        "School of Medicine, University of Oxford, Oxford, United Kingdom",
    ]


def test_institution_town_and_country_may_be_lines_of_their_own(lay_out: LayOut) -> None:
    lines = {
        "Ada B. King": ["Department of Botany", "University of Kyoto", "Kyoto", "Japan"],
        "Bo Lindqvist": ["Institute of Plant Sciences", "Lund University", "Lund", "Sweden"],
    }
    cards = [
        CARD.format(
            name=name,
            entries=f"<div class=aff>{''.join(f'<div>{part}</div>' for part in parts)}</div>",
        )
        for name, parts in lines.items()
    ]
    reading = read_article(lay_out(article("".join(cards))), metadata="ignore")
    assert [place.text for place in reading.affiliations] == list(map(", ".join, lines.values()))


@pytest.mark.parametrize("element", ["div", "li"])
def test_elements_that_are_whole_affiliations_stay_apart(lay_out: LayOut, element: str) -> None:
    def entries(*places: str) -> str:
        return "".join(f"<{element} class=aff>{place}</{element}>" for place in places)

    cards = CARD.format(name="Ada B. King", entries=entries(KYOTO, LUND))
    cards += CARD.format(name="Bo Lindqvist", entries=entries(OXFORD))
    reading = read_article(lay_out(article(cards)), metadata="ignore")
    assert [place.text for place in reading.affiliations] == [KYOTO, LUND, OXFORD]


@pytest.mark.parametrize(
    ("badge", "shown"),
    [
        ("<i><span>Open Access</span></i>", ""),
        ("<span> Free</span>", ""),
        ("<b>[Revised]</b>", ""),
        ("<i> in the open</i>", " in the open"),
    ],
)
def test_a_badge_is_no_part_of_the_title(lay_out: LayOut, badge: str, shown: str) -> None:
    front = f"<p>Ada B. King</p>{aff('', KYOTO)}"
    html = article(front).replace(f"{TITLE}</h1>", f"{TITLE}{badge}</h1>")
    reading = read_article(lay_out(html), metadata="ignore")
    assert reading.title is not None
    assert reading.title.text == TITLE + shown


def test_a_licence_ends_the_abstract(lay_out: LayOut) -> None:
    notice = "Original content may be used under the terms of the Creative Commons licence."
    html = article(f"<p>Ada B. King</p>{aff('', KYOTO)}")
    html = html.replace(f"<p>{ABSTRACT}</p>", f"<p>{ABSTRACT}</p><p>{notice}</p>")
    reading = read_article(lay_out(html), metadata="ignore")
    assert reading.abstract is not None
    assert reading.abstract.text == ABSTRACT
