"""Files of JSON Lines that survive being cut off anywhere."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from pagesight.crawl.lines import Lines
from pagesight.errors import SaveFailed
from pagesight.render.cache import write_whole


def written(path: Path, *rows: dict[str, object]) -> list[dict[str, object]]:
    """All that is in a file after these were added."""
    with closing(Lines(path)) as lines:
        for row in rows:
            lines.add(row)
        return lines.rows


def test_what_was_added_is_there_again(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    written(path, {"a": 1}, {"b": "é\n"})
    written(path, {"c": None})
    assert written(path) == [{"a": 1}, {"b": "é\n"}, {"c": None}]
    assert path.read_bytes().count(b"\n") == 3


def test_a_line_that_was_cut_off_is_written_again(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [{"first": 1}, {"second": 2}, {"third": 3}]
    path = tmp_path / "a.jsonl"
    written(path, *rows)
    whole = path.read_bytes()
    for cut in range(len(whole) + 1):
        path.write_bytes(whole[:cut])
        kept = rows[: whole[:cut].count(b"\n")]
        assert written(path, {"last": 4}) == [*kept, {"last": 4}]
        assert written(path) == [*kept, {"last": 4}]


def test_a_file_of_something_else_is_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text("not JSON\n")
    with pytest.raises(SaveFailed, match="is not a list of pages"):
        Lines(path)
    assert path.read_text() == "not JSON\n"


def test_a_folder_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(SaveFailed, match="cannot be written"):
        Lines(tmp_path)


def test_a_file_is_written_whole_with_its_folders(tmp_path: Path) -> None:
    path = tmp_path / "a" / "b" / "c.css"
    write_whole(path, b"one")
    write_whole(path, b"two")
    assert path.read_bytes() == b"two"
    assert [file.name for file in path.parent.iterdir()] == ["c.css"]
