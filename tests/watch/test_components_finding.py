"""Parts of small pages, known again after small and large changes."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from pagesight.errors import ModelError, NoSuchPart
from pagesight.page import Page
from pagesight.watch.components import ComponentIndex, confirm, find, learn
from pagesight.watch.components.evidence import candidates, compared
from pagesight.watch.components.finding import _changes, assigned
from pagesight.watch.components.index import seen_on
from pagesight.watch.components.learn import MOST_COMPONENTS
from pagesight.watch.components.model import shipped_model
from pagesight.watch.components.profile import profile_of
from pagesight.watch.components.sight import sight_of

LayOut = Callable[[str], Page]

NEWS = """
<h2>News</h2>
<ul><li><a href="/news/harbour">The harbour bridge opens in spring</a></li>
<li><a href="/news/ferry">A second ferry for the island</a></li>
<li><a href="/news/school">The old school becomes a library</a></li></ul>
"""
LATER_NEWS = """
<h2>News</h2>
<ul><li><a href="/news/market">The market moves to the square</a></li>
<li><a href="/news/ferry">A second ferry for the island</a></li>
<li><a href="/news/museum">Night of the museums in October</a></li></ul>
"""
OTHER_NEWS = """
<h2>News</h2>
<ul><li><a href="/news/tower">Bells of the tower are silent until May</a></li>
<li><a href="/news/bakery">Bakery wins the golden loaf</a></li>
<li><a href="/news/dike">Sheep are back on the dike</a></li></ul>
"""
WEATHER = """
<h2>Weather</h2><p>Cloudy in the morning, rain towards the evening, 12 to 15 degrees.</p>
<p><a href="/weather/week">The week</a> <a href="/weather/map">Map of the rain</a></p>
"""
CALENDAR = """
<h2>Calendar</h2><p>Concert of the town band in the park, Saturday at eight.</p>
<p><a href="/calendar/all">All dates</a> <a href="/calendar/add">Add a date</a></p>
"""


def plain(*parts: str) -> str:
    body = "".join(f'<div class="box box-{at}">{part}</div>' for at, part in enumerate(parts))
    return f"<html><body><h1>Town of Tarn</h1>{body}<p>Imprint and contact</p></body></html>"


def redesigned(*parts: str) -> str:
    body = "".join(f'<section class="card"><article>{part}</article></section>' for part in parts)
    style = "<style>.card{float:left;width:40%;padding:20px;background:#eee}</style>"
    head = f"<html><head>{style}</head>"
    return f"{head}<body><header><b>Tarn</b></header><main>{body}</main></body></html>"


def statuses(index: ComponentIndex, page: Page) -> dict[str, str]:
    return {part.name: part.status for part in find(index, page).components}


@pytest.fixture(scope="module")
def first(lay_out: LayOut) -> Page:
    return lay_out(plain(NEWS, WEATHER, CALENDAR))


@pytest.fixture(scope="module")
def index(first: Page) -> ComponentIndex:
    return learn([first], select=[".box"])


def test_a_page_has_its_own_parts(first: Page, index: ComponentIndex) -> None:
    reading = find(index, first)
    assert [part.status for part in reading.components] == ["found"] * 3
    assert [part.id for part in reading.components] == ["news", "weather", "calendar"]
    assert [part.xpath for part in reading.components] == [
        "/html/body/div[1]",
        "/html/body/div[2]",
        "/html/body/div[3]",
    ]
    assert reading.summary == "3 found"


def test_news_of_another_day_are_the_same_part(lay_out: LayOut, index: ComponentIndex) -> None:
    page = lay_out(plain(LATER_NEWS, WEATHER, CALENDAR))
    news, weather, _ = find(index, page).components
    assert news.status == "changed"
    assert "content" in news.changes
    assert page[news.nodes[0]].text.startswith("News")
    assert weather.changes == ()


def test_a_day_of_new_stories_alone_does_not_make_another_part(
    lay_out: LayOut, index: ComponentIndex
) -> None:
    page = lay_out(plain(OTHER_NEWS, WEATHER, CALENDAR))
    news, _, _ = find(index, page).components
    assert news.status == "changed"
    assert page[news.nodes[0]].text.startswith("News")


def test_what_was_elsewhere_before_is_not_the_part(lay_out: LayOut, index: ComponentIndex) -> None:
    page = compared(sight_of(lay_out(redesigned(CALENDAR, OTHER_NEWS, WEATHER))), index.seen)
    found = candidates(page, index.components[0].profile)
    boxes = {
        page.sight.opening(unit): at
        for at, unit in enumerate(found.unit.tolist())
        if page.sight.page.name(page.sight.node(unit)) == "section"
    }
    for clue in ("heading elsewhere", "opening elsewhere", "first link elsewhere"):
        assert found.table[clue][boxes["Weather"]] == 1
        assert found.table[clue][boxes["News"]] == 0
    elsewhere = found.table["word elsewhere"]
    assert elsewhere[boxes["Weather"]] > 0.9 > 0.1 > elsewhere[boxes["News"]]


def test_parts_are_found_in_another_design_and_order(
    lay_out: LayOut, index: ComponentIndex
) -> None:
    page = lay_out(redesigned(CALENDAR, LATER_NEWS, WEATHER))
    for part in find(index, page).components:
        assert part.status == "changed", part
        assert page[part.nodes[0]].text.startswith(part.name)
        assert "renamed" in part.changes


def test_a_part_that_is_gone_is_not_found(lay_out: LayOut, index: ComponentIndex) -> None:
    for made in (plain, redesigned):
        by_name = statuses(index, lay_out(made(LATER_NEWS, CALENDAR)))
        assert by_name["Weather"] in ("missing", "unsure")
        assert by_name["Calendar"] in ("found", "changed")


def card(place: str, count: int) -> str:
    return f"<h3>{place} totals</h3><p>Cumulative cases</p><b>{count}</b><p>Last update: today</p>"


def test_what_is_like_a_part_is_known_and_not_taken_for_it(lay_out: LayOut) -> None:
    page = lay_out(plain(card("Arkansas", 201), card("United States", 46450)))
    index = learn([page], select=[".box-1"])
    assert "Arkansas totals" in {rival.heading for rival in index.rivals}
    assert not any("United" in rival.heading for rival in index.rivals)
    (part,) = find(index, lay_out(plain(card("Arkansas", 310)))).components
    assert part.status in ("missing", "unsure")
    grown = confirm(index, page, {index.components[0].id: [page.find("div")[0].id]})
    assert "United States totals" in {rival.heading for rival in grown.rivals}


def test_of_two_answers_only_one_is_likely(lay_out: LayOut) -> None:
    items = [f'<li><a href="/news/{at}">Story {at} of the town</a></li>' for at in range(9)]
    index = learn([lay_out(plain(f"<ul>{''.join(items[:5])}</ul>"))], select=["li"])
    page = lay_out(plain(f"<ul>{''.join(items[4:])}</ul>"))
    parts = find(index, page).components
    places = [(part.confidence, part.runner_up) for part in parts if part.place]
    places += [(part.confidence, part.second) for part in parts if not part.place]
    assert any(other for _, other in places)
    assert all(other is None or sure + other.confidence <= 1 + 1e-9 for sure, other in places)


def test_an_empty_page_has_none_of_the_parts(lay_out: LayOut, index: ComponentIndex) -> None:
    reading = find(index, lay_out("<html><body></body></html>"))
    assert {part.status for part in reading.components} == {"missing"}
    assert {(part.xpath, part.box, part.runner_up) for part in reading.components} == {
        (None, None, None)
    }


def test_an_index_is_the_same_after_json(first: Page, index: ComponentIndex) -> None:
    again = ComponentIndex.from_json(json.loads(json.dumps(index.to_json())))
    assert again == index
    assert find(again, first) == find(index, first)


@pytest.mark.parametrize(
    "damage",
    [
        {"format": 99},
        {"components": [{}]},
        {"inside": [0]},
        {"inside": [5, -1, -1]},
        {"seen": {}},
        {"rivals": [{}]},
        {"components": None},
        {"inside": [float("inf"), -1, -1]},
    ],
    ids=str,
)
def test_a_damaged_index_is_refused(index: ComponentIndex, damage: dict[str, object]) -> None:
    with pytest.raises(ModelError, match="not an index of components"):
        ComponentIndex.from_json({**index.to_json(), **damage})


def test_parts_can_be_picked_by_selector_xpath_point_and_address(first: Page) -> None:
    (by_class,) = learn([first], select=[".box-1"]).components
    (by_xpath,) = learn([first], select=["/html/body/div[2]"]).components
    (by_value,) = learn([first], select=['//div[@class="box box-1"]']).components
    (by_address,) = learn([first], select=[first[first.elements("div")[1]].css]).components
    assert {part.name for part in (by_class, by_xpath, by_value, by_address)} == {"Weather"}
    assert by_class.select == ".box-1"
    box = first[first.elements("p")[0]].box
    (by_point,) = learn([first], at=[(box.x + 5, box.y + 5)]).components
    assert by_point.select == f"{box.x + 5:g},{box.y + 5:g}"


def test_on_a_page_that_shows_nothing_there_is_nothing_to_learn(lay_out: LayOut) -> None:
    with pytest.raises(NoSuchPart, match="nothing is seen"):
        learn([lay_out("<html><body></body></html>")])


def test_what_selects_nothing_is_an_error(first: Page) -> None:
    for select in (".nothing", "///", "div:hover", "/html/body/table", "/div", "", " "):
        with pytest.raises(NoSuchPart):
            learn([first], select=[select])
    with pytest.raises(NoSuchPart, match="no part at 1,99999"):
        learn([first], at=[(1, 99999)])


def test_without_a_selector_all_parts_are_learned(first: Page) -> None:
    index = learn([first])
    assert len({part.id for part in index.components}) == len(index.components) > 1


def test_more_snapshots_tell_what_is_constant(lay_out: LayOut, first: Page) -> None:
    last = lay_out(plain(LATER_NEWS, WEATHER, CALENDAR))
    (part,) = learn([first, last], select=[".box-0"]).components
    words = part.profile.tokens["word"]
    assert part.profile.samples == 2
    assert words["ferry"] > words["market"] > 0
    assert "harbour" in words


def test_a_snapshot_without_the_part_teaches_nothing(lay_out: LayOut, first: Page) -> None:
    other = lay_out("<html><body><p>Closed for repairs</p></body></html>")
    (part,) = learn([other, first], select=[".box-0"]).components
    assert part.profile.samples == 1


def test_a_confirmed_find_is_a_new_sample(lay_out: LayOut, index: ComponentIndex) -> None:
    page = lay_out(redesigned(CALENDAR, LATER_NEWS, WEATHER))
    nodes = {part.id: part.nodes for part in find(index, page).components}
    grown = confirm(index, page, nodes)
    assert [part.profile.samples for part in grown.components] == [2, 2, 2]
    assert {part.status for part in find(grown, page).components} == {"found"}


def test_a_design_that_changes_bit_by_bit_is_followed(lay_out: LayOut, first: Page) -> None:
    index = learn([first], select=[".box-0"])
    news = (NEWS, LATER_NEWS, OTHER_NEWS.replace("dike", "ferry"), OTHER_NEWS)
    for day, (box, told) in enumerate(
        zip(("div class=box-0", "div class=latest", "section", "section"), news, strict=True)
    ):
        around = "<p>Good morning</p>" * day
        body = f"{around}<{box}>{told}</{box.split()[0]}><div>{WEATHER}</div>{CALENDAR * (day > 1)}"
        page = lay_out(f"<html><body><h1>Town of Tarn</h1>{body}</body></html>")
        (part,) = find(index, page).components
        assert part.status in ("found", "changed")
        assert page[part.nodes[0]].text.startswith("News")
        index = confirm(index, page, {part.id: part.nodes})


@pytest.mark.parametrize(
    ("part", "style", "change"),
    [
        (WEATHER, "margin-left:20em", "moved"),
        (WEATHER, "width:12em", "resized"),
        (WEATHER, "font-size:2em", "restyled"),
        (f"<div class=box-1>{WEATHER}</div>{CALENDAR}{NEWS}", "", "merged"),
        (WEATHER.replace("</h2>", "</h2></div><div>"), "", "split"),
    ],
    ids=lambda value: value if value.isalpha() else "",
)
def test_what_is_different_is_said(lay_out: LayOut, part: str, style: str, change: str) -> None:
    html = "<html><body><h1>Tarn</h1><main><div class=box style='{}'>{}</div></main></body></html>"
    before, after = (sight_of(lay_out(html.format(*how))) for how in (("", WEATHER), (style, part)))
    old, new = (int(each.units.of_node[each.page.elements("div")[0]]) for each in (before, after))
    profile = profile_of(before, old)
    again = candidates(compared(before, seen_on(before)), profile, only=old)
    assert _changes(before, profile, again, 0) == ()
    found = candidates(compared(after, seen_on(before)), profile, only=new)
    assert change in _changes(after, profile, found, 0)


def test_a_nested_part_stays_inside(lay_out: LayOut, first: Page) -> None:
    index = learn([first], select=[".box-1", "/html/body/div[2]/p[2]"])
    assert index.inside == (-1, 0)
    page = lay_out(redesigned(CALENDAR, WEATHER, NEWS))
    outer, inner = find(index, page).components
    around, within = page[outer.nodes[0]], page[inner.nodes[0]]
    assert around in within.ancestors


def test_nothing_is_assigned_where_there_is_nothing(first: Page) -> None:
    assert assigned(sight_of(first), [], []) == []


def test_the_shipped_weights_know_the_clues(first: Page, index: ComponentIndex) -> None:
    page = compared(sight_of(first), index.seen)
    found = candidates(page, index.components[0].profile)
    assert shipped_model().ranker.features == tuple(found.table)


def test_a_part_may_be_all_that_a_page_shows(lay_out: LayOut) -> None:
    html = f"<html><body><div class=all>{NEWS}{WEATHER}</div></body></html>"
    index = learn([lay_out(html)], select=[".all"])
    (part,) = find(index, lay_out(html)).components
    assert (part.status, part.css) == ("found", "html > body > div")
    later = f"<html><body><div class=all>{LATER_NEWS}{WEATHER}</div><p>Imprint</p></body></html>"
    (part,) = find(index, lay_out(later)).components
    assert part.status in ("changed", "unsure")


def test_equal_parts_stay_where_they_are(lay_out: LayOut) -> None:
    menu = "<ul class=m><li><a href=/a>Start</a></li><li><a href=/b>Help</a></li></ul>"
    rows = "".join(f"<tr><td>Row {at}</td><td>{at % 3}</td></tr>" for at in range(12))
    html = f"<html><body>{menu}<table>{rows}</table>{menu}<p>Between</p>{menu}</body></html>"
    page = lay_out(html)
    index = learn([page], select=["ul", "tr"])
    paths = [part.profile.path for part in index.components]
    assert [part.xpath for part in find(index, page).components] == paths
    again = lay_out(html.replace("<body>", "<body><!-- another day -->"))
    assert {part.status for part in find(index, again).components} == {"found"}


def test_of_two_selectors_of_one_element_the_first_counts(first: Page) -> None:
    index = learn([first], select=[".box-0", "/html/body/div[1]"])
    assert [part.select for part in index.components] == [".box-0"]


def test_only_so_many_parts_can_be_known(lay_out: LayOut) -> None:
    items = "".join(f"<li>Item number {at}</li>" for at in range(MOST_COMPONENTS + 1))
    page = lay_out(f"<html><body><ul>{items}</ul></body></html>")
    with pytest.raises(NoSuchPart, match="201 parts are selected"):
        learn([page], select=["li"])


def test_what_an_older_version_did_not_know_counts_as_nothing(
    first: Page, index: ComponentIndex
) -> None:
    fields = index.to_json()
    del fields["components"][0]["profile"]["facts"]["opens"]
    assert find(ComponentIndex.from_json(fields), first).components[0].status == "found"


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e200])
def test_numbers_out_of_range_are_refused(index: ComponentIndex, number: float) -> None:
    fields = json.loads(json.dumps(index.to_json()))
    fields["components"][0]["profile"]["facts"]["words"] = number
    with pytest.raises(ModelError, match="out of range"):
        ComponentIndex.from_json(fields)


def test_an_index_keeps_only_the_beginning_of_long_texts(lay_out: LayOut) -> None:
    page = lay_out(f"<html><body><div id=a>{'secret ' * 5000}</div><p>Imprint</p></body></html>")
    (part,) = learn([page], select=["#a"]).components
    assert len(part.profile.opening) < 100
