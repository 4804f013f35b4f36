"""Rules are switched off one by one, and what they are worth is counted."""

from __future__ import annotations

import pytest
from small_pdf import pdf, text

from pagesight.readers.article.fields import references
from pagesight.readers.article.learning.alignment import align
from pagesight.readers.article.learning.corpus import ArticlePage
from pagesight.readers.article.learning.truth import Truth
from pagesight.readers.article.names import persons
from pagesight.readers.article.names.persons import Name, is_name
from pagesight.readers.article.zones import article_zones
from pagesight.render.pdf import page_from_pdf
from rules import RULES, ReaderRule, effects, effects_table, replaced

TITLE = "Green tea and the patience of reviewers"
CITED = [f"King A. On tea, part {number}. J Tea. 18{50 + number};12:1-9." for number in range(1, 8)]


def page(name: str, publisher: str) -> ArticlePage:
    content = text(72, 800, TITLE, 20, "B") + text(72, 770, "Ada King, Bo Lindqvist", 12)
    content += text(72, 740, "Tea has been drunk for a long time, and by very many people.")
    content += text(72, 700, "References", 12, "B")
    for rank, line in enumerate(CITED):
        content += text(72, 680 - 24 * rank, f"{rank + 1}. {line}")
    zones = article_zones(page_from_pdf(pdf(content)))
    authors = (Name("Ada", "King"), Name("Bo", "Lindqvist"))
    truth = Truth(titles=(TITLE,), authors=authors, references=tuple(CITED))
    return ArticlePage(name, publisher, "pdf", zones, align(zones, truth))


@pytest.fixture(scope="module")
def pages() -> list[ArticlePage]:
    return [page("one", "Tea Press"), page("two", "Leaf House"), page("three", "Leaf Books")]


def test_a_rule_that_is_needed_helps_and_another_changes_nothing(pages: list[ArticlePage]) -> None:
    needed = ReaderRule("names", is_name, lambda _text: False)
    unused = RULES["fields.references._is_short_list"]
    first, second = effects(pages, rules=[needed, unused])
    assert (first.rule, first.pages, first.publishers) == ("names", 3, 2)
    assert (first.helps, first.hurts) == (2, 0)
    assert first.change["authors"] == -1
    assert first.change["title"] == 0
    assert (second.pages, second.publishers, second.helps, second.hurts) == (0, 0, 0, 0)
    assert set(second.change.values()) == {0}


def test_a_rule_that_does_harm_hurts(pages: list[ArticlePage]) -> None:
    wrong = ReaderRule("wrong", persons.divide, lambda name, **_: (name, "Nobody"))
    with replaced(persons.divide, lambda name, **_: (name, "Nobody")):
        spoiled = ReaderRule("spoiled", persons.divide, wrong.function)
        (effect,) = effects(pages, rules=[spoiled])
    assert (effect.helps, effect.hurts) == (0, 2)
    assert effect.change["authors"] > 0


def test_what_was_remembered_is_forgotten() -> None:
    assert is_name("Network for green tea")
    with replaced(persons.is_group, lambda _text: False):
        assert not is_name("Network for green tea")
    assert is_name("Network for green tea")


def test_rules_are_back_after_an_error() -> None:
    rule = RULES["fields.references._numbered_list"]

    def fail() -> None:
        with replaced(rule.function, rule.neutral):
            assert references.__dict__["_numbered_list"] is rule.neutral
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert references.__dict__["_numbered_list"] is rule.function


@pytest.mark.parametrize("name", RULES)
def test_each_rule_can_be_switched_off_by_itself(name: str) -> None:
    rule = RULES[name]
    assert rule.function is not rule.neutral
    assert rule.function.__doc__
    with replaced(rule.function, rule.neutral):
        pass


def test_the_table_has_a_line_for_each_rule(pages: list[ArticlePage]) -> None:
    rules = [RULES["fields.references._numbered_list"]]
    header, line = effects_table(effects(pages[:1], rules=rules)).splitlines()
    assert header.split()[:5] == ["without", "pages", "houses", "helps", "hurts"]
    assert line.split()[0] == "fields.references._numbered_list"
    assert len(line.split()) == len(header.split())
