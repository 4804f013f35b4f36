"""`pagesight batch` under kill -9: is each page a row, once, whatever is killed?

    python benchmarks/batch_kill.py                     2,000 pages; coordinator and workers 3 times
    python benchmarks/batch_kill.py --ray               an actor and a node of a cluster of two

At random moments the coordinator is ended by SIGKILL, and begun again, or one of its workers is.
One of the pages ends its worker each time that it is read.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from archives import page_record, write_archive
from pagesight.batch.folder import Folder
from pagesight.batch.status import StatusReader
from pagesight.errors import ForeignFolder

TRAP = """
import os, signal
from pagesight.readers.registry import Reading

class Nothing:
    problem = None
    def to_json(self):
        return {"found": False}

def read(page):
    if page.url == "https://tea.example/%d":
        os.kill(os.getpid(), signal.SIGKILL)
    return Nothing()

READING = Reading(name="trap", question="does the page end its worker?", read="trap:read")
"""
TICK = 0.05
PATIENCE = 900.0  # seconds for all of it


@dataclass(frozen=True)
class Outcome:
    """What came of it."""

    rows: int
    twice: int
    missing: int
    died: list[int]
    others_failed: int
    left_over: list[str]
    kills: Counter[str]
    seconds: float

    def is_flawless(self, pages: int, deadly: int) -> bool:
        return (self.rows, self.twice, self.missing, self.died, self.others_failed) == (
            pages, 0, 0, [deadly], 0,
        ) and not self.left_over  # fmt: skip


def prepare(folder: Path, pages: int, deadly: int) -> dict[str, str]:
    """An archive in a folder, and the environment in which one of its pages is deadly."""
    write_archive(folder / "tea.warc.gz", map(page_record, range(pages)))
    add_reading(folder, "trap", TRAP % deadly)
    return {**os.environ, "PYTHONPATH": str(folder)}


def add_reading(folder: Path, name: str, code: str) -> None:
    """A package with a reading of this name, for whoever has the folder in its path."""
    (folder / f"{name}.py").write_text(code)
    about = folder / f"{name}-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(f"[pagesight.readings]\n{name} = {name}:READING\n")


def command(folder: Path, *more: str) -> list[str]:
    return [
        sys.executable, "-m", "pagesight", "batch", str(folder / "tea.warc.gz"),
        "-o", str(folder / "rows"), "--renderer", "embedded", "--readings", "title,trap",
        "--shard-size", "50", "--format", "jsonl", "--workers", "2", *more,
    ]  # fmt: skip


def run(folder: Path, pages: int, kills: int, seed: int = 1) -> Outcome:
    """Read an archive, and kill coordinator and workers so many times each."""
    deadly = pages // 3
    environment = prepare(folder, pages, deadly)
    chance, done, start = random.Random(seed), Counter[str](), time.monotonic()
    step = pages // (2 * kills + 1)  # so that nobody else kills on the same page twice
    moments = [step * number + chance.randrange(step // 2) for number in range(2 * kills)]
    victims = ["coordinator", "worker"] * kills
    chance.shuffle(victims)
    process = _start(folder, environment)
    for moment, victim in zip(moments, victims, strict=True):
        _wait_for_rows(folder / "rows", moment, process)
        if victim == "coordinator":
            process.kill()
            process.wait()
            process = _start(folder, environment)
        elif not _kill_worker(process.pid):
            continue
        done[victim] += 1
    process.wait(PATIENCE)
    assert process.returncode == 0
    return _outcome(folder / "rows", pages, done, time.monotonic() - start)


def _start(folder: Path, environment: dict[str, str], *more: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command(folder, *more), env=environment, stdout=subprocess.DEVNULL)


def run_on_cluster(folder: Path, pages: int) -> Outcome:
    """Read an archive on a Ray cluster of two nodes; an actor is killed, then a node."""
    from ray.cluster_utils import Cluster

    deadly = pages // 3
    environment = prepare(folder, pages, deadly)
    os.environ["PYTHONPATH"] = os.pathsep.join([environment["PYTHONPATH"], *sys.path])
    start, done = time.monotonic(), Counter[str]()
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 1})
    try:
        node = cluster.add_node(num_cpus=1)
        more = ("--engine", "ray", "--address", cluster.address)
        process = _start(folder, dict(os.environ), *more)
        _wait_for_rows(folder / "rows", pages // 5, process)
        actors = _actors()
        actors[0].kill()
        done["actor"] += 1
        _wait_for_rows(folder / "rows", pages // 2, process)
        cluster.remove_node(node, allow_graceful=False)
        done["node"] += 1
        process.wait(PATIENCE)
        assert process.returncode == 0
    finally:
        cluster.shutdown()
    return _outcome(folder / "rows", pages, done, time.monotonic() - start)


def _actors() -> list[psutil.Process]:
    """The processes of the actors that are reading."""
    found = psutil.process_iter(["cmdline"])
    return [one for one in found if "ShardWorker.run" in " ".join(one.info["cmdline"] or ())]


def _wait_for_rows(rows: Path, least: int, process: subprocess.Popen[bytes]) -> None:
    """Wait until so many rows are there, or the process has ended."""
    end = time.monotonic() + PATIENCE
    while process.poll() is None and time.monotonic() < end:
        if rows_so_far(rows) >= least:
            return
        time.sleep(TICK)


def rows_so_far(rows: Path) -> int:
    """How many rows there are, complete or not."""
    try:
        return StatusReader(Folder(rows)).read().rows
    except (ForeignFolder, OSError):
        return 0


def workers_of(process_id: int) -> list[psutil.Process]:
    """The workers of a coordinator."""
    try:
        children = psutil.Process(process_id).children()
        return [child for child in children if "pagesight.batch.worker" in child.cmdline()]
    except psutil.Error:
        return []


def _kill_worker(process_id: int) -> bool:
    """Kill the oldest worker; a new one may still be at the page that another was killed on."""
    workers = workers_of(process_id)
    if not workers:
        return False
    min(workers, key=lambda worker: worker.create_time()).kill()
    return True


def _outcome(rows: Path, pages: int, kills: Counter[str], seconds: float) -> Outcome:
    read = [
        json.loads(line)
        for path in sorted((rows / "rows").iterdir())
        for line in path.read_bytes().splitlines()
    ]
    counts = Counter(row["index"] for row in read)
    errors = {row["index"]: row["error"]["kind"] for row in read if row["error"]}
    died = [index for index, kind in errors.items() if kind == "worker_died"]
    left = [str(path.relative_to(rows)) for path in (rows / "work").iterdir()]
    left += [path.name for path in (rows / "rows").iterdir() if path.suffix != ".jsonl"]
    return Outcome(
        rows=len(read),
        twice=sum(count - 1 for count in counts.values()),
        missing=sum(counts[index] == 0 for index in range(pages)),
        died=died,
        others_failed=len(errors) - len(died),
        left_over=left,
        kills=kills,
        seconds=seconds,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=2000)
    parser.add_argument("--kills", type=int, default=3, help="of the coordinator, and of workers")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--ray", action="store_true", help="on a Ray cluster of two local nodes")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        if given.ray:
            outcome = run_on_cluster(Path(folder), given.pages)
        else:
            outcome = run(Path(folder), given.pages, given.kills, given.seed)
    print(outcome)
    flawless = outcome.is_flawless(given.pages, given.pages // 3)
    print("flawless" if flawless else "NOT FLAWLESS")
    sys.exit(not flawless)


if __name__ == "__main__":
    main()
