"""Components that are found by rules of a test, so that it knows what is found."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

from pagesight.page import Page


@dataclass
class FakeComponents:
    """Finds every part by its id, with a status that the test decides."""

    status: dict[str, str] = field(default_factory=dict)
    """By id; what is not here is found."""

    confirmed: list[dict[str, list[str]]] = field(default_factory=list)
    """What was a sample: by id the texts."""

    def learn(self, pages: Sequence[Page], *, select: Sequence[str], **_: Any) -> FakeIndex:
        known = [one.attributes["id"] for one in pages[-1].find("div")]
        wanted = [selector.removeprefix("#") for selector in select] or known
        paths = {one.attributes["id"]: one.xpath for one in pages[-1].find("div")}
        return FakeIndex([name for name in wanted if name in known], paths=paths)

    def find(self, index: FakeIndex, page: Page) -> Any:
        return SimpleNamespace(components=[self._found(name, page) for name in index.names])

    def _found(self, name: str, page: Page) -> Any:
        nodes = [one.id for one in page.find("div") if one.attributes.get("id") == name]
        status = self.status.get(name, "found") if nodes else "missing"
        unsure = status == "unsure"
        candidate = (
            SimpleNamespace(node=nodes[0], to_json=lambda: {"xpath": "/x"}) if unsure else None
        )
        return SimpleNamespace(
            id=name, select=f"#{name}", name=name.title(), status=status,
            nodes=() if status in ("unsure", "missing") else nodes,
            confidence=0.5 if unsure else 0.9, runner_up=candidate, changes=("moved",),
        )  # fmt: skip

    def confirm(
        self, index: FakeIndex, page: Page, nodes: Mapping[str, Sequence[int]]
    ) -> FakeIndex:
        texts = {name: [page.text(node) for node in found] for name, found in nodes.items()}
        self.confirmed.append(texts)
        return FakeIndex(index.names, index.samples + 1)


@dataclass
class FakeIndex:
    """The ids of parts, and how many samples there were."""

    names: list[str]
    samples: int = 1
    paths: dict[str, str] = field(default_factory=dict)
    """Where they were learned; not kept."""

    @property
    def components(self) -> list[Any]:
        return [
            SimpleNamespace(
                id=name, select=f"#{name}", name=name.title(),
                profile=SimpleNamespace(path=self.paths[name]),
            )
            for name in self.names
        ]  # fmt: skip

    def to_json(self) -> dict[str, Any]:
        return {"names": self.names, "samples": self.samples}

    @classmethod
    def from_json(cls, fields: dict[str, Any]) -> FakeIndex:
        return cls(**fields)


def installed(monkeypatch: pytest.MonkeyPatch) -> FakeComponents:
    """Use these components for watching, in this process."""
    fake = FakeComponents()
    for name in ("learn", "find", "confirm"):
        monkeypatch.setattr(f"pagesight.watch.looking.{name}", getattr(fake, name))
    monkeypatch.setattr("pagesight.watch.looking.ComponentIndex", FakeIndex)
    return fake
