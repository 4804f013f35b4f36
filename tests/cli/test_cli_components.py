"""`pagesight components`: an index from some snapshots, used on others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from running import lines, run
from test_cli_schema import complaints

NEWS = "<div id=news><h2>News</h2><ul><li><a href=/n/1>{}</a></li><li>A ferry sails</li></ul></div>"
SHOP = "<div id=shop><h2>Shop</h2><p>Maps of the island, <a href=/shop/maps>all maps</a></p></div>"
LAID_OUT = ("--renderer", "embedded")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, story in (("monday", "A bridge opens"), ("tuesday", "A school closes")):
        page = f"<title>Isle</title><h1>Isle</h1>{NEWS.format(story)}{SHOP}<p>Imprint</p>"
        (tmp_path / f"{name}.html").write_text(page)
    (tmp_path / "closed.html").write_text("<title>Isle</title><p>We are closed this week.</p>")
    return tmp_path


def learned(folder: Path, *arguments: str) -> Path:
    done = run("components", "learn", *LAID_OUT, *arguments, "-o", "index.json", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "index.json"


def test_an_index_of_selected_parts(folder: Path) -> None:
    index = json.loads(
        learned(folder, "monday.html", "--select", "#news", "--select", "//div[2]").read_text()
    )
    assert [part["name"] for part in index["components"]] == ["News", "Shop"]
    assert [part["select"] for part in index["components"]] == ["#news", "//div[2]"]
    assert index["source"] == "monday.html"


def test_parts_are_found_on_other_snapshots(folder: Path) -> None:
    learned(folder, "monday.html", "--select", "#news", "--select", "#shop")
    done = run("components", "find", "index.json", "--json", *LAID_OUT, "tuesday.html",
               "closed.html", "no-such.html", cwd=folder)  # fmt: skip
    tuesday, closed, failed = lines(done.stdout)
    assert done.returncode == 1
    assert complaints(tuesday, "components") == complaints(closed, "components") == []
    assert complaints(failed, "failure") == []
    news, shop = tuesday["components"]
    assert (news["status"], news["changes"]) == ("changed", ["content"])
    assert (shop["status"], shop["xpath"]) == ("found", "/html/body/div[2]")
    assert [part["status"] for part in closed["components"]] == ["missing", "missing"]


def test_one_selector_may_stand_for_several_elements(folder: Path) -> None:
    learned(folder, "monday.html", "--select", "div")
    done = run("components", "find", "index.json", "--json", *LAID_OUT, "monday.html", cwd=folder)
    (monday,) = lines(done.stdout)
    parts = monday["components"]
    assert [part["select"] for part in parts] == ["div"] * len(parts)
    assert len({part["id"] for part in parts}) == len({part["xpath"] for part in parts}) > 1
    assert {part["status"] for part in parts} == {"found"}


def test_what_became_of_parts_is_shown(folder: Path) -> None:
    learned(folder, "monday.html", "tuesday.html", "--at", "20,100")
    done = run("components", "find", "index.json", *LAID_OUT, "tuesday.html", cwd=folder)
    shown = done.stdout.decode().splitlines()
    assert shown[:2] == ["Isle", "tuesday.html"]
    assert shown[2].startswith("found ")


def test_the_published_method(folder: Path) -> None:
    learned(folder, "monday.html", "--method", "seed", "--select", "#shop")
    done = run("components", "find", "index.json", "--json", *LAID_OUT, "tuesday.html", cwd=folder)
    (tuesday,) = lines(done.stdout)
    assert complaints(tuesday, "components") == []
    (shop,) = tuesday["components"]
    assert [shop[name] for name in ("id", "select", "name", "status")] == [
        "shop", "#shop", "Shop", "found"
    ]  # fmt: skip


def test_by_the_published_method_a_page_without_content_has_no_parts(folder: Path) -> None:
    (folder / "empty.html").write_text("<title>Isle</title><body></body>")
    learned(folder, "monday.html", "--method", "seed")
    done = run("components", "find", "index.json", "--json", *LAID_OUT, "empty.html", cwd=folder)
    (empty,) = lines(done.stdout)
    assert {part["status"] for part in empty["components"]} == {"missing"}


def test_an_index_goes_to_standard_output_if_nothing_else_is_said(folder: Path) -> None:
    done = run("components", "learn", *LAID_OUT, "monday.html", "--select", "#shop", cwd=folder)
    assert json.loads(done.stdout)["components"][0]["id"] == "shop"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("learn", "monday.html", "--at", "here"), "is not a point"),
        (("learn", "monday.html", "--select", "#none"), "selects nothing"),
        (("learn", "monday.html", "--select", "p:hover"), "not understood"),
        (("learn",), "no source given"),
        (("find", "no-index.json", "monday.html"), "cannot be read"),
        (("find", "monday.html", "monday.html"), "not an index of components"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_said(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    done = run("components", *arguments, *LAID_OUT, cwd=folder)
    assert done.returncode in (1, 2)
    assert said in done.stderr.decode()
    assert b"Traceback" not in done.stderr


def test_an_index_is_not_overwritten_unless_that_is_asked_for(folder: Path) -> None:
    learned(folder, "monday.html", "--select", "#shop")
    arguments = ("components", "learn", *LAID_OUT, "monday.html", "-o", "index.json")
    assert run(*arguments, cwd=folder).returncode == 1
    assert run(*arguments, "--overwrite", cwd=folder).returncode == 0


def test_without_a_command_there_is_help() -> None:
    shown = run("components").stdout.decode()
    assert "learn" in shown
    assert "find" in shown
