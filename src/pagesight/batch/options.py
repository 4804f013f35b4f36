"""What is done with each page of a batch. All of it is part of the plan's key."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from pagesight.batch.items import InputOptions
from pagesight.render import RenderOptions
from pagesight.sources import DEFAULT_LIMITS, Limits

FORMATS = ("parquet", "jsonl")
SHARD_SIZE = 500  # pages: minutes of work, and files of some megabytes
MEMORY = 3 << 30  # bytes: as much as a layout process may have


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchOptions:
    """How the pages of a batch are read, and what is written."""

    readings: tuple[str, ...]
    renderer: str = "embedded"
    format: str = "parquet"
    shard_size: int | None = None
    """Pages of a shard; if it is None, `SHARD_SIZE`, or fewer where there are few pages."""

    timeout: float = 30.0
    """CPU time of a layout process for one page; of a browser and of a fetch, plain time."""

    max_size: int = DEFAULT_LIMITS.max_size
    reading_time: float = DEFAULT_LIMITS.reading_time
    memory: int = MEMORY
    """What the readings of one page may take besides what a worker has, in bytes."""

    html: str = InputOptions().html
    address: str = InputOptions().address
    identifier: str = InputOptions().identifier

    def inputs(self) -> InputOptions:
        """How inputs are understood."""
        return InputOptions(
            html=self.html,
            address=self.address,
            identifier=self.identifier,
            max_size=self.max_size,
        )

    def limits(self) -> Limits:
        """The limits of loading and reading."""
        return Limits(
            max_size=self.max_size,
            read_timeout=self.timeout,
            total_timeout=self.timeout,
            reading_time=self.reading_time,
        )

    def render_options(self) -> RenderOptions:
        """How pages are rendered: a loaded machine gives what a quiet one does."""
        return RenderOptions(timeout=self.timeout, cpu_time=True)

    def to_json(self) -> dict[str, Any]:
        """As plain JSON types."""
        return asdict(self) | {"readings": list(self.readings)}

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> BatchOptions:
        """The options that `to_json` wrote."""
        return cls(**fields | {"readings": tuple(fields["readings"])})
