from __future__ import annotations

from pathlib import Path

import pytest
from running import EXAMPLES, lines, run, small_page

PRODUCT = EXAMPLES / "product" / "index.html"


@pytest.fixture
def tea(tmp_path: Path) -> Path:
    """A saved Page: no renderer is needed."""
    path = tmp_path / "tea.pagesight"
    small_page().save(path)
    return path


def test_a_line_for_each_block(tea: Path) -> None:
    done = run("zones", tea)
    assert done.returncode == 0
    title, source, *blocks = done.stdout.decode().splitlines()
    assert (title, source) == ("Tea", str(tea))
    assert "Green tea" in blocks[0]
    assert "%" in blocks[0]


def test_a_text_that_is_cut_off_says_so(tmp_path: Path) -> None:
    for length in (200, 201):
        small_page("Tea", "t" * length).save(path := tmp_path / f"{length}.pagesight")
        shown = run("zones", path).stdout.decode().splitlines()[2].split()[-1]
        assert shown == ("t" * 200 if length == 200 else "t" * 199 + "…")


def test_json_has_the_tree_and_the_blocks(tea: Path) -> None:
    (fields,) = lines(run("zones", "--json", tea).stdout)
    assert fields["source"] == str(tea)
    assert set(fields["tree"]) >= {"id", "box", "xpath", "children"}
    assert [zone["text"] for zone in fields["zones"]] == ["Green tea"]


@pytest.mark.parametrize("tree", ["xycut", "vips"])
def test_raw_trees(tea: Path, tree: str) -> None:
    (fields,) = lines(run("zones", "--json", "--tree", tree, tea).stdout)
    assert set(fields["tree"]) >= {"id", "box", "xpath", "children"}
    assert [zone["text"] for zone in fields["zones"]] == ["Green tea"]
    assert "Green tea" in run("zones", "--tree", tree, tea).stdout.decode()


@pytest.mark.browser
def test_granularity(tmp_path: Path) -> None:
    saved = tmp_path / "pages"
    assert run("render", "-o", saved, PRODUCT).returncode == 0
    (page,) = saved.glob("*.pagesight")
    sizes = ("0", "coarse", "medium", "fine", "1")
    counts = [len(lines(run("zones", "--json", "--granularity", size, page).stdout)[0]["zones"])
              for size in sizes]  # fmt: skip
    assert counts == sorted(counts)
    assert counts[0] < counts[2] < counts[4]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--granularity", "huge"), "'huge' is none of coarse, medium, fine"),
        (("--granularity", "1.5"), "'1.5' is none of coarse, medium, fine"),
        (("--tree", "dom"), "dom"),
        (("--tree", "vips", "--granularity", "fine"), "--granularity is for blocks"),
        (("--permitted-doc", "5"), "--permitted-doc is for --tree vips"),
        (("--tree", "vips", "--permitted-doc", "11"), "'11' is not a whole number from 1 to 10"),
    ],
)
def test_wrong_use(tea: Path, arguments: tuple[str, ...], complaint: str) -> None:
    done = run("zones", *arguments, tea)
    assert done.returncode == 2
    assert complaint in done.stderr.decode()


def test_read_names_the_parts(tea: Path) -> None:
    assert "Parts" in run("read", tea).stdout.decode()
    (fields,) = lines(run("read", "--json", tea).stdout)
    (alone,) = lines(run("zones", "--json", tea).stdout)
    assert fields["readings"]["zones"] == {name: alone[name] for name in ("tree", "zones")}
