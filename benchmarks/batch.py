"""`pagesight batch` against a plain loop: pages a second, and CPU time of a page.

    python benchmarks/batch.py                  400 pages of the corpora, three rounds interleaved
    python benchmarks/batch.py --memory 5000    peak memory of all processes, by thirds of the run

Every way reads the same pages of the same web archive with the embedded renderer, all readings of
each, in a process of its own; starting it counts. Ray is measured where it is installed, with its
cluster started before; its CPU time is that of processes which are not ours, and is not known.
"""

from __future__ import annotations

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path

import psutil  # type: ignore[import-untyped]

from archives import answer, page, record, write_archive
from corpora import samples
from pagesight.sources import load

READ_ALL = """
import json, sys
from pathlib import Path
import pagesight
from pagesight.batch.inputs import InputSpec
from pagesight.batch.items import InputOptions
from pagesight.document import Failure
jobs = int(sys.argv[2])
archive = InputSpec(path=sys.argv[1], kind="warc").open(InputOptions(), Path())
requests = [item.request() for item in archive.items()]

def one_by_one(renderer):
    for request in requests:
        try:
            yield pagesight.read(request, renderer=renderer)
        except pagesight.PagesightError as error:
            yield Failure("page", error)

with pagesight.open_renderer("embedded", pagesight.RenderOptions(jobs=jobs)) as renderer:
    results = one_by_one(renderer) if jobs == 1 else pagesight.read_all(requests, renderer=renderer)
    with open(sys.argv[3], "w") as output:
        for result in results:
            fields = {} if isinstance(result, Failure) else result.to_json()
            output.write(json.dumps(fields) + "\\n")
"""
CORPORA = ("outlines", "titles")
RAY = "Ray, 2 workers"
TICK = 0.5  # seconds between two looks at memory
EXAMPLES = Path(__file__).parents[1] / "examples"


@dataclass(frozen=True)
class Cost:
    """What a way costs, in seconds a page."""

    wall: float
    cpu: float


def cost_of(command: list[str], pages: int) -> Cost:
    """Run a command to its end."""
    before, start = _children_cpu(), time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wall, cpu = time.perf_counter() - start, _children_cpu() - before
    return Cost(wall / pages, cpu / pages)


def _children_cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


@contextmanager
def cluster() -> Iterator[str | None]:
    """The address of a Ray cluster of two processors on this machine, if Ray is installed."""
    if not find_spec("ray"):
        yield None
        return
    from ray.cluster_utils import Cluster

    os.environ["PYTHONPATH"] = os.pathsep.join(filter(None, sys.path))  # of the actors
    started = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    try:
        yield started.address
    finally:
        started.shutdown()


def commands(
    archive: Path, folder: Path, address: str | None
) -> dict[str, Callable[[int], list[str]]]:
    """The ways, each of which writes to a place of its own in every round."""

    def plain(jobs: int) -> Callable[[int], list[str]]:
        target = folder / f"plain-{jobs}"
        return lambda _: [sys.executable, "-c", READ_ALL, str(archive), str(jobs), str(target)]

    def batch(*more: str) -> Callable[[int], list[str]]:
        return lambda number: batch_command(archive, folder / f"rows-{len(more)}-{number}", *more)

    ways = {"loop": plain(1), "--jobs 2": plain(2), "batch, 2 workers": batch()}
    return ways | ({RAY: batch("--engine", "ray", "--address", address)} if address else {})


def batch_command(archive: Path, output: Path, *more: str) -> list[str]:
    return [
        sys.executable, "-m", "pagesight", "batch", str(archive), "-o", str(output),
        "--renderer", "embedded", "--workers", "2", *more,
    ]  # fmt: skip


def compare(pages: int, rounds: int) -> None:
    """Print what each way costs, and the ratio to the loop: medians over rounds."""
    with tempfile.TemporaryDirectory() as name, cluster() as address:
        folder = Path(name)
        contents = [load(request).data for request in samples(CORPORA, pages // len(CORPORA))]
        archive = write_archive(
            folder / "pages.warc.gz",
            (record(number, answer(one, content_type="text/html"))
             for number, one in enumerate(contents)),
        )  # fmt: skip
        costs: dict[str, list[Cost]] = {}
        for number in range(rounds):
            for way, command in commands(archive, folder, address).items():
                costs.setdefault(way, []).append(cost_of(command(number), len(contents)))
                print(f"round {number + 1}, {way}: {costs[way][-1]}", flush=True)
    _print_table(costs, len(contents))


def _print_table(costs: dict[str, list[Cost]], pages: int) -> None:
    print(f"{pages} pages; load {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")
    loop = statistics.median(cost.wall for cost in costs["loop"])
    for way, each in costs.items():
        wall = statistics.median(cost.wall for cost in each)
        cpu = statistics.median(cost.cpu for cost in each)
        known = "     ?" if way == RAY else f"{1000 * cpu:6.0f}"
        print(f"{way:18} {1 / wall:6.2f} pages/s  {known} ms CPU a page"
              f"  {loop / wall:5.2f} x the loop")  # fmt: skip


def many_pages(count: int) -> Iterator[bytes]:
    """Records: each example page among small ones, again and again."""
    examples = [path.read_bytes() for path in sorted(EXAMPLES.glob("*/index.html"))]
    contents = cycle(one for example in examples for one in (example, *map(page, range(4))))
    for number, content in enumerate(islice(contents, count)):
        yield record(number, answer(content))


def memory(pages: int) -> None:
    """Print the peak memory of all processes in each third of a batch."""
    with tempfile.TemporaryDirectory() as name:
        archive = write_archive(Path(name) / "pages.warc.gz", many_pages(pages))
        command = batch_command(archive, Path(name) / "rows")
        start, samples = time.perf_counter(), list[int]()
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
        while process.poll() is None:
            samples.append(_memory_of(process.pid))
            time.sleep(TICK)
        assert process.returncode == 0
        seconds = time.perf_counter() - start
    third = len(samples) // 3
    peaks = [max(samples[at : at + third]) >> 20 for at in (0, third, 2 * third)]
    print(f"{pages} pages, {seconds:.0f} s; peak of each third: {peaks} MB")


def _memory_of(process_id: int) -> int:
    """The memory of a process and of all that it has started, what they share counted once."""
    total = 0
    try:
        started = psutil.Process(process_id)
        for process in (started, *started.children(recursive=True)):
            total += process.memory_full_info().pss
    except psutil.Error:
        pass
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=400, help="starting counts, too")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--memory", type=int, metavar="PAGES", help="measure memory instead")
    given = parser.parse_args()
    if given.memory:
        memory(given.memory)
    else:
        compare(given.pages, given.rounds)


if __name__ == "__main__":
    main()
