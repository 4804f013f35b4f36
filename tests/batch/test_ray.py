"""The Ray engine, on a cluster of two nodes that are processes of this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("ray", reason="Ray is not installed")

from batch_kill import run_on_cluster


@pytest.mark.filterwarnings("ignore")
def test_an_actor_and_a_node_are_killed_and_each_page_is_a_row_once(tmp_path: Path) -> None:
    outcome = run_on_cluster(tmp_path, pages=400)
    assert outcome.is_flawless(400, 133), outcome
    assert outcome.kills == {"actor": 1, "node": 1}
