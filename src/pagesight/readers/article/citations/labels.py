"""What the tokens of a citation may be.

The first token of a part has a state of its own: where one part ends and the next begins is seen by
the signs between them.
"""

from __future__ import annotations

import numpy as np

LABELS = (
    "family", "given", "group", "editor", "title", "container", "volume", "issue", "pages", "year",
    "publisher", "address", "other",
)  # fmt: skip
NUMBER = {label: number for number, label in enumerate(LABELS)}
_LONG = ("family", "given", "group", "editor", "title", "container", "publisher")
STATES = (*LABELS, *(f"first of {label}" for label in _LONG))
FIRST = {NUMBER[label]: len(LABELS) + number for number, label in enumerate(_LONG)}
"""By label the state of a first token, where it has one."""

LABEL_OF = np.array([*range(len(LABELS)), *FIRST])
"""By state its label."""
