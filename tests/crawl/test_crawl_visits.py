"""What is asked for, in which order, and what is not."""

from __future__ import annotations

from pathlib import Path

import pytest
from websites import FakeClock, crawled, page

from pagesight.crawl import Outcome, statistics, table_lines
from pagesight.sources import Limits
from serving import Answer, nobody, website


def test_breadth_first(tmp_path: Path) -> None:
    pages = {
        "/": page("/a", "/b", title="0"),
        "/a": page("/c", title="a"),
        "/b": page("/d", "/a", title="b"),
        "/c": page("/e", title="c"),
        "/d": page(title="d"),
        "/e": page(title="e"),
    }
    with website(pages) as site:
        visits = crawled(tmp_path, site(), per_site=10)
        assert site.asked == ["/robots.txt", "/", "/a", "/b", "/c", "/d", "/e"]
    assert [visit.outcome for visit in visits] == [Outcome.KEPT] * 6


def test_starts_come_first_in_their_order(tmp_path: Path) -> None:
    with website() as one, website() as other:
        one.pages |= {"/": page("/a", title="1"), "/a": page(title="1a")}
        other.pages |= {"/": page("/b", title="2"), "/b": page(title="2b")}
        visits = crawled(tmp_path, one(), other())
        assert [visit.url for visit in visits] == [one(), other(), one("/a"), other("/b")]


def test_limits_of_links_sites_pages_and_addresses(tmp_path: Path) -> None:
    pages = {f"/{n}": page(*(f"/{m}" for m in range(30)), title=str(n)) for n in range(30)}
    with website(pages) as site:
        assert len(crawled(tmp_path / "a", site("/0"), links=3, per_site=99)) == 4
        assert len(crawled(tmp_path / "b", site("/0"))) == 7  # of one site, as published
        assert len(crawled(tmp_path / "c", site("/0"), per_site=2)) == 2
        assert len(crawled(tmp_path / "d", site("/0"), per_site=99, pages=5)) == 5
        assert len(crawled(tmp_path / "e", site("/0"), per_site=99, addresses=6)) == 6


def test_robots(tmp_path: Path) -> None:
    rules = "User-agent: *\nDisallow: /\n\nUser-agent: pagesight\nDisallow: /secret*\nAllow: /"
    pages: dict[str, Answer | bytes | str] = {
        "/robots.txt": Answer(rules.encode(), "text/plain"),
        "/": page("/secret/tea", "/b", head='<link rel=stylesheet href="/secret.css">'),
        "/b": page(title="b"),
        "/secret/tea": page(title="secret"),
    }
    with website(pages) as site:
        visits = crawled(tmp_path, site())
        assert site.asked == ["/robots.txt", "/", "/b"]
        assert all("Pagesight" in agent for agent in site.agents)
    assert [visit.outcome for visit in visits] == [Outcome.KEPT, Outcome.FORBIDDEN, Outcome.KEPT]
    assert visits[1].error is not None
    assert visits[1].error["kind"] == "forbidden"


@pytest.mark.parametrize(
    ("robots", "outcome"),
    [
        (Answer(status=404), Outcome.KEPT),
        (Answer(b"<p>no such page", status=200), Outcome.KEPT),
        (Answer(b"\xff\xfe\x00User-agent"), Outcome.KEPT),
        (Answer(status=500), Outcome.FAILED),
        (Answer(status=403), Outcome.FAILED),
        (Answer(redirect="/robots.txt"), Outcome.FAILED),
        (Answer(b"User-agent: *\nCrawl-delay: 100000"), Outcome.FORBIDDEN),
    ],
)
def test_robots_that_are_not_to_be_had(tmp_path: Path, robots: Answer, outcome: Outcome) -> None:
    with website({"/robots.txt": robots, "/": page()}) as site:
        assert [visit.outcome for visit in crawled(tmp_path, site())] == [outcome]
        assert ("/" in site.asked) == (outcome is Outcome.KEPT)


def test_redirects_lead_nowhere_that_robots_must_not_go(tmp_path: Path) -> None:
    with website() as site, website() as other:
        site.pages |= {"/": Answer(redirect=other("/private"))}
        other.pages |= {"/private": page(), "/robots.txt": "User-agent: *\nDisallow: /private"}
        (visit,) = crawled(tmp_path, site())
        assert other.asked == ["/robots.txt"]
    assert visit.outcome is Outcome.FORBIDDEN
    assert visit.final == other("/private")


def test_files_lead_nowhere_that_robots_must_not_go(tmp_path: Path) -> None:
    with website() as site, website() as other:
        head = '<link rel=stylesheet href="/a.css">'
        site.pages |= {"/": page(head=head), "/a.css": Answer(redirect=other("/b.css"))}
        other.pages |= {"/b.css": "p{}", "/robots.txt": "User-agent: *\nDisallow: /"}
        assert crawled(tmp_path, site())[0].outcome is Outcome.KEPT
        assert other.asked == ["/robots.txt"]


def test_time_between_requests(tmp_path: Path) -> None:
    clock = FakeClock()
    with website() as quick, website() as slow:
        slow.pages |= {
            "/robots.txt": "User-agent: *\nCrawl-delay: 7",
            "/": page("/a", title="slow"),
            "/a": page(title="a"),
        }
        quick.pages |= {"/": page("/b", title="quick"), "/b": page(title="b")}
        crawled(tmp_path, slow(), quick(), clock=clock, delay=2)
    # 7 s after robots.txt, 2 s after the other one's, 5 s until 7 s are over; 2 s are over by then.
    assert clock.slept == [7, 2, 5]


def test_files_wait_for_their_turn_as_well(tmp_path: Path) -> None:
    clock = FakeClock()
    head = '<link rel=stylesheet href="a.css"><link rel=stylesheet href="b.css">'
    with website({"/": page(head=head), "/a.css": "p{}", "/b.css": "p{}"}) as site:
        crawled(tmp_path, site(), clock=clock, delay=3)
        assert site.asked == ["/robots.txt", "/", "/a.css", "/b.css"]
    assert clock.slept == [3, 3, 3]


def test_no_page_is_visited_twice(tmp_path: Path) -> None:
    links = ("/a", "/a/", "/a#x", "/a?", "http://nowhere.invalid:1x/", "/copy", "/moved", "/")
    with website() as site:
        site.pages |= {
            "/": page(*links, title="0"),
            "/a": page(title="a"),
            "/copy": page(title="a"),
            "/moved": Answer(redirect="/a"),
        }
        visits = crawled(tmp_path, site())
        assert site.asked == ["/robots.txt", "/", "/a", "/copy", "/moved", "/a"]
    outcomes = [visit.outcome for visit in visits]
    assert outcomes == [Outcome.KEPT, Outcome.KEPT, Outcome.DUPLICATE, Outcome.DUPLICATE]


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (Answer(status=404), "source_not_found"),
        (Answer(status=503), "fetch_failed"),
        (Answer(redirect="/"), "too_many_redirects"),
        (Answer(redirect="ftp://tea.example/"), "fetch_failed"),
        (Answer(b"\x89PNG\r\n\x1a\n", "image/png"), "not_a_page"),
        (Answer(b"%PDF-1.4", "application/pdf"), "not_a_page"),
        (Answer(b'{"a": 1}', "application/json"), "not_a_page"),
        (Answer(b""), "not_a_page"),
        (Answer(b"<p>" + b"a" * 5000), "source_too_large"),
        (Answer(delay=600), "fetch_timeout"),
    ],
)
def test_failures_have_a_kind_and_others_go_on(tmp_path: Path, answer: Answer, kind: str) -> None:
    limits = Limits(max_size=4000, read_timeout=2, total_timeout=30)
    with website({"/": answer}) as site, website({"/": page()}) as other:
        visits = crawled(tmp_path, site(), other(), limits=limits)
    assert [visit.outcome for visit in visits] == [Outcome.FAILED, Outcome.KEPT]
    assert visits[0].error is not None
    assert visits[0].error["kind"] == kind
    assert visits[0].error["message"]


def test_servers_that_are_not_there(tmp_path: Path) -> None:
    visits = crawled(tmp_path, nobody(), "http://no-such-server.invalid/")
    assert [visit.outcome for visit in visits] == [Outcome.FAILED] * 2
    assert all(visit.error and visit.error["kind"] == "fetch_failed" for visit in visits)


def test_which_pages_are_kept(tmp_path: Path) -> None:
    with website() as site:
        site.pages |= {
            "/": page("/gap", "/flat", "/bad", "/low", title="0"),
            "/gap": page(title="gap", body="<h1>A</h1><h3>B</h3>"),
            "/flat": page(title="flat", body="<h1>A</h1>"),
            "/bad": page(title="bad", body="<b><h1>A</b></h1><h2>B</h2>"),
            "/low": page(title="low", body="<h3>B</h3><h2>A</h2>"),
        }
        visits = crawled(tmp_path / "a", site())
        strict = crawled(tmp_path / "b", site(), strict=True)
        xhtml = crawled(tmp_path / "c", site(), xhtml=True)
    assert [visit.outcome.value for visit in visits] == [
        "kept",
        "incoherent",
        "incoherent",
        "malformed",
        "kept",
    ]
    assert strict[-1].outcome is Outcome.INCOHERENT
    assert {visit.outcome for visit in xhtml} == {Outcome.MALFORMED}


def test_the_table(tmp_path: Path) -> None:
    sheets = "<link rel=stylesheet href=a.css><style>p{}</style>"
    with website() as site:
        site.pages |= {
            "/": page("/gap", "/bad", "/none", title="0", head=sheets),
            "/gap": page(title="gap", body="<h2>A</h2><h4>B</h4><h5>B</h5>"),
            "/bad": page(title="bad", body="<b>"),
        }
        visits = crawled(tmp_path, site())
    assert statistics(visits) == {
        "pages explored": 3,
        "share of well-formed pages": pytest.approx(2 / 3),
        "stylesheets of a well-formed page": 1,
        "heading levels of a well-formed page": 2.5,
        "share with coherent headings": 0.5,
        "share with h1": 0.5,
        "share with h2": 1,
        "share with h3": 0,
        "share with h4": 0.5,
        "share with h5": 0.5,
        "share with h6": 0,
    }
    assert table_lines(visits)[0].split() == ["pages", "explored", "3"]
    assert table_lines([])


def test_a_mistake_of_ours_costs_one_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> str:
        raise ZeroDivisionError("oh")

    with website({"/": page()}) as site:
        monkeypatch.setattr("pagesight.crawl.crawling.heading_levels", broken)
        (visit,) = crawled(tmp_path, site())
    assert visit.error is not None
    assert visit.error["kind"] == "unexpected_error"
