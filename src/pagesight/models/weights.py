"""Weight files: a trained model as JSON, with what one must know to trust it.

A file has no date: the digest of the corpus and the command say when and from what it was made, and
the same command on the same corpus writes the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from pagesight.errors import ModelError

FORMAT = 1
HINT = "train it again, or install Pagesight again"


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """A trained model and where it comes from."""

    task: str
    features: int
    """The version of the features that it needs."""

    corpus: str
    """A digest of the pages that it was trained on."""

    command: str
    labels: tuple[str, ...]
    scores: Mapping[str, float]
    """What it reached on pages that it was not trained on."""

    model: Mapping[str, Any]

    def to_bytes(self) -> bytes:
        """The file: sorted, one line per piece, in ASCII."""
        fields = {"format": FORMAT, **asdict(self)}
        lines = (f"{json.dumps(key)}: {json.dumps(fields[key], sort_keys=True)}" for key in fields)
        return ("{\n" + ",\n".join(lines) + "\n}\n").encode("ascii")

    @classmethod
    def from_bytes(cls, data: bytes, *, task: str, features: int) -> Weights:
        """What `to_bytes` wrote; raises `ModelError` if it is not for this task and version."""
        try:
            fields = json.loads(data)
            if fields.pop("format") != FORMAT:
                raise ValueError("written by another version of Pagesight")
            weights = cls(**{**fields, "labels": tuple(fields["labels"])})
        except (ValueError, TypeError, KeyError, AttributeError) as error:
            raise ModelError(f"the weights of {task!r} are damaged ({error})", hint=HINT) from error
        if (weights.task, weights.features) != (task, features):
            raise ModelError(
                f"the weights are for {weights.task!r} with features {weights.features}, "
                f"not for {task!r} with features {features}",
                hint=HINT,
            )
        return weights


def shipped_path(task: str) -> Path:
    """Where the weights of a reading are, in the package."""
    return Path(str(files("pagesight") / "data" / f"{task}.json"))


def load_weights(task: str, features: int) -> Weights:
    """The weights of a reading that are part of the package."""
    try:
        data = shipped_path(task).read_bytes()
    except OSError as error:
        raise ModelError(f"there are no weights for {task!r}", hint=HINT) from error
    return Weights.from_bytes(data, task=task, features=features)
