"""What tests of watching share: pages that change, and a clock that nobody waits for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

NEWS = ("Green tea is here", "Black tea is sold out")
WEATHER = "Sunny with 21 degrees and a light wind from the south west in the evening"


@dataclass
class FakeClock:
    """Time goes on only while somebody sleeps."""

    now: float = 1_800_000_000.0
    slept: list[float] = field(default_factory=list)

    def time(self) -> float:
        return self.now

    def sleep(self, seconds: float, /) -> None:
        self.slept.append(seconds)
        self.now += seconds


def page(news: Iterable[str] = NEWS, weather: str = WEATHER, extra: str = "") -> str:
    """A page with two parts: a list of news, and the weather."""
    entries = "".join(
        f'<li><a href="/{title.replace(" ", "-").lower()}">{title}</a></li>' for title in news
    )
    return (
        "<!doctype html><html><head><title>The tea house</title></head><body>"
        "<h1>The tea house by the river</h1>"
        f'<div id="news"><h2>News of the house</h2><ul>{entries}</ul></div>'
        f'<div id="weather"><h2>Weather today</h2><p>{weather}</p></div>{extra}'
        "</body></html>"
    )


def save(folder: Path, name: str = "tea.html", **content: object) -> Path:
    """A file with such a page."""
    path = folder / name
    path.write_text(page(**content), "utf-8")  # type: ignore[arg-type]
    return path
