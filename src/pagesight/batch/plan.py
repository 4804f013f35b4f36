"""Which pages there are, and which shard has which of them: made once, and kept."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

from pagesight import __version__
from pagesight.batch.inputs import InputSpec
from pagesight.batch.inputs.lists import page_files
from pagesight.batch.items import Item, Place
from pagesight.batch.options import SHARD_SIZE, BatchOptions
from pagesight.errors import InputChanged, PagesightError

PLAN_VERSION = 1
_SAMPLE = 64 << 10  # bytes at each end of an input that are part of the key
_EVERY = 100  # pages after which the progress of planning is told
_SIZES = (10, 50, 250, SHARD_SIZE)  # of shards: so that there are some for every worker
_MOST = 100  # shards of one of these sizes; where there are more, several are made one


@dataclass(frozen=True, slots=True)
class Slice:
    """Pages of one input that follow each other."""

    input: int
    place: Place
    first: int
    """The number of the first page in its input."""

    count: int

    @classmethod
    def of(cls, number: int, offset: int, skip: int, first: int, count: int) -> Slice:
        """The slice that these numbers of a plan's file mean."""
        return cls(number, Place(offset, skip), first, count)


@dataclass(frozen=True, slots=True)
class Shard:
    """The pages that one file of rows is made of."""

    number: int
    slices: tuple[Slice, ...]

    @property
    def count(self) -> int:
        return sum(piece.count for piece in self.slices)


@dataclass(frozen=True, slots=True)
class Planned:
    """An item in its place: which input it is from, and its number there."""

    input: str
    index: int
    item: Item


@dataclass(frozen=True)
class Plan:
    """All shards of a batch."""

    key: str
    options: BatchOptions
    base: str
    """The folder that the paths of inputs are relative to."""

    inputs: tuple[InputSpec, ...]
    shards: tuple[Shard, ...]
    passed: dict[str, int] = field(default_factory=dict)
    """What was passed over, since it is not a page: how often, by what it is."""

    @property
    def count(self) -> int:
        """How many pages there are, and rows there will be."""
        return sum(shard.count for shard in self.shards)

    def items(self, number: int, skip: int = 0) -> Iterator[Planned]:
        """The pages of a shard in their order, without the first ones.

        Raises `InputChanged` if there are fewer than there were.
        """
        for piece in self.shards[number].slices:
            spec = self.inputs[piece.input]
            left = piece.count
            items = spec.open(self.options.inputs(), Path(self.base)).items(piece.place)
            for index, item in enumerate(islice(items, piece.count), piece.first):
                left -= 1
                if skip:
                    skip -= 1
                else:
                    yield Planned(spec.name, index, item)
            if left:
                raise InputChanged(f"there are {left:,} pages fewer than planned", source=spec.name)

    def to_bytes(self) -> bytes:
        """The plan as JSON."""
        fields = {
            "plan": PLAN_VERSION,
            "key": self.key,
            "version": __version__,
            "options": self.options.to_json(),
            "base": self.base,
            "inputs": [asdict(spec) for spec in self.inputs],
            "shards": [
                [[piece.input, *piece.place, piece.first, piece.count] for piece in shard.slices]
                for shard in self.shards
            ],
            "passed": self.passed,
        }
        return json.dumps(fields).encode()

    @classmethod
    def from_bytes(cls, data: bytes) -> Plan:
        """The plan that `to_bytes` wrote; raises `ValueError` or `KeyError` if it is not one."""
        fields: dict[str, Any] = json.loads(data)
        if fields["plan"] != PLAN_VERSION:
            raise ValueError("a plan of another version")
        shards = [
            Shard(number, tuple(Slice.of(*numbers) for numbers in pieces))
            for number, pieces in enumerate(fields["shards"])
        ]
        inputs = tuple(InputSpec(**spec) for spec in fields["inputs"])
        options = BatchOptions.from_json(fields["options"])
        return cls(fields["key"], options, fields["base"], inputs, tuple(shards), fields["passed"])


def key_of(inputs: Sequence[InputSpec], options: BatchOptions) -> str:
    """What a plan is made of, as a hash: inputs, options, and the version of Pagesight.

    Of each file it is the name, the size, and both ends; of a folder, the files in it.
    """
    digest = hashlib.sha256(json.dumps([__version__, options.to_json()]).encode())
    for spec in inputs:
        path = Path(spec.path)
        paths = page_files(path) if spec.kind == "folder" else [path]
        digest.update(repr((spec.kind, spec.name, len(paths))).encode())
        for one in paths:
            digest.update(repr((str(one), one.stat().st_size)).encode())
            if spec.kind != "folder":
                digest.update(_ends_of(one))
    return digest.hexdigest()


def _ends_of(path: Path) -> bytes:
    with path.open("rb") as file:
        start = file.read(_SAMPLE)
        file.seek(max(0, path.stat().st_size - _SAMPLE))
        return start + file.read(_SAMPLE)


def make_plan(
    inputs: Sequence[InputSpec],
    options: BatchOptions,
    tell: Callable[[int], None] = lambda _: None,
) -> Plan:
    """Look through all inputs, and divide their pages; `tell` hears how many were found."""
    base = Path.cwd()
    shards: list[list[Slice]] = []
    size, *larger = [options.shard_size] if options.shard_size else _SIZES
    room, found = 0, 0
    passed: Counter[str] = Counter()
    for number, spec in enumerate(inputs):
        opened = spec.open(options.inputs(), base)
        for index, item in enumerate(_named(opened.items(), spec)):
            if room == 0:
                if larger and len(shards) == _MOST:
                    shards, size = _joined(shards, larger[0] // size), larger.pop(0)
                shards.append([])
                room = size
            pieces = shards[-1]
            if not pieces or pieces[-1].input != number:
                pieces.append(Slice(number, item.place, index, 0))
            last = pieces[-1]
            pieces[-1] = Slice(last.input, last.place, last.first, last.count + 1)
            room -= 1
            found += 1
            if found % _EVERY == 0:
                tell(found)
        passed += opened.passed
    divided = tuple(Shard(number, tuple(pieces)) for number, pieces in enumerate(shards))
    return Plan(key_of(inputs, options), options, str(base), tuple(inputs), divided, dict(passed))


def _joined(shards: Sequence[Sequence[Slice]], count: int) -> list[list[Slice]]:
    """Shards that follow each other, so many made one."""
    joined: list[list[Slice]] = []
    for first in range(0, len(shards), count):
        pieces: list[Slice] = []
        for piece in chain.from_iterable(shards[first : first + count]):
            if pieces and pieces[-1].input == piece.input:
                pieces[-1] = replace(pieces[-1], count=pieces[-1].count + piece.count)
            else:
                pieces.append(piece)
        joined.append(pieces)
    return joined


def _named(items: Iterator[Item], spec: InputSpec) -> Iterator[Item]:
    """The items; an error of the input as a whole names it."""
    try:
        yield from items
    except PagesightError as error:
        raise error.about(spec.name) from error.__cause__
