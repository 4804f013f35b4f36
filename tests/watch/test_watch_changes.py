"""What changed: items, words, marked HTML."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from datetime import UTC, datetime
from difflib import Match, SequenceMatcher

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import html as lxml_html  # type: ignore[import-untyped]

from pagesight.watch import marks
from pagesight.watch.changes import compare, differs, item_changes
from pagesight.watch.marking import cleaned, marked
from pagesight.watch.values import Item, Observation, Sight, Status

NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


def item(text: str, url: str | None = None) -> Item:
    return Item(text, text, url)


def seen(
    number: int = 1, text: str = "", status: Status = Status.FOUND, **more: object
) -> Observation:
    known = Observation(
        part=1, number=number, time=NOON, last=NOON, status=status, html=f"<p>{text}</p>",
        text=text, items=(), box=None, xpath=None, css=None, confidence=None, runner_up=None,
        changes=(), has_picture=False,
    )  # fmt: skip
    return replace(known, **more)  # type: ignore[arg-type]


A, B, C = item("A", "/a"), item("B", "/b"), item("C", "/c")


@pytest.mark.parametrize(
    ("before", "after", "new", "gone", "changed"),
    [
        ([A, B], [A, B], "", "", ""),
        ([A, B], [B, A], "", "", ""),
        ([A, B], [C, A, B], "C", "", ""),
        ([A, B], [C, A], "C", "B", ""),
        ([A, B], [], "", "A B", ""),
        ([A], [item("A, 3 comments", "/a")], "", "", "A, 3 comments"),  # the same address
        ([A], [item("A", "/a?session=7")], "", "", ""),  # the same words
        ([item("A"), item("A")], [item("A")], "", "A", ""),
        ([item("A")], [item("A"), item("A")], "A", "", ""),
        # Addresses that all share do not tell items apart.
        ([item("A", "/"), item("B", "/")], [item("B", "/"), item("C", "/")], "C", "A", ""),
        # It leads where A led: that is the item which has changed, and X is gone.
        ([A, item("X", "/x")], [item("X", "/a")], "", "X", "X"),
    ],
)
def test_items(before: list[Item], after: list[Item], new: str, gone: str, changed: str) -> None:
    found = item_changes(before, after)
    assert [" ".join(one.text for one in items) for items in found] == [new, gone, changed]


items = st.lists(st.builds(item, st.sampled_from("abc"), st.sampled_from([None, "/1", "/2"])))


@given(items, items)
def test_nothing_is_counted_twice(before: list[Item], after: list[Item]) -> None:
    new, gone, _ = item_changes(before, after)
    assert len(before) - len(gone) == len(after) - len(new)  # those that stayed
    assert not any(item_changes(before, before))


@pytest.mark.parametrize(
    ("before", "after", "summary"),
    [
        (seen(items=(A,)), seen(2, items=(A, B)), "1 new item"),
        (seen(items=(A,)), seen(2, items=(B, C)), "2 new items, 1 gone"),
        (seen(items=(A, B)), seen(2, items=(A,)), "1 gone item"),
        (seen(text="12 €"), seen(2, text="14 €"), "1 word added, 1 word removed"),
        (seen(text="a"), seen(2, text="a b c"), "2 words added"),
        (seen(), seen(2, status=Status.MISSING), "no longer there"),
        (seen(status=Status.MISSING), seen(2), "found again"),
        (seen(), seen(2, status=Status.UNSURE), "may be another part: confirm it"),
        (
            seen(status=Status.UNSURE, items=(A,)),
            seen(2, status=Status.UNSURE, items=(B,)),
            "another candidate: confirm it",
        ),
        (seen(html="<img src=a.png>"), seen(2, html="<img src=b.png>"), "another picture"),
        (seen(), seen(2), "nothing that is read"),
    ],
)
def test_the_summary(before: Observation, after: Observation, summary: str) -> None:
    assert compare(before, after).summary == summary


def test_the_difference_as_text() -> None:
    changes = compare(seen(text="Tea\nGreen\nBlack"), seen(2, text="Tea\nWhite\nBlack"))
    assert changes.text.splitlines() == [
        "--- observation 1 (2026-11-01 12:00)",
        "+++ observation 2 (2026-11-01 12:00)",
        "@@ -1,3 +1,3 @@",
        " Tea",
        "-Green",
        "+White",
        " Black",
    ]
    assert (changes.words_added, changes.words_removed) == (1, 1)


@pytest.mark.parametrize(
    ("sight", "answer"),
    [
        (Sight(status=Status.FOUND, text="Tea", html="<p>Tea</p>"), False),
        (Sight(status=Status.CHANGED, text="Tea", html='<p class="x9">Tea</p>'), False),
        (Sight(status=Status.FOUND, text="Coffee"), True),
        (Sight(status=Status.MISSING, text="Tea"), True),
        (Sight(status=Status.UNSURE, text="Tea"), True),
        (Sight(status=Status.FOUND, text="Tea", items=(A,)), True),
        (Sight(status=Status.FOUND, text="Tea", html='<img src="/new.png">'), True),
        (Sight(status=Status.FOUND, text="Tea", html='<img src="/tea.png?9">'), True),
    ],
)
def test_what_is_worth_an_observation(sight: Sight, answer: bool) -> None:
    assert differs(seen(text="Tea"), sight) is answer


def test_a_new_query_is_not_a_new_picture() -> None:
    now = Sight(status=Status.FOUND, text="Tea", html='<img src="/tea.png?2">')
    assert not differs(seen(text="Tea", html='<img src="/tea.png?1">'), now)


def test_words_are_counted() -> None:
    words = " ".join(map(str, range(11)))
    assert compare(seen(text="tea"), seen(2, text=f"tea {words}")).summary == "11 words added"
    assert compare(seen(text="tea now"), seen(2, text="tea")).summary == "1 word removed"


def test_words_that_were_there_before_are_not_added_when_the_part_is_found_again() -> None:
    known, missing = seen(text="tea and milk"), seen(2, status=Status.MISSING)
    again = compare(missing, seen(3, text="tea and sugar"), known)
    assert (again.words_added, again.words_removed) == (1, 1)


def test_the_words_of_a_candidate_are_not_those_of_the_part() -> None:
    known, unsure = seen(text="tea"), seen(2, text="coffee", status=Status.UNSURE)
    for before, after in ((known, unsure), (unsure, seen(3, text="tea"))):
        changes = compare(before, after, known)
        assert (changes.words_added, changes.words_removed) == (0, 0)


# Marked HTML


def test_marks() -> None:
    result = marked("<p>Green tea is here</p>", "<p>White tea is here</p>")
    assert "<ins>White</ins>" in result
    assert "<del>Green</del>" in result
    assert "tea is here" in result


@pytest.mark.parametrize(
    ("before", "after", "result"),
    [
        (
            "<h2>News</h2><p>The bridge is closed</p><p>All news</p>",
            "<h2>News</h2><p>Ferry in May</p><p>All news</p>",
            "<h2>News</h2><p><ins>Ferry in May</ins></p><p><del>The bridge is closed</del></p>"
            "<p>All news</p>",
        ),
        (
            "<ul><li>Green</li><li>White</li></ul>",
            "<ul><li>Green</li><li><a>Black</a></li><li>White</li></ul>",
            "<ul><li>Green</li><li><a><ins>Black</ins></a></li><li>White</li></ul>",
        ),
        (
            "<ul><li><h3>Ferry</h3><p>May</p></li><li>All</li></ul>",
            "<ul><li>All</li></ul>",
            "<ul><li><h3><del>Ferry</del></h3><p><del>May</del></p></li><li>All</li></ul>",
        ),
        (
            "<table><tr><td>Tea</td><td>3 €</td></tr><tr><td>Milk</td><td>1 €</td></tr></table>",
            "<table><tr><td>Tea</td><td>4 €</td></tr></table>",
            "<table><tr><td>Tea</td><td><del>3</del> <ins>4</ins> €</td></tr>"
            "<tr><td><del>Milk</del></td><td><del>1 €</del></td></tr></table>",
        ),
        (
            '<p><img src="http://a/1.png">Tea</p>',
            '<p><img src="http://a/2.png">Tea</p>',
            '<p><del><img src="http://a/1.png"></del><ins><img src="http://a/2.png"></ins>Tea</p>',
        ),
        ("<p>tea tea</p>", "<p>tea</p>", "<p>tea <del>tea</del></p>"),
        ("<ul><li>Tea</li></ul>", "<p>Milk</p>", "<p><ins>Milk</ins></p><div><del>Tea</del></div>"),
        # What is gone does not split the line behind it.
        (
            "<ul><li>Green</li></ul><div>Our tea is <b>good</b> today</div>",
            "<div>Our tea is <b>good</b> today</div>",
            "<div><div><del>Green</del></div>Our tea is <b>good</b> today</div>",
        ),
        (
            "<h2>Tea</h2><p>Green</p><div>Our tea is <b>good</b> today</div>",
            "<div>Our tea was <b>good</b> today<br>All</div>",
            "<div><h2><del>Tea</del></h2><p><del>Green</del></p>Our tea <del>is</del> "
            "<ins>was</ins> <b>good</b> today<br><ins>All</ins></div>",
        ),
        (
            "<p>Green</p><ul><li>White</li></ul>Our tea is <b>good</b>",
            "Our tea is <b>good</b>",
            "<p><del>Green</del></p><div><del>White</del></div>Our tea is <b>good</b>",
        ),
        (
            "<h2>Tea</h2><p>Green</p><p>White</p>Our tea is <b>good</b>",
            "<h2>Tea</h2>Our tea is <b>good</b>",
            "<h2>Tea</h2><p><del>Green</del></p><p><del>White</del></p>Our tea is <b>good</b>",
        ),
        # A picture without an address shows nothing.
        ('<p><img src="data:x">Tea</p>', '<p>Tea<img src="data:y"></p>', "<p>Tea<img></p>"),
        # An entry outside of a list, and a line that goes on behind a link.
        (
            "<a>up up on it</a><span>up <li>on</li></span>",
            "<a>it on it</a><span>to <li>on</li></span>",
            "<a><ins>it on it</ins></a><span><ins>to</ins> <div>on</div></span>"
            "<div><del>up up on it up</del></div>",
        ),
    ],
)
def test_only_what_differs_is_marked(before: str, after: str, result: str) -> None:
    assert marked(before, after) == result
    assert marked(after, after) == cleaned(after)


def cells(of: str) -> str:
    return "<table>" + "".join(f"<tr><td>{of}{n}</td></tr>" for n in range(4000)) + "</table>"


def shuffled(lines: int, words: int, kinds: int, seed: int) -> str:
    chance = random.Random(seed)
    bag = [str(n % kinds) for n in range(words)]
    return "".join(f"<p>{' '.join(chance.sample(bag, words))}</p>" for _ in range(lines))


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (cells("a"), cells("b")),  # all are others
        (cells("a"), re.sub("a(?=[0-9]*[13579]<)", "b", cells("a"))),  # every second one is
        (shuffled(22, 199, 199, 1), shuffled(22, 199, 199, 2)),  # other orders of the same
        (shuffled(1, 10_000, 100, 1), shuffled(1, 10_000, 100, 2)),
        (shuffled(10_000, 1, 1, 1), "<p>1</p>" + shuffled(9_000, 1, 1, 1) + "<p>1</p>"),
    ],
)
def test_no_page_takes_long(before: str, after: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = pairs = 0
    match, are_alike = SequenceMatcher.find_longest_match, marks._are_alike

    def counted(self: marks._Matcher, alo: int, ahi: int, blo: int, bhi: int) -> Match:
        nonlocal steps
        steps += ahi - alo + sum(len(self.b2j.get(one, ())) for one in self.a[alo:ahi])
        return match(self, alo, ahi, blo, bhi)

    def counting(old: marks._Line, new: marks._Line) -> bool:
        nonlocal pairs
        pairs += 1
        return are_alike(old, new)

    monkeypatch.setattr(SequenceMatcher, "find_longest_match", counted)
    monkeypatch.setattr(marks, "_are_alike", counting)
    result = marked(before, after)
    assert words_of(result) == words_of(after)
    assert steps <= 10_000_000
    assert pairs <= 20 * after.count("</")


words = st.sampled_from(["ab ", "cd ", "ef ", '<img src="http://a/1.png">'])
trees = st.recursive(
    words,
    lambda inner: st.builds(
        lambda tag, parts: f"<{tag}>{''.join(parts)}</{tag}>",
        st.sampled_from("p div ul li h2 a b span section table tr td".split()),
        st.lists(inner, max_size=4),
    ),
    max_leaves=20,
)


def words_of(html: str, without: str = "del") -> list[str]:
    """Its words and addresses, without those of some elements."""
    root = lxml_html.fragment_fromstring(html, create_parent="div")
    for element in list(root.iter(without)):
        element.drop_tree()
    return [*" ".join(root.itertext()).split(), *(one.get("src") for one in root.iter("img"))]


@given(trees, trees)
def test_without_marks_there_are_both(before: str, after: str) -> None:
    result = marked(before, after)
    assert words_of(result) == words_of(cleaned(after))
    assert sorted(words_of(result, "ins")) == sorted(words_of(cleaned(before)))


@pytest.mark.parametrize(
    "html",
    [
        "<script>alert(1)</script>",
        '<img src="x" onerror="alert(1)">',
        '<a href="javascript:alert(1)">tea</a>',
        '<a href=" JaVaScRiPt:alert(1)">tea</a>',
        '<a href="data:text/html,<script>alert(1)</script>">tea</a>',
        '<iframe src="https://tea.example/"></iframe>',
        "<svg><script>alert(1)</script></svg>",
        "<style>body{display:none}</style>",
        '<p style="position:fixed">tea</p>',
        '<form action="https://tea.example/"><input name="password"></form>',
        "<math><mi//xlink:href='data:x,<script>alert(1)</script>'>",
        "<!--<script>alert(1)</script>-->",
        '<meta http-equiv="refresh" content="0">',
        '<object data="https://tea.example/"></object>',
        '<noscript><p title="</noscript><img src=x onerror=alert(1)>">',
        "<textarea><script>alert(1)</script></textarea>",
        '<a href="http://tea.example/?<form/action=//tea.example>">tea</a>',
        '<a href="http://tea.example/?<meta/http-equiv=refresh/content=0>">tea</a>',
        '<img src="http://tea.example/?<svg/onload=alert(1)>" title="<svg/onload=alert(1)>">',
    ],
)
@pytest.mark.parametrize("is_gone", [False, True])
def test_nothing_of_a_stranger_runs(html: str, is_gone: bool) -> None:
    html = '<p>milk <img src="http://tea.example/?<svg/onload=alert(2)>"></p>' + html
    result = marked(html, "<p>tea</p>") if is_gone else marked("<p>tea</p>", html)
    assert ("<del>milk<img" if is_gone else "<ins>milk</ins>") in result
    unmarked = re.sub("</?(ins|del)>", "", result)
    assert cleaned(unmarked) == unmarked
    root = lxml_html.fragment_fromstring(result, create_parent="div")
    plain = {"div", "p", "a", "img", "ins", "del", "span"}
    assert {element.tag for element in root.iter()} <= plain
    for element in root.iter():
        assert set(element.attrib) <= {"href", "src", "title", "alt"}
        assert not {element.get(name, "").strip().lower()[:5] for name in ("href", "src")} & {
            "javas", "data:",
        }  # fmt: skip


@pytest.mark.parametrize("code", [0, 1, 8, 11, 12, 27, 31, 127, 128, 0xD800, 0xFFFE, 0x110000])
def test_control_characters_are_left_out(code: int) -> None:
    written = [f"&#{code};", f"&#x{code:x} ", f"&#&#{code};{code};"]
    written += [chr(code)] if code < 0x110000 else []
    for char in written:
        html = f'<form>{char}</form>{char}<p title="{char}">White{char} tea</p><b>{char}</b>'
        link = f'<a href="http://tea.example/{char}">now</a>'
        assert "White" in marked(f"<p>Green{char} tea</p>", html + link)


def test_what_is_plain_stays() -> None:
    html = '<h2>Tea</h2><ul><li><a href="https://tea.example/">Green</a> &lt;3</li></ul>'
    assert cleaned(html) == html
    assert cleaned("  ") == ""
    assert cleaned('<font color="red">Tea <b>now</b></font>') == "Tea <b>now</b>"


def test_the_document() -> None:
    changes = compare(seen(text="Green tea"), seen(2, text="White tea"))
    assert changes.html.startswith("<!doctype html>")
    for rule in ("default-src 'none'", "form-action 'none'", "base-uri 'none'"):
        assert rule in changes.html
    assert "<ins>White</ins>" in changes.html
    json = changes.to_json()
    assert json["summary"] == changes.summary
    assert json["html"] == changes.html
