"""The embedded renderer, in a worker: its fonts are set in the environment of a process."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pagesight.render import AnyRenderer, open_renderer


@pytest.fixture(scope="session")
def embedded() -> Iterator[AnyRenderer]:
    """One running worker for all tests."""
    with open_renderer("embedded") as renderer:
        yield renderer
