"""`pagesight watch`, from the first page to a feed, as a person uses it."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from fake_components import FakeComponents, installed
from test_watch_notifying import service
from typer.testing import CliRunner

import pagesight
from pagesight.cli.app import app
from pagesight.watch import Watch
from serving import Answer, Website, website
from watch_kill import run as run_kills
from watched import NEWS, page, save

Draft202012Validator: Any = import_module("jsonschema").Draft202012Validator
EMBEDDED = ("--renderer", "embedded")


@pytest.fixture
def run(tmp_path: Path) -> Any:
    """`pagesight watch`, in this process, with a database in a file."""

    def run(command: str, *arguments: str | Path, status: int = 0) -> Any:
        given = ["watch", command, *map(str, arguments), "--database", str(tmp_path / "w.sqlite")]
        result = CliRunner().invoke(app, given, prog_name="pagesight")
        assert result.exit_code == status, result.output
        return result

    return run


@pytest.fixture
def components(monkeypatch: pytest.MonkeyPatch) -> FakeComponents:
    return installed(monkeypatch)


@pytest.fixture
def site() -> Iterator[Website]:
    with website({"/": page()}) as running:
        yield running


def lines(result: Any) -> list[dict[str, Any]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_from_the_first_look_to_the_feed(run: Any, site: Website) -> None:
    """With the components as they are: two parts, one of which changes."""
    added = lines(run("add", site(), "--part", "#news", "--part", "#weather", "--json", *EMBEDDED))
    assert [part["selector"] for part in added] == ["#news", "#weather"]
    assert [part["observation"]["status"] for part in added] == ["found", "found"]
    news = str(added[0]["id"])

    assert lines(run("check", "--json", *EMBEDDED))[0]["outcome"] == "unchanged"
    site.pages["/"] = page(["White tea arrives", *NEWS])
    checked = run("check", "--exit-status", "--delay", "0", *EMBEDDED, status=3)
    assert "1 new item" in checked.stdout
    assert "+ White tea arrives" in checked.stdout
    run("check", "--exit-status", "--delay", "0", *EMBEDDED)  # nothing new since then

    listed = run("list").stdout
    assert site() in listed
    assert "observation 2" in listed
    assert "+White tea arrives" in run("diff", news).stdout
    assert "<ins>" in run("diff", news, "--format", "html").stdout
    (changes,) = lines(run("diff", news, "1", "2", "--json"))
    assert [item["title"] for item in changes["new_items"]] == ["White tea arrives"]
    assert "first seen" in run("history", news).stdout
    assert [seen["number"] for seen in lines(run("history", news, "--json"))] == [1, 2]

    feed = ET.fromstring(run("export", news, "--format", "atom").stdout)
    assert feed[-3][1].text == "White tea arrives"
    items = json.loads(run("export", news, "--format", "jsonfeed").stdout)["items"]
    assert [item["title"] for item in items] == ["White tea arrives", *NEWS]

    run("remove", news)
    assert [part["selector"] for part in lines(run("list", "--json"))] == ["#weather"]


def test_the_part_at_a_point_is_watched(run: Any, tmp_path: Path) -> None:
    file = save(tmp_path)
    (news,) = (
        one for one in pagesight.read(file, renderer="embedded").page.find("div")
        if one.attributes["id"] == "news"
    )  # fmt: skip
    point = f"{news.box.x + 5:g},{news.box.y + 5:g}"
    (added,) = lines(run("add", file, "--at", point, "--name", "What is new", "--json", *EMBEDDED))
    assert (added["selector"], added["name"]) == (point, "What is new")
    assert "Green tea is here" in run("export").stdout

    save(tmp_path, weather="Rain all day long, with a cold wind from the north")
    assert lines(run("check", "--json", *EMBEDDED))[0]["parts"][0]["new"] is False
    save(tmp_path, news=["White tea arrives", *NEWS])
    assert "1 new item" in run("check", *EMBEDDED).stdout


def test_a_check_tells_what_it_wrote(run: Any, components: FakeComponents, tmp_path: Path) -> None:
    run("add", save(tmp_path), *EMBEDDED)
    save(tmp_path, news=["White tea", *NEWS])
    (checked,) = lines(run("check", "--json", *EMBEDDED))
    assert (checked["outcome"], checked["error"]) == ("changed", None)
    news, weather = checked["parts"]
    assert (news["new"], news["observation"], news["summary"]) == (True, 2, "1 new item")
    assert news["new_items"][0]["title"] == "White tea"
    assert (weather["new"], weather["observation"]) == (False, 1)


def test_a_page_that_fails(run: Any, components: FakeComponents, tmp_path: Path) -> None:
    run("add", save(tmp_path, "a.html"), *EMBEDDED)
    run("add", save(tmp_path, "b.html"), *EMBEDDED)
    (tmp_path / "a.html").unlink()
    save(tmp_path, "b.html", news=["White tea"])
    result = run("check", "--json", "--exit-status", *EMBEDDED, status=1)
    first, second = lines(result)
    assert first["error"] == {"kind": "source_not_found", "message": "there is no such file"}
    assert second["outcome"] == "changed"
    assert f"error: {tmp_path / 'a.html'}: there is no such file" in result.stderr
    assert "an old copy, since" in run("list").stdout


def test_confirming(run: Any, components: FakeComponents, tmp_path: Path) -> None:
    run("add", save(tmp_path), "--part", "#news", *EMBEDDED)
    components.status["news"] = "unsure"
    save(tmp_path, news=["White tea"])
    assert "may be another part" in run("check", *EMBEDDED).stdout
    assert "is this it? pagesight watch confirm 1" in run("list").stdout
    (confirmed,) = lines(run("confirm", "1", "--json"))
    assert confirmed["observation"]["status"] == "found"
    result = run("confirm", "1", "--gone", status=1)
    assert "part 1 is not unsure" in result.stderr
    run("confirm", "1", "--gone", "--node", "/html", status=2)


def test_messages(run: Any, components: FakeComponents, tmp_path: Path) -> None:
    run("add", save(tmp_path), "--part", "#news", *EMBEDDED)
    with service() as (url, messages):
        run("check", "--notify", url, *EMBEDDED)
        assert messages == []
        save(tmp_path, news=["White tea", *NEWS])
        run("check", "--notify", url, *EMBEDDED)
        assert "White tea" in messages[0]["message"]
    save(tmp_path)
    result = run("check", "--notify", "syslog://", *EMBEDDED, status=1)
    assert "messages are not sent by syslog:" in result.stderr
    assert len(lines(run("history", "1", "--json"))) == 2  # nothing was checked


def test_a_message_that_is_not_taken_is_an_error(
    run: Any, components: FakeComponents, tmp_path: Path
) -> None:
    run("add", save(tmp_path), "--part", "#news", *EMBEDDED)
    save(tmp_path, news=["White tea", *NEWS])
    with service(500) as (url, _):
        result = run("check", "--notify", url, *EMBEDDED, status=1)
    assert "a message could not be sent" in result.stderr
    assert len(lines(run("history", "1", "--json"))) == 2


def test_everything_that_is_known_as_json(
    run: Any, components: FakeComponents, tmp_path: Path
) -> None:
    run("add", save(tmp_path), *EMBEDDED)
    news, _weather = lines(run("export"))
    assert news["observations"][0]["picture"].startswith("iVBOR")
    run("export", "-o", tmp_path / "all.jsonl")
    assert len((tmp_path / "all.jsonl").read_text().splitlines()) == 2
    run("export", "-o", tmp_path / "all.jsonl", status=2)
    run("export", "--format", "atom", status=2)  # a feed is about one part
    run("export", "--format", "atom", "-o", tmp_path / "feeds")
    assert {path.name for path in (tmp_path / "feeds").iterdir()} == {
        "1-news.atom", "2-weather.atom",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "status", "complaint"),
    [
        (("add", "no-such.html"), 1, "there is no such file"),
        (("add", "tea.html", "--at", "here"), 2, "'here' is not a point such as 640,300"),
        (("add", "tea.html", "--at", "nan,inf"), 2, "'nan,inf' is not a point"),
        (("add", "tea.html", "--at=-1,5"), 2, "'-1,5' is not a point"),
        (("diff", "7"), 1, "there is no part 7"),
        (("history", "x"), 2, "'x' is not a whole number of at least 1"),
        (("remove",), 2, "Missing argument"),
        (("check", "7"), 1, "there is no part 7"),
        (("check", "--delay", "x"), 2, "not a number of seconds"),
    ],
)
def test_wrong_use(run: Any, arguments: tuple[str, ...], status: int, complaint: str) -> None:
    assert complaint in run(*arguments, status=status).stderr


def test_nothing_is_watched_yet(run: Any) -> None:
    assert "nothing is watched yet" in run("list").stderr
    assert run("list", "--json").stdout == ""
    assert run("check", "--json").stdout == ""


def test_without_a_command_there_is_help() -> None:
    result = CliRunner().invoke(app, ["watch"], prog_name="pagesight")
    assert result.exit_code == 0
    for command in ("add", "list", "check", "diff", "history", "export", "remove", "confirm"):
        assert f"\n  {command} " in result.output
    assert "pagesight watch add https://" in result.output


def test_without_the_extra(tmp_path: Path) -> None:
    program = """
import sys
sys.modules["sqlalchemy"] = None
sys.argv = ["pagesight", "watch", "list"]
from pagesight.cli import main
main()"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stderr == (
        "error: sqlalchemy is not installed\n  hint: pip install 'pagesight[watch]'\n"
    )


def test_a_server_is_asked_politely(run: Any, components: FakeComponents, site: Website) -> None:
    site.pages["/"] = Answer(page().encode(), headers={"Last-Modified": "Sun, 01 Nov 2026"})
    run("add", site(), "--part", "#news", *EMBEDDED)
    run("check", *EMBEDDED)
    assert site.asked == ["/robots.txt", "/", "/"]
    assert site.unmodified == ["/"]


@pytest.mark.live
def test_a_page_that_a_script_fills(run: Any, site: Website) -> None:
    filled = page([]).replace(
        "</body>",
        "<script>document.querySelector('#news ul').innerHTML ="
        " '<li><a href=/a>Green tea is here</a></li><li><a href=/b>Black tea is not</a></li>'"
        "</script></body>",
    )
    site.pages["/"] = filled
    (added,) = lines(run("add", site(), "--part", "#news", "--json", "--renderer", "chromium"))
    seen = added["observation"]
    assert [item["title"] for item in seen["items"]] == ["Green tea is here", "Black tea is not"]
    assert f'<a href="{site("/a")}">Green tea is here</a>' in seen["html"]
    assert seen["has_picture"]


# Several processes, and none that ends in order


def test_two_checks_at_the_same_time(database: str, tmp_path: Path) -> None:
    files = [save(tmp_path, f"{number}.html") for number in range(4)]
    with Watch.open(database, renderer="embedded") as watch:
        for file in files:
            watch.add(file, select=["#news"])
    for number in range(4):
        save(tmp_path, f"{number}.html", news=["White tea", *NEWS])
    command = [sys.executable, "-m", "pagesight", "watch", "check", "--json", *EMBEDDED,
               "--database", database]  # fmt: skip
    printed: list[bytes] = []

    def check() -> None:
        printed.append(subprocess.run(command, capture_output=True, check=True).stdout)

    threads = [threading.Thread(target=check) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    told = [json.loads(line) for output in printed for line in output.splitlines()]
    assert len(told) == 8
    assert sum(line["outcome"] == "changed" for line in told) == 4  # each change once
    with Watch.open(database) as watch:
        for part in watch.parts():
            assert [seen.number for seen in watch.history(part.id)] == [1, 2]


@pytest.mark.skipif(sys.platform == "win32", reason="signals are those of POSIX")
def test_nothing_is_lost_or_repeated_by_a_kill(database: str, tmp_path: Path) -> None:
    outcome = run_kills(tmp_path, database, pages=4, kills=3)
    assert outcome.while_running > 0
    assert (outcome.lost, outcome.twice) == (0, 0)
    assert outcome.acknowledged >= 4
    assert outcome.is_flawless


def test_what_is_printed_is_as_the_schema_says(run: Any, tmp_path: Path) -> None:
    path = save(tmp_path)
    (added,) = lines(run("add", path, "--part", "#news", "--json", *EMBEDDED))
    save(tmp_path, news=[*NEWS, "White tea"])
    printed = {
        "watchedPart": [added, *lines(run("list", "--json"))],
        "checkedPage": lines(run("check", "--json", *EMBEDDED)),
        "partChanges": lines(run("diff", "1", "--json")),
        "observation": lines(run("history", "1", "--json")),
    }
    schema = json.loads((files("pagesight.output") / "schema.json").read_text("utf-8"))
    for name, values in printed.items():
        one = Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]})
        for value in values:
            assert [error.message for error in one.iter_errors(value)] == [], name
            assert Draft202012Validator(schema).is_valid(value)
