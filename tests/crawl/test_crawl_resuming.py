"""A crawl that is ended anywhere goes on there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from websites import AMPLE, FakeClock, crawled, page

from pagesight.crawl import Crawl, CrawlOptions, Outcome, Visit
from pagesight.crawl.crawling import is_begun
from pagesight.errors import SaveFailed
from pagesight.learning.corpora import rows
from serving import Website, website

SHEETS = '<link rel=stylesheet href="/a.css"><link rel=stylesheet href="/b.css">'


@pytest.fixture
def site() -> Iterator[Website]:
    pages = {f"/{n}": page(f"/{2 * n}", f"/{2 * n + 1}", title=str(n), head=SHEETS)
             for n in range(1, 8)}  # fmt: skip
    gaps = {f"/{n}": page(title=str(n), body="<h1>A</h1><h3>B</h3>") for n in range(8, 12)}
    with website({**pages, **gaps, "/a.css": "@import 'c.css';", "/c.css": "p{}"}) as running:
        yield running


class Ended(BaseException):
    """As an interrupt, which nothing may catch."""


class Mortal(FakeClock):
    """Ends the crawl instead of waiting for the n-th time: between any two requests."""

    def __init__(self, lives: int) -> None:
        super().__init__()
        self.lives = lives

    def sleep(self, seconds: float, /) -> None:
        if len(self.slept) == self.lives:
            raise Ended
        super().sleep(seconds)


def test_nothing_is_fetched_twice_wherever_it_ends(tmp_path: Path, site: Website) -> None:
    crawled(tmp_path / "whole", site("/1"), per_site=20)
    whole, site.asked = site.asked, []
    for lives in range(len(whole) - 1):
        folder = tmp_path / str(lives)
        with pytest.raises(Ended):
            crawled(folder, site("/1"), per_site=20, clock=Mortal(lives))
        rows(folder / "outlines")  # can be used as it is
        crawled(folder, per_site=20)
        assert site.asked == whole
        assert contents(folder) == contents(tmp_path / "whole")
        site.asked.clear()


def contents(folder: Path) -> dict[str, bytes]:
    """The corpus, and the visits of the journal."""
    files = {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != "crawl.jsonl"
    }
    journal = (folder / "outlines/crawl.jsonl").read_text().splitlines()
    return {**files, "visits": "\n".join(line for line in journal if "visit" in line).encode()}


def test_a_torn_journal(tmp_path: Path, site: Website) -> None:
    crawled(tmp_path, site("/1"), pages=3)
    for name in ("crawl.jsonl", "dev.jsonl"):
        with (tmp_path / "outlines" / name).open("ab") as file:
            file.write(b'{"visit": {"url": "htt')
    before = len(site.asked)
    visits = crawled(tmp_path, site("/1"), pages=4)
    assert [visit.url for visit in visits] == [site("/4")]
    assert len(rows(tmp_path / "outlines")) == 4
    assert site.asked[before:] == ["/4"]


def test_going_on_with_more(tmp_path: Path, site: Website) -> None:
    assert len(crawled(tmp_path, site("/1"), pages=2)) == 2
    assert crawled(tmp_path, pages=2) == []
    assert [v.url for v in crawled(tmp_path, site("/2"), pages=3)] == [site("/3")]
    with website({"/": page(title="other")}) as other:
        urls = [v.url for v in crawled(tmp_path, other(), per_site=4)]
        assert urls == [site("/4"), other()]  # what waits comes first


def test_kept_pages_are_counted_over_all_runs(tmp_path: Path, site: Website) -> None:
    assert not is_begun(tmp_path)
    crawled(tmp_path, site("/1"), pages=2)
    assert is_begun(tmp_path)
    with Crawl(tmp_path, CrawlOptions(limits=AMPLE), clock=FakeClock()) as crawl:
        assert crawl.kept == 2
        assert [visit.url for visit in crawl.visits] == [site("/1"), site("/2")]


def test_old_rules_are_asked_for_again(tmp_path: Path, site: Website) -> None:
    crawled(tmp_path, site("/1"), pages=1)
    crawled(tmp_path, pages=2, clock=FakeClock(now=1000.0 + 3600))
    assert site.asked.count("/robots.txt") == 1
    crawled(tmp_path, pages=3, clock=FakeClock(now=1000.0 + 25 * 3600))
    assert site.asked.count("/robots.txt") == 2


def test_a_corpus_of_somebody_else_is_not_touched(tmp_path: Path) -> None:
    (tmp_path / "outlines").mkdir()
    (tmp_path / "outlines/dev.jsonl").write_text('{"file": "a.html"}\n')
    with pytest.raises(SaveFailed, match="not from pagesight crawl"):
        Crawl(tmp_path)
    assert [path.name for path in (tmp_path / "outlines").iterdir()] == ["dev.jsonl"]


def test_a_journal_that_is_none(tmp_path: Path) -> None:
    (tmp_path / "outlines").mkdir()
    (tmp_path / "outlines/crawl.jsonl").write_text("good morning\n")
    with pytest.raises(SaveFailed, match="not a list"):
        Crawl(tmp_path)


def test_a_folder_that_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SaveFailed, match="cannot be written"):
        Crawl(tmp_path / "file")


def test_a_disk_that_does_not_take_more(
    tmp_path: Path, site: Website, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pagesight.crawl.crawling.write_whole", full)
    with pytest.raises(SaveFailed, match="No space left"):
        crawled(tmp_path, site("/1"))


def test_visits_as_lines() -> None:
    visit = Visit(url="http://a/", outcome=Outcome.KEPT, final="http://b/", links=("http://c/",))
    assert Visit.of(json.loads(json.dumps(visit.fields()))) == visit
