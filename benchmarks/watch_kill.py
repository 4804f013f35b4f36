"""`pagesight watch check` under kill -9: is anything lost that was acknowledged, or written twice?

    python benchmarks/watch_kill.py                      200 pages, 50 kills, on both databases
    python benchmarks/watch_kill.py --pages 20 --kills 5 --database sqlite

Before each check, every page gets a new item. The check is ended by SIGKILL at a random moment:
while it starts, or a moment after it has told about a random number of pages. A
line that it has printed is an acknowledgement: what it says must be in the database, then and in
the end. No item may be observed twice, and observations have no gaps in their numbers.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from killing import kill_on_databases
from pagesight.watch import Watch

START = 2.0  # seconds in which a check that has told nothing yet is killed
PER_PAGE = 0.2  # seconds after a line in which it is
MOST_ROUNDS = 4  # for each kill: a check may end before it is killed
ITEMS = 2  # the newest rounds that a page lists
PAGE = """<!doctype html><html><head><title>Tea house {number}</title></head><body>
<h1>The tea house number {number} by the river</h1>
<div id="news"><h2>News of house {number}</h2><p>What happens in the house, told every morning by
whoever is first to open the shutters, light the stove and fill the kettles.</p>
<ul>{items}</ul></div>
<div id="hours"><h2>Opening hours</h2><p>We open at eight and close when the last guest leaves.</p>
</div></body></html>"""


@dataclass
class Outcome:
    """What came of all kills."""

    kills: int = 0
    while_running: int = 0
    acknowledged: int = 0
    lost: int = 0
    observations: int = 0
    twice: int = 0
    gaps: int = 0
    missing: int = 0
    """Pages whose last change was not observed by a check that was left alone."""

    seconds: float = 0.0
    known: dict[int, dict[int, int]] = field(default_factory=dict, repr=False)
    """By part and number of an observation the round that was acknowledged."""

    @property
    def is_flawless(self) -> bool:
        return not (self.lost or self.twice or self.gaps or self.missing)

    def lines(self) -> Iterator[str]:
        yield f"checks that were killed            {self.kills:>8,}"
        yield f"  of these before they had ended   {self.while_running:>8,}"
        yield f"observations acknowledged          {self.acknowledged:>8,}"
        yield f"  of these lost                    {self.lost:>8,}"
        yield f"observations in the database       {self.observations:>8,}"
        yield f"  of these twice                   {self.twice:>8,}"
        yield f"  gaps in their numbers            {self.gaps:>8,}"
        yield f"pages not up to date in the end    {self.missing:>8,}"
        yield f"seconds                            {self.seconds:>8.0f}"


def run(folder: Path, url: str, *, pages: int, kills: int, seed: int = 0) -> Outcome:
    """Kill `kills` checks of so many pages before they end, then let one end."""
    start, chance, outcome = time.monotonic(), random.Random(seed), Outcome()
    files = [folder / f"{number}.html" for number in range(pages)]
    _write(files, 0)
    with Watch.open(url, renderer="embedded") as watch:
        for file in files:
            watch.add(file, select=["#news"])
    _write(files, 1)
    _acknowledge(outcome, _checked(url, None)[0], 1)
    round_ = 1
    while outcome.while_running < kills and outcome.kills < MOST_ROUNDS * kills:
        round_ += 1
        _write(files, round_)
        printed, ended = _checked(url, _Moment(chance.randrange(pages), chance.random()))
        outcome.kills += 1
        outcome.while_running += not ended
        _acknowledge(outcome, printed, round_)
        _compare(outcome, url, last=None)
    _acknowledge(outcome, _checked(url, None)[0], round_)
    _compare(outcome, url, last=round_)
    outcome.seconds = time.monotonic() - start
    return outcome


def _write(files: list[Path], round_: int) -> None:
    """Give every page an item for this round; whole files only, as editors write them."""
    for number, file in enumerate(files):
        rounds = range(max(0, round_ - ITEMS + 1), round_ + 1)
        items = "".join(f'<li><a href="/{n}/{one}">Round {one} of the tea house {number}</a></li>'
                        for n in (number,) for one in rounds)  # fmt: skip
        part = file.with_suffix(".part")
        part.write_text(PAGE.format(number=number, items=items), "utf-8")
        part.replace(file)


@dataclass(frozen=True)
class _Moment:
    """When to kill: after so many lines, and a random time."""

    lines: int
    fraction: float

    @property
    def seconds(self) -> float:
        return self.fraction * (PER_PAGE if self.lines else START)


def _checked(url: str, moment: _Moment | None) -> tuple[list[bytes], bool]:
    """The lines of a check that is killed at a moment, or not; whether it was not."""
    command = [sys.executable, "-m", "pagesight", "watch", "check", "--json",
               "--renderer", "embedded", "--database", url]  # fmt: skip
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    assert process.stdout
    output = b""
    if moment:
        for _ in range(moment.lines):
            output += process.stdout.readline()
        time.sleep(moment.seconds)
        process.kill()
    output += process.stdout.read()
    process.stdout.close()
    return output.split(b"\n")[:-1], process.wait() == 0  # a line that is cut off is none


def _acknowledge(outcome: Outcome, lines: list[bytes], round_: int) -> None:
    for line in lines:
        for part in json.loads(line)["parts"]:
            if part["new"]:
                outcome.acknowledged += 1
                outcome.known.setdefault(part["id"], {})[part["observation"]] = round_


def _compare(outcome: Outcome, url: str, last: int | None) -> None:
    """Look into the database: at the latest round while it goes on, at everything in the end."""
    with Watch.open(url, renderer="embedded") as watch:
        parts = [part.id for part in watch.parts()]
        latest = watch.store.latest(parts)
        for part, known in outcome.known.items():
            number = max(known)
            newest = latest[part]
            written = newest if newest.number == number else watch.store.observation(part, number)
            outcome.lost += written is None or _round(written.text) != known[number]
        if last is None:
            return
        for part in parts:
            seen = watch.history(part)
            rounds = {one.number: _round(one.text) for one in seen}
            outcome.observations += len(seen)
            outcome.twice += len(seen) - len(set(rounds.values()))
            outcome.gaps += [*rounds] != [*range(1, len(seen) + 1)]
            outcome.gaps += [*rounds.values()] != sorted(rounds.values())
            outcome.missing += rounds[len(seen)] != last
            told = outcome.known.get(part, {})
            outcome.lost += sum(rounds.get(number) != round_ for number, round_ in told.items())


def _round(text: str) -> int:
    """The newest round that an observation lists."""
    return max(int(line.split()[1]) for line in text.splitlines() if line.startswith("Round "))


if __name__ == "__main__":
    kill_on_databases(
        __doc__,
        lambda folder, url, options: run(
            folder, url, pages=options.pages, kills=options.kills, seed=options.seed
        ),
        pages=200,
        kills=50,
    )
