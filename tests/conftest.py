"""What many tests need: a browser, the corpora, and a way to see a piece of HTML."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

from database_server import empty, programs, server
from pagesight.page import Page
from pagesight.render import AnyRenderer, open_renderer
from pagesight.render.chromium.discovery import (
    INSTALL_HINT,
    LIVE_HINT,
    Browser,
    find_browser,
    live_installed,
)
from pagesight.sources import load

# A busy machine is not a failure.
settings.register_profile("pagesight", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("pagesight")

# A shell starts background jobs with Ctrl-C ignored, and programs inherit that.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="session")
def corpora() -> Path:
    """The folder of real pages."""
    folder = os.environ.get("PAGESIGHT_CORPORA")
    if not folder:
        pytest.skip("no corpora: set PAGESIGHT_CORPORA")
    return Path(folder)


@pytest.fixture(scope="session")
def browser() -> Browser:
    """An installed Chromium."""
    found = find_browser()
    if found is None:
        pytest.skip(f"no Chromium: {INSTALL_HINT}")
    return found


@pytest.fixture(scope="session")
def live_browser(browser: Browser) -> Browser:
    """An installed Chromium that may show live pages."""
    if not live_installed():
        pytest.skip(f"no Playwright: {LIVE_HINT}")
    return browser


@pytest.fixture(scope="session")
def chromium(browser: Browser) -> Iterator[AnyRenderer]:
    """One running browser for all tests."""
    with open_renderer("chromium") as renderer:
        yield renderer


@pytest.fixture(scope="session")
def see(chromium: AnyRenderer) -> Callable[[str], Page]:
    """Render a piece of HTML in the browser."""
    return lambda html: chromium.render(load(html.encode()))


@pytest.fixture(scope="session")
def embedded() -> Iterator[AnyRenderer]:
    """One embedded renderer for all tests that only need a Page."""
    with open_renderer("embedded") as renderer:
        yield renderer


@pytest.fixture(scope="session")
def lay_out(embedded: AnyRenderer) -> Callable[[str], Page]:
    """Lay out a piece of HTML without a browser."""
    return lambda html: embedded.render(load(html.encode()))


@pytest.fixture(scope="session", autouse=True)
def _no_database_of_the_user(tmp_path_factory: pytest.TempPathFactory) -> None:
    """No test writes where a person watches pages."""
    os.environ["PAGESIGHT_DATABASE"] = str(tmp_path_factory.mktemp("usual") / "watch.sqlite")


@pytest.fixture(scope="session")
def postgresql() -> Iterator[str]:
    """The address of a PostgreSQL server that runs as long as the tests."""
    if programs() is None:
        pytest.skip("no PostgreSQL: apt-get install postgresql")
    with server() as url:
        yield url


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.postgresql)])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of a new, empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/watch.sqlite"
    url: str = request.getfixturevalue("postgresql")
    empty(url)
    return url


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate of tea.example that nobody has signed but itself, and its key."""
    if not shutil.which("openssl"):
        pytest.skip("no openssl to make a certificate with")
    folder = tmp_path_factory.mktemp("certificate")
    signed, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
         "-nodes", "-days", "2", "-subj", "/CN=tea.example", "-addext",
         "subjectAltName=DNS:tea.example", "-out", signed, "-keyout", key],
        check=True, capture_output=True, timeout=60,
    )  # fmt: skip
    return signed, key


@pytest.fixture(autouse=True)
def _what_is_marked(request: pytest.FixtureRequest) -> None:
    """Skip tests that are marked `browser`, `live` or `corpora` if these are missing."""
    needs = {"browser": "browser", "live": "live_browser", "corpora": "corpora"}
    for marker, fixture in needs.items():
        if request.node.get_closest_marker(marker):
            request.getfixturevalue(fixture)
