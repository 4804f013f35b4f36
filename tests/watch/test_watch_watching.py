"""Adding, checking and confirming, with components that a test decides about."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from fake_components import FakeComponents, installed

from pagesight.errors import (
    FetchFailed,
    NoSuchPart,
    PagesightError,
    PartNotFound,
    StoreError,
    WatchError,
)
from pagesight.render import AnyRenderer
from pagesight.sources import Limits
from pagesight.watch import Checked, Outcome, PartState, Status, Watch
from pagesight.watch.looking import Look
from pagesight.watch.notifying import message_of
from serving import Answer, Website, website
from watched import NEWS, FakeClock, page, save

AMPLE = Limits(connect_timeout=60, read_timeout=60, total_timeout=60)
OTHERS = "<div id='other'>Red tea</div><div id='hidden' style='display:none'>No tea</div>"
WALL = "<title>Just a moment...</title><h1>Checking your browser</h1>"


@pytest.fixture
def components(monkeypatch: pytest.MonkeyPatch) -> FakeComponents:
    return installed(monkeypatch)


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def watch(
    database: str, embedded: AnyRenderer, components: FakeComponents, clock: FakeClock
) -> Iterator[Watch]:
    with Watch.open(database, renderer=embedded, limits=AMPLE, clock=clock) as watch:
        yield watch


@pytest.fixture
def site() -> Iterator[Website]:
    with website({"/": page()}) as running:
        yield running


def time_of(clock: FakeClock) -> datetime:
    return datetime.fromtimestamp(clock.now, UTC)


def checked(watch: Watch, *parts: int, due: bool = False) -> Checked:
    (only,) = watch.check(parts or None, due=due)
    return only


# What changed since a time


def test_what_changed_since_a_time(watch: Watch, tmp_path: Path, clock: FakeClock) -> None:
    news, weather = watch.add(save(tmp_path), select=["#news", "#weather"])
    times = [time_of(clock)]
    for titles in ((*NEWS, "White tea"), ("White tea", "Red tea")):
        clock.now += 60
        save(tmp_path, news=titles)
        checked(watch)
        times.append(time_of(clock))
    ((part, changes),) = watch.changed(times[0])
    assert (part.id, changes.before.number, changes.after.number) == (news.id, 1, 3)
    assert changes.summary == "2 new items, 2 gone"
    ((_, changes),) = watch.changed(times[1], [news.id])
    assert changes.summary == "1 new item, 2 gone"
    assert list(watch.changed(times[2])) == list(watch.changed(times[0], [weather.id])) == []
    ((_, changes),) = watch.changed(times[0] - timedelta(days=1))  # before it was added
    assert changes.before.number == 1


def test_a_part_that_was_only_added_has_not_changed(
    watch: Watch, tmp_path: Path, clock: FakeClock
) -> None:
    watch.add(save(tmp_path), select=["#news"])
    assert list(watch.changed(time_of(clock) - timedelta(days=1))) == []


def test_a_check_as_json(watch: Watch, tmp_path: Path) -> None:
    (news,) = watch.add(save(tmp_path), select=["#news"])
    assert checked(watch).to_json()["parts"] == [
        {"id": news.id, "name": "News", "status": "found", "confidence": 1.0, "observation": 1,
         "new": False}
    ]  # fmt: skip
    save(tmp_path, news=[*NEWS, "White tea"])
    fields = checked(watch).to_json()
    assert (fields["page"], fields["outcome"], fields["error"]) == (news.page.id, "changed", None)
    assert fields["parts"][0]["summary"] == "1 new item"
    assert [item["title"] for item in fields["parts"][0]["new_items"]] == ["White tea"]


def test_changes_without_the_marked_document(watch: Watch, tmp_path: Path) -> None:
    (news,) = watch.add(save(tmp_path), select=["#news"])
    changes = watch.diff(news.id)
    assert changes.to_json() == changes.to_json(html=False) | {"html": changes.html}


# Adding


def test_parts_are_observed_when_they_are_added(watch: Watch, tmp_path: Path) -> None:
    news, weather = watch.add(save(tmp_path), select=["#news", "#weather"])
    assert (news.name, news.selector) == ("News", "#news")
    assert news.page.address == str(tmp_path / "tea.html")
    seen = watch.observation(news.id)
    assert (seen.number, seen.status) == (1, Status.FOUND)
    assert [item.title for item in seen.items] == list(NEWS)
    assert seen.html.startswith('<div id="news">')
    assert seen.has_picture
    assert (watch.picture(news.id) or b"").startswith(b"\x89PNG")
    assert watch.parts() == (news, weather)


def test_without_selectors_all_components_are_watched(watch: Watch, tmp_path: Path) -> None:
    assert [part.name for part in watch.add(save(tmp_path))] == ["News", "Weather"]


def test_one_part_may_get_a_name(watch: Watch, tmp_path: Path) -> None:
    (part,) = watch.add(save(tmp_path), select=["#news"], name="Tea news")
    assert part.name == "Tea news"
    with pytest.raises(WatchError, match="a name is for one part"):
        watch.add(save(tmp_path, "other.html"), name="All")


def test_what_is_watched_already(watch: Watch, tmp_path: Path) -> None:
    path = save(tmp_path)
    (news,) = watch.add(path, select=["#news"])
    with pytest.raises(WatchError, match=f"part {news.id} is #news already"):
        watch.add(path, select=["#news"])
    with pytest.raises(WatchError, match="parts of this page are watched already: 1"):
        watch.add(path)
    (weather,) = watch.add(path, select=["#weather"])
    assert weather.page.id == news.page.id


def test_a_further_part_does_not_hide_a_change_of_the_others(watch: Watch, tmp_path: Path) -> None:
    (news,) = watch.add(save(tmp_path), select=["#news"])
    watch.add(save(tmp_path, news=["White tea"]), select=["#weather"])
    assert [seen.text.splitlines()[1] for seen in watch.history(news.id)] == [NEWS[0], "White tea"]


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        ("no-such.html", "there is no such file"),
        ("-", "standard input cannot be watched"),
        ("ftp://tea.example/", "this is not an http\\(s\\) address"),
        ("tea\udcff.html", "the name of this file is not text in UTF-8"),
        ("https://me:secret@tea.example/", "a password is not kept"),
        ("http://", "not an address that can be fetched"),
    ],
)
def test_what_cannot_be_watched(watch: Watch, source: str, complaint: str) -> None:
    with pytest.raises(PagesightError, match=complaint) as failed:
        watch.add(source)
    assert "secret" not in str(failed.value)
    assert watch.pages() == ()


def test_nothing_is_added_where_nothing_is_found(watch: Watch, tmp_path: Path) -> None:
    with pytest.raises(NoSuchPart, match="nothing on this page"):
        watch.add(save(tmp_path), select=["#prices"])
    wall = tmp_path / "wall.html"
    wall.write_text(WALL)
    with pytest.raises(WatchError, match="this is not the page, but says: bot check"):
        watch.add(wall)
    assert watch.pages() == ()


# Checking


def test_nothing_is_written_of_what_is_as_it_was(
    watch: Watch, tmp_path: Path, clock: FakeClock
) -> None:
    (news,) = watch.add(save(tmp_path), select=["#news"])
    clock.now += 60
    again = checked(watch)
    assert (again.outcome, again.parts[0].is_new) == (Outcome.UNCHANGED, False)
    (seen,) = watch.history(news.id)
    assert seen.last - seen.time == timedelta(seconds=60)


def test_a_change(watch: Watch, tmp_path: Path, components: FakeComponents) -> None:
    news, weather = watch.add(save(tmp_path), select=["#news", "#weather"])
    save(tmp_path, news=["White tea", *NEWS])
    result = checked(watch)
    assert result.outcome is Outcome.CHANGED
    assert [seen.is_new for seen in result.parts] == [True, False]
    assert [seen.number for seen in watch.history(news.id)] == [1, 2]
    assert [seen.number for seen in watch.history(weather.id)] == [1]
    changes = watch.diff(news.id)
    assert (changes.before.number, changes.after.number) == (1, 2)
    assert changes.summary == "1 new item"
    assert watch.diff(news.id, 1, 1).summary == "nothing that is read"
    assert checked(watch).outcome is Outcome.UNCHANGED
    assert len(components.confirmed) == 1  # both parts are samples of how they look now
    assert set(components.confirmed[0]) == {"news", "weather"}


def test_a_page_that_changes_around_its_parts(
    watch: Watch, tmp_path: Path, components: FakeComponents
) -> None:
    (news,) = watch.add(save(tmp_path), select=["#news"])
    save(tmp_path, extra="<p>Visitor 17</p>")
    assert checked(watch).outcome is Outcome.UNCHANGED
    assert len(watch.history(news.id)) == 1
    assert len(components.confirmed) == 1


def test_a_change_back_is_a_change(watch: Watch, tmp_path: Path) -> None:
    (news,) = watch.add(save(tmp_path), select=["#news"])
    for titles in (["White tea", "Yellow tea"], NEWS):
        save(tmp_path, news=titles)
        checked(watch)
    assert [seen.number for seen in watch.history(news.id)] == [1, 2, 3]


def test_a_part_that_goes_and_comes_back(watch: Watch, tmp_path: Path) -> None:
    (news,) = watch.add(save(tmp_path), select=["#news"])
    path = tmp_path / "tea.html"
    path.write_text("<h1>The tea house</h1><p>We are closed for the summer holidays.</p>")
    assert checked(watch).parts[0].now.status is Status.MISSING
    assert watch.observation(news.id).text == ""
    save(tmp_path)
    assert checked(watch).parts[0].now.status is Status.FOUND
    assert len(watch.history(news.id)) == 3


def test_a_page_that_cannot_be_read_costs_that_page_only(watch: Watch, tmp_path: Path) -> None:
    (gone,) = watch.add(save(tmp_path, "a.html"), select=["#news"])
    watch.add(save(tmp_path, "b.html"), select=["#news"])
    (tmp_path / "a.html").unlink()
    first, second = watch.check()
    assert (first.outcome, second.outcome) == (Outcome.FAILED, Outcome.UNCHANGED)
    assert first.error == {"kind": "source_not_found", "message": "there is no such file"}
    assert first.page.failing_since
    assert len(watch.history(gone.id)) == 1  # the last good copy


def test_a_wall_is_not_a_change(watch: Watch, tmp_path: Path) -> None:
    (news,) = watch.add(save(tmp_path), select=["#news"])
    (tmp_path / "tea.html").write_text(WALL)
    result = checked(watch)
    assert result.outcome is Outcome.PROBLEM
    assert result.error == {"kind": "problem", "message": "bot check"}
    assert len(watch.history(news.id)) == 1
    save(tmp_path)
    assert checked(watch).outcome is Outcome.UNCHANGED


def test_only_some_are_checked(watch: Watch, tmp_path: Path) -> None:
    watch.add(save(tmp_path, "a.html"), select=["#news"])
    (wanted,) = watch.add(save(tmp_path, "b.html"), select=["#news"])
    assert [one.page.address for one in watch.check([wanted.id])] == [str(tmp_path / "b.html")]
    with pytest.raises(PartNotFound):
        list(watch.check([999]))


def test_what_is_due(watch: Watch, tmp_path: Path, clock: FakeClock) -> None:
    watch.add(save(tmp_path), select=["#news"])
    assert list(watch.check(due=True)) == []
    clock.now += 3600
    assert len(list(watch.check(due=True))) == 1
    assert list(watch.check(due=True)) == []


def test_after_failures_the_next_check_is_due_later_and_later(watch: Watch, tmp_path: Path) -> None:
    watch.add(save(tmp_path), select=["#news"])
    (tmp_path / "tea.html").unlink()
    waits = []
    for _ in range(12):
        page = checked(watch).page
        waits.append((page.next_check - page.checked).total_seconds())
    assert waits[:4] == [300, 600, 1200, 2400]
    assert waits[-1] == 24 * 3600


def test_a_defect_costs_one_page(
    watch: Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.add(save(tmp_path), select=["#news"])
    save(tmp_path, news=["White tea"])

    def broken(*_: object) -> None:
        raise RuntimeError("oops")

    monkeypatch.setattr("pagesight.watch.looking.find", broken)
    result = checked(watch)
    assert result.outcome is Outcome.FAILED
    assert result.error
    assert result.error["kind"] == "unexpected_error"


def test_a_database_that_breaks_down_ends_the_check(
    watch: Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.add(save(tmp_path), select=["#news"])

    def broken(*_: object, **__: object) -> None:
        raise StoreError("the disk is full")

    monkeypatch.setattr(watch.store, "write_unchanged", broken)
    with pytest.raises(StoreError, match="full"):
        checked(watch)


def test_two_who_look_at_the_same_time_write_once(
    watch: Watch, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (news,) = watch.add(save(tmp_path), select=["#news"])
    save(tmp_path, news=["White tea"])
    look, others = watch._looks.look, list[Checked | None]()

    def overtaken(*given: Any) -> Look:
        found = look(*given)
        if not others:  # somebody else writes after this one has looked
            others.append(None)
            others[0] = checked(watch)
        return found

    monkeypatch.setattr(watch._looks, "look", overtaken)
    result = checked(watch)
    assert others[0]
    assert others[0].outcome is Outcome.CHANGED
    assert result.outcome is Outcome.UNCHANGED
    assert [seen.number for seen in watch.history(news.id)] == [1, 2]


# Addresses


def test_a_page_that_the_server_knows_we_have(watch: Watch, site: Website) -> None:
    site.pages["/"] = Answer(page().encode(), headers={"ETag": '"1"'})
    watch.add(site(), select=["#news"])
    assert checked(watch).outcome is Outcome.UNCHANGED
    assert site.unmodified == ["/"]
    site.pages["/"] = Answer(page(["White tea"]).encode(), headers={"ETag": '"2"'})
    assert checked(watch).outcome is Outcome.CHANGED
    assert checked(watch).outcome is Outcome.UNCHANGED
    assert site.unmodified == ["/", "/"]


def test_equal_bytes_are_not_rendered(
    watch: Watch, site: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    watch.add(site(), select=["#news"])

    def never(*_: object) -> None:
        raise AssertionError

    monkeypatch.setattr(watch._looks, "show", never)
    site.pages["/"] = Answer(page().encode(), headers={"ETag": '"new"'})
    assert checked(watch).outcome is Outcome.UNCHANGED
    assert checked(watch).outcome is Outcome.UNCHANGED
    assert site.unmodified == ["/"]  # the new tag is known


def test_robots_are_asked_once_a_day_and_obeyed(
    watch: Watch, site: Website, clock: FakeClock, database: str, embedded: AnyRenderer
) -> None:
    site.pages["/robots.txt"] = "User-agent: *\nDisallow: /private"
    watch.add(site(), select=["#news"])
    with pytest.raises(FetchFailed, match=r"robots\.txt does not want"):
        watch.add(site("/private"), select=["#news"])
    with Watch.open(database, renderer=embedded, limits=AMPLE, clock=clock) as again:
        checked(again)
    assert site.asked == ["/robots.txt", "/", "/"]
    clock.now += 25 * 3600
    with Watch.open(database, renderer=embedded, limits=AMPLE, clock=clock) as later:
        checked(later)
    assert site.asked[3:] == ["/robots.txt", "/"]


def test_rules_that_could_not_be_had_are_asked_for_again(
    watch: Watch, site: Website, clock: FakeClock, database: str, embedded: AnyRenderer
) -> None:
    watch.add(site(), select=["#news"])
    clock.now += 25 * 3600
    site.pages["/robots.txt"] = Answer(status=503)
    assert checked(watch).outcome is Outcome.FAILED
    del site.pages["/robots.txt"]
    with Watch.open(database, renderer=embedded, limits=AMPLE, clock=clock) as again:
        assert checked(again).outcome is Outcome.FAILED
        clock.now += 300
        assert checked(again).outcome is Outcome.UNCHANGED


def test_requests_to_a_server_are_apart(watch: Watch, site: Website, clock: FakeClock) -> None:
    site.pages["/b"] = page()
    watch.add(site(), select=["#news"])
    watch.add(site("/b"), select=["#news"])
    clock.slept.clear()
    list(watch.check())
    assert clock.slept == [2.0, 2.0]


def test_requests_of_several_threads_are_apart(
    watch: Watch, site: Website, clock: FakeClock
) -> None:
    numbers = []
    for name in ("/a", "/b", "/c", "/d"):
        site.pages[name] = page()
        numbers += [part.id for part in watch.add(site(name), select=["#news"])]
    clock.slept.clear()
    with ThreadPoolExecutor(4) as threads:
        results = list(threads.map(lambda number: checked(watch, number), numbers))
    assert {result.outcome for result in results} == {Outcome.UNCHANGED}
    assert clock.slept == [2.0] * 4


def test_a_server_that_asks_for_patience(watch: Watch, site: Website) -> None:
    watch.add(site(), select=["#news"])
    site.pages["/"] = Answer(status=429, headers={"Retry-After": "7200"})
    page = checked(watch).page
    assert (page.next_check - page.checked).total_seconds() == 7200
    assert page.error
    assert "429" in page.error["message"]


@pytest.mark.parametrize("away", ["unsure", "missing"])
def test_items_that_were_there_before_are_not_new(
    watch: Watch, tmp_path: Path, components: FakeComponents, away: str
) -> None:
    (news,) = watch.add(save(tmp_path), select=["#news"])
    components.status["news"] = away
    save(tmp_path, news=["Red tea", "Blue tea"])
    assert checked(watch).parts[0].now.status.value == away
    assert watch.diff(news.id).new_items == ()
    components.status.clear()
    save(tmp_path, news=["White tea", *NEWS])
    (seen,) = checked(watch).parts
    assert seen.known == watch.observation(news.id, 1)
    assert [item.title for item in watch.diff(news.id).new_items] == ["White tea"]
    assert message_of(seen).splitlines()[0] == "News: found again"
    assert [line[:11] for line in message_of(seen).splitlines()[1:]] == ["+ White tea"]


@pytest.mark.parametrize("place", ["file:///etc/passwd", "ftp://tea.example/"])
def test_a_page_that_leads_out_of_the_web(watch: Watch, site: Website, place: str) -> None:
    watch.add(site(), select=["#news"])
    site.pages["/"] = Answer(redirect=place)
    error = checked(watch).error
    assert error
    assert error["message"] == "it leads to what is not an http(s) address"


# Confirming


@pytest.fixture
def unsure(watch: Watch, tmp_path: Path, components: FakeComponents) -> int:
    """The number of a part that a check was unsure about."""
    (news,) = watch.add(save(tmp_path), select=["#news"])
    components.status["news"] = "unsure"
    save(tmp_path, news=["White tea", "Yellow tea"], extra=OTHERS)
    result = checked(watch)
    assert result.parts[0].now.status is Status.UNSURE
    assert result.parts[0].now.confidence == 0.5
    return news.id


def test_a_candidate_is_not_a_sample_until_it_is_confirmed(
    watch: Watch, unsure: int, components: FakeComponents
) -> None:
    assert components.confirmed == []
    (part,) = watch.parts()
    seen = watch.confirm(unsure)
    assert (seen.number, seen.status, seen.confidence) == (3, Status.FOUND, 1.0)
    assert seen.items[0].title == "White tea"
    assert seen.html.startswith('<div id="news">')
    assert seen.has_picture
    assert components.confirmed == [{"news": ["News of the house\nWhite tea\nYellow tea"]}]
    assert watch.store.learned(part.page.id)[part.learned]["samples"] == 2
    assert watch.store.snapshot(part.page.id) is None
    with pytest.raises(WatchError, match="is not unsure"):
        watch.confirm(unsure)


def test_another_node_is_the_part(watch: Watch, unsure: int) -> None:
    assert watch.confirm(unsure, node="/html/body/div[3]").text == "Red tea"


@pytest.mark.parametrize(
    ("node", "complaint"),
    [
        ("/html/p", "'/html/p' selects nothing"),
        ("#hidden", "selects nothing that is seen"),
        ("/html/head/title", "selects nothing that is seen"),
        ("div", "'div' selects 4 elements"),
        ("div[", "is not understood"),
    ],
)
def test_a_node_is_one_that_is_seen(watch: Watch, unsure: int, node: str, complaint: str) -> None:
    with pytest.raises(NoSuchPart, match=complaint):
        watch.confirm(unsure, node=node)
    assert watch.confirm(unsure, node="#other").text == "Red tea"


def test_the_candidate_that_was_shown_is_confirmed(
    watch: Watch, unsure: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown = watch.observation(unsure)
    monkeypatch.setattr("pagesight.watch.looking.find", None)  # nobody looks for it again
    assert watch.confirm(unsure).xpath == shown.xpath


def test_an_answer_says_nothing_of_the_page_of_today(
    watch: Watch, unsure: int, tmp_path: Path, clock: FakeClock
) -> None:
    (tmp_path / "tea.html").write_text(WALL)
    failing = checked(watch).page
    assert failing.failing_since
    clock.sleep(60)
    watch.confirm(unsure)
    (page,) = watch.pages()
    assert (page.failures, page.error, page.failing_since) == (
        failing.failures, failing.error, failing.failing_since,
    )  # fmt: skip
    assert (page.checked, page.next_check) == (failing.checked, failing.next_check)


def test_a_part_that_is_gone_is_not_looked_for(watch: Watch, unsure: int, tmp_path: Path) -> None:
    assert watch.confirm(unsure, gone=True).status is Status.MISSING
    assert watch.part(unsure).state is PartState.GONE
    save(tmp_path)
    assert list(watch.check()) == []
    assert checked(watch, unsure).parts == ()


def test_a_part_that_is_gone_may_be_added_again(
    watch: Watch, unsure: int, components: FakeComponents
) -> None:
    watch.confirm(unsure, gone=True)
    components.status.clear()
    (again,) = watch.add(watch.part(unsure).page.address, select=["#news"])
    assert again.id != unsure
    assert [seen.part.id for seen in checked(watch).parts] == [again.id]


def test_a_page_is_kept_for_the_others(
    watch: Watch, tmp_path: Path, components: FakeComponents
) -> None:
    parts = watch.add(save(tmp_path))
    components.status |= {"news": "unsure", "weather": "unsure"}
    save(tmp_path, news=["White tea"], weather="Rain")
    checked(watch)
    for part in parts:
        assert watch.confirm(part.id).status is Status.FOUND


# Removing


def test_removing(watch: Watch, tmp_path: Path) -> None:
    news, weather = watch.add(save(tmp_path))
    with pytest.raises(PartNotFound):
        watch.remove([news.id, 999])
    assert len(watch.parts()) == 2
    watch.remove([news.id, weather.id])
    assert watch.pages() == ()
