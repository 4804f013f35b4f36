"""`pagesight crawl`, as a user runs it."""

from __future__ import annotations

import contextlib
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from websites import page

from pagesight.crawl import CrawlOptions
from pagesight.learning.corpora import Corpora, rows
from pagesight.readers.outline.learning.corpus import load_examples
from serving import Answer, Website, website

PROGRAM = (sys.executable, "-W", "error", "-m", "pagesight", "crawl", "--delay", "0")


def run(*arguments: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*PROGRAM, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        check=False,
        encoding="utf-8",
        timeout=120,
    )


def small_site(site: Website) -> None:
    site.pages |= {
        "/": page("/a", "/gone", title="0", head='<link rel=stylesheet href="/s.css">'),
        "/a": page(title="a", body="<h1>A</h1><h3>B</h3>"),
        "/s.css": "p{}",
    }


def test_the_table_is_printed(tmp_path: Path) -> None:
    with website() as site:
        small_site(site)
        done = run(site(), "-o", tmp_path / "c")
        assert done.returncode == 0
        assert done.stdout.splitlines() == [
            "pages explored                               2",
            "share of well-formed pages                1.00",
            "stylesheets of a well-formed page         0.50",
            "heading levels of a well-formed page      2.00",
            "share with coherent headings              0.50",
            "share with h1                             1.00",
            "share with h2                             0.50",
            "share with h3                             0.50",
            "share with h4                             0.00",
            "share with h5                             0.00",
            "share with h6                             0.00",
        ]
        assert "1 address failed, listed in" in done.stderr
        assert f"1 page kept; to learn: pagesight train outline --corpora {tmp_path / 'c'}" in (
            done.stderr.replace("\n", " ")
        )
        (row,) = rows(tmp_path / "c/outlines")
        assert row["url"] == site()


def test_json(tmp_path: Path) -> None:
    with website() as site:
        small_site(site)
        done = run("--json", site(), "-o", tmp_path)
        *visits, table = map(json.loads, done.stdout.splitlines())
        assert [visit["outcome"] for visit in visits] == ["kept", "incoherent", "failed"]
        assert visits[2]["error"]["kind"] == "source_not_found"
        assert table["table"]["pages explored"] == 2


def test_lists_of_addresses(tmp_path: Path) -> None:
    with website({"/a": page(title="a"), "/b": page(title="b")}) as site:
        listed = f"# tea\n\n{site('/a')}\n  {site('/b')} \n"
        (tmp_path / "list.txt").write_text(listed)
        assert run("--from", tmp_path / "list.txt", "-o", tmp_path / "1").returncode == 0
        assert run("--from", "-", "-o", tmp_path / "2", stdin=listed).returncode == 0
        assert site.asked == ["/robots.txt", "/a", "/b"] * 2


def test_a_bad_line_of_a_list_costs_that_line_only(tmp_path: Path) -> None:
    with website({"/a": page(title="a"), "/b": page(title="b")}) as site:
        path = tmp_path / "list.txt"
        path.write_text(f'{{"source": 1}}\n{site("/a")}\ntea.html\n{{"source": "{site("/b")}"}}\n')
        done = run("--from", path, "-o", tmp_path / "corpora")
        assert site.asked == ["/robots.txt", "/a", "/b"]
    assert done.returncode == 1
    assert f'error: {path}:1: "source" is not a text\n' in done.stderr
    assert f"error: {path}:3: this line is not an address with http:// or https://" in done.stderr
    assert len(rows(tmp_path / "corpora/outlines")) == 2


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ((), "no address to begin with"),
        (("tea.example",), "'tea.example' is not an address"),
        (("ftp://tea.example/",), "is not an address"),
        (("--from", "no-such-list.txt"), "no-such-list.txt: there is no such file"),
        (("--pages", "0", "http://tea.example/"), "'0' is not a whole number of at least 1"),
        (("--delay", "inf", "http://tea.example/"), "'inf' is not a number of seconds"),
    ],
)
def test_wrong_use(tmp_path: Path, arguments: tuple[str, ...], complaint: str) -> None:
    done = run(*arguments, "-o", tmp_path / "corpora")
    assert done.returncode == 2
    assert complaint in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["pages", "addresses", "links", "per_site", "delay"])
def test_the_help_tells_what_is_not_given(name: str) -> None:
    option = f"--{name.replace('_', '-')}"
    text = " ".join(run("--help").stdout.split())
    told = re.search(rf"{option} [^:]*: (\d+) if not given", text)
    assert told
    assert float(told[1]) == getattr(CrawlOptions(), name)


def test_nothing_kept_is_a_failure(tmp_path: Path) -> None:
    with website() as site:
        done = run(site(), "-o", tmp_path)
    assert done.returncode == 1
    assert "no page was kept" in done.stderr


def test_a_corpus_of_somebody_else(tmp_path: Path) -> None:
    (tmp_path / "outlines").mkdir()
    (tmp_path / "outlines/dev.jsonl").write_text("{}\n")
    done = run("http://tea.example/", "-o", tmp_path)
    assert done.returncode == 1
    assert "not from pagesight crawl" in done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
@pytest.mark.parametrize(
    ("sent", "status"),
    [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGKILL, -signal.SIGKILL)],
)
def test_ended_while_a_server_is_silent(tmp_path: Path, sent: signal.Signals, status: int) -> None:
    with website() as site:
        site.pages |= {"/": page("/slow", title="0"), "/slow": Answer(delay=600)}
        command = [*PROGRAM, site(), "-o", str(tmp_path)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.monotonic() + 60
        while "/slow" not in site.asked and time.monotonic() < deadline:
            time.sleep(0.02)
        process.send_signal(sent)
        with contextlib.closing(process.stdout), contextlib.closing(process.stderr):  # type: ignore[type-var]
            _, messages = process.communicate(timeout=25)  # less than the time for the page
        assert process.returncode == status
        assert b"Traceback" not in messages
        assert len(rows(tmp_path / "outlines")) == 1
        site.pages["/slow"] = page(title="slow")
        assert run("-o", tmp_path).returncode == 0
        assert site.asked == ["/robots.txt", "/", "/slow", "/slow"]
    assert len(rows(tmp_path / "outlines")) == 2


def test_the_corpus_can_be_learned_from(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Training and evaluation take the folder as it is, with its stylesheets."""
    monkeypatch.setenv("PAGESIGHT_CACHE", str(tmp_path / "cache"))
    part = "<h2>Part {}</h2><p>Leaves in hot water.</p>"
    with contextlib.ExitStack() as stack:
        sites = [stack.enter_context(website()) for _ in range(2)]
        for number, site in enumerate(sites):
            body = f"<h1>Tea {number}</h1>" + "".join(map(part.format, range(4)))
            head = '<link rel="stylesheet" href="a.css">'
            site.pages |= {
                "/": page(title="T", head=head, body=body),
                "/a.css": "h2{font-size:40px}",
            }
        assert run(*(site() for site in sites), "-o", tmp_path / "corpora").returncode == 0
    examples = load_examples(Corpora(tmp_path / "corpora", "embedded"))
    assert len({example.page.family for example in examples}) == 2
    for example in examples:
        blocks = example.page.blocks
        assert example.page.block_levels.tolist()[-9:] == [2, 1, 0, 1, 0, 1, 0, 1, 0]
        assert blocks.style("font_size")[-2] == 40
