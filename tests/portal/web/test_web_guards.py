"""Who is let in, from where, and what strangers' words can do: nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path

import harbour
import pytest
from living import NAME, PASSWORD, Living
from starlette.routing import Mount, Route
from starlette.testclient import TestClient

from pagesight.portal import Portal, Settings
from pagesight.portal.errors import TooOften
from pagesight.portal.web import make_app
from pagesight.portal.web.guards import PUBLIC, TOKENS, is_below
from serving import Answer

pytest_plugins = ["web_fixtures"]
HOME = "http://localhost"
EVIL = "<script>alert(1)</script>\"'><img src=x onerror=alert(2)>"


@pytest.fixture(scope="module")
def client(portal: Living) -> Iterator[TestClient]:
    """Somebody who has not signed in."""
    with TestClient(make_app(portal.portal), base_url=HOME, follow_redirects=False) as stranger:
        yield stranger


@pytest.fixture(scope="module")
def friend(filled: Living) -> Iterator[TestClient]:
    """Somebody who has signed in."""
    app = make_app(filled.portal)
    with TestClient(app, base_url=HOME, headers={"Origin": HOME}) as known:
        known.post("/sign-in", data={"name": NAME, "password": PASSWORD})
        yield known


def all_routes(portal: Living) -> list[tuple[str, str]]:
    """Method and path of everything, with something in every gap."""
    pairs = []
    for route in make_app(portal.portal).routes:
        assert isinstance(route, Route | Mount)
        methods = route.methods if isinstance(route, Route) else {"GET", "POST", "DELETE"}
        path = re.sub(r"\{\w+:int\}", "1", route.path) or "/"
        path = re.sub(r"\{[^}]+\}", "x", path)
        pairs += [(method, path) for method in sorted(methods or ()) if method != "HEAD"]
    return pairs


def test_nobody_sees_anything_without_signing_in(filled: Living, client: TestClient) -> None:
    walked = 0
    for method, path in all_routes(filled):
        if is_below(path, (*PUBLIC, *TOKENS)):
            continue
        answer = client.request(method, path, headers={"Origin": HOME})
        if method == "GET":
            assert (answer.status_code, answer.headers["location"]) == (303, "/sign-in"), path
        else:
            assert answer.status_code == 401, path
        walked += 1
    assert walked > 50


def test_what_is_public_is_little() -> None:
    assert PUBLIC == ("/welcome", "/sign-in", "/invitations/", "/shared/", "/static/")


@pytest.mark.parametrize("origin", [None, "null", "http://evil.example", f"{HOME}.evil.example"])
def test_nothing_is_done_for_another_site(
    filled: Living, friend: TestClient, origin: str | None
) -> None:
    headers = {"Origin": origin} if origin else {}
    with TestClient(friend.app, base_url=HOME, cookies=friend.cookies) as signed:
        for method, path in all_routes(filled):
            if method != "GET":
                answer = signed.request(method, path, headers=headers)
                assert answer.status_code == 403, path


def test_a_name_that_a_stranger_may_own_is_not_answered(client: TestClient) -> None:
    assert client.get("/sign-in", headers={"Host": "rebound.example"}).status_code == 421
    assert client.get("/sign-in", headers={"Host": "[::1]:8181"}).status_code == 200
    assert client.get("/sign-in", headers={"Host": "192.168.0.7"}).status_code == 200


def test_behind_a_proxy_only_the_public_address_counts(tmp_path: Path) -> None:
    config = Settings(database=str(tmp_path / "p.sqlite"), public_address="https://parts.example")
    with Portal.open(config) as portal, TestClient(make_app(portal)) as client:
        form = {"name": NAME, "password": PASSWORD}
        for origin, status in (("http://testserver", 403), ("https://parts.example", 303)):
            answer = client.post(
                "/welcome", data=form, headers={"Origin": origin}, follow_redirects=False
            )
            assert answer.status_code == status
        cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-session=")
    for flag in ("HttpOnly", "Secure", "SameSite=lax", "Path=/"):
        assert flag in cookie
    assert "Domain" not in cookie
    assert "strict-transport-security" in answer.headers


@pytest.mark.parametrize(
    ("written", "origin"),
    [
        ("https://parts.example:443/", "https://parts.example"),
        ("https://Téa.example", "https://xn--ta-bja.example"),
        ("http://parts.example:8080", "http://parts.example:8080"),
    ],
)
def test_a_public_address_is_compared_as_browsers_write_it(
    written: str, origin: str, tmp_path: Path
) -> None:
    config = Settings(database=str(tmp_path / "p.sqlite"), public_address=written)
    with Portal.open(config) as portal, TestClient(make_app(portal)) as client:
        form = {"name": NAME, "password": PASSWORD}
        headers = {"Origin": origin}
        answer = client.post("/welcome", data=form, headers=headers, follow_redirects=False)
        assert answer.status_code == 303


def test_signing_in_makes_a_new_session_and_signing_out_ends_it(filled: Living) -> None:
    with TestClient(
        make_app(filled.portal), base_url=HOME, headers={"Origin": HOME}, follow_redirects=False
    ) as client:
        seen = set()
        for _ in range(2):
            client.post("/sign-in", data={"name": NAME, "password": PASSWORD})
            seen.add(client.cookies["session"])
        assert len(seen) == 2
        old = client.cookies["session"]
        assert client.get("/news").status_code == 200
        client.post("/sign-out")
        answer = client.get("/news", headers={"Cookie": f"session={old}"})
        assert answer.status_code == 303


def test_a_wrong_password_is_told_beside_the_field(filled: Living) -> None:
    with TestClient(make_app(filled.portal), base_url=HOME, headers={"Origin": HOME}) as client:
        answer = client.post("/sign-in", data={"name": EVIL, "password": "wrong"})
    assert answer.status_code == 422
    assert 'aria-invalid="true"' in answer.text
    assert not scripts_in(answer.text)


def test_the_header_of_a_proxy_is_not_believed(
    filled: Living, monkeypatch: pytest.MonkeyPatch
) -> None:
    clients = []

    def sign_in(name: str, password: str, *, client: str, agent: str) -> str:
        clients.append(client)
        raise TooOften("too often", retry_after=60)

    monkeypatch.setattr(filled.portal, "sign_in", sign_in)
    with TestClient(make_app(filled.portal), base_url=HOME, headers={"Origin": HOME}) as client:
        for forged in ("203.0.113.1", "203.0.113.2"):
            headers = {"X-Forwarded-For": forged, "Forwarded": f"for={forged}"}
            form = {"name": NAME, "password": "wrong"}
            assert client.post("/sign-in", data=form, headers=headers).status_code == 429
    assert clients == ["testclient", "testclient"]


def test_every_answer_has_a_strict_policy(friend: TestClient) -> None:
    for path in ("/", "/news", "/nothing", "/static/portal.css"):
        policy = friend.get(path).headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self';" in policy
        assert "unsafe" not in policy
    first, second = (friend.get("/news").headers["content-security-policy"] for _ in range(2))
    assert first != second  # the nonce


def test_too_much_is_refused(client: TestClient) -> None:
    large = b"x" * (1 << 20)
    answer = client.post("/sign-in", content=large, headers={"Origin": HOME})
    assert answer.status_code == 413

    def pieces() -> Iterator[bytes]:
        for _ in range(20):
            yield large[: 64 << 10]

    kind = "application/x-www-form-urlencoded"
    headers = {"Origin": HOME, "Content-Type": kind}
    answer = client.post("/sign-in", content=pieces(), headers=headers)
    assert answer.status_code == 413


def test_pages_that_are_not_there_are_friendly(friend: TestClient) -> None:
    for path in ("/nothing", "/tiles/nothing", "/boards/nothing", "/pick/nothing", "/shared/no"):
        answer = friend.get(path)
        assert answer.status_code == 404
        assert "Nothing here" in answer.text


def test_forms_that_no_screen_makes_are_refused(filled: Living, friend: TestClient) -> None:
    tile, tab = filled.tiles["fresh"].uid, filled.board.tabs[0].uid
    kind = {"Content-Type": "application/json"}
    for body in (b"{", b"[]", b'{"places": {"x": 1}, "version": 1}', b"\xff"):
        answer = friend.post(f"/tabs/{tab}/places", content=body, headers=kind)
        assert answer.status_code == 422
    large = str(10**30)
    for path, form in (
        (f"/tiles/{tile}", {"name": "Tea", "look": "upside down"}),
        (f"/tiles/{tile}", {"name": "Tea", "every": large}),
        (f"/tiles/{tile}", {"name": "Tea", "every": "often"}),
        (f"/tiles/{tile}/move", {"move": "away"}),
        (f"/tiles/{tile}/question", {"answer": "perhaps"}),
        ("/settings", {"theme": "pink"}),
        ("/settings/programs", {"name": "x", "scope": "read", "days": large}),
        (f"/settings/people/{large}/remove", {}),
        ("/settings/transfer", {}),
    ):
        assert friend.post(path, data=form).status_code in (404, 422), path


# What strangers wrote


class _Scripts(HTMLParser):
    """Collects what would run."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        if tag == "script" and not (values.get("src") or "").startswith("/static/"):
            self.found.append(tag)
        self.found += [name for name in values if name.startswith("on")]
        if tag == "img" and not (values.get("src") or "/").startswith("/"):
            self.found.append(str(values["src"]))
        if (values.get("href") or "").lower().startswith(("javascript:", "data:")):
            self.found.append(str(values["href"]))


def scripts_in(html: str) -> list[str]:
    """All that would run, or be fetched from elsewhere."""
    parser = _Scripts()
    parser.feed(html)
    return parser.found


def test_the_check_for_scripts_finds_some() -> None:
    assert scripts_in(f'<p>{EVIL}</p><a href="javascript:x">') == [
        "script", "onerror", "x", "javascript:x",
    ]  # fmt: skip


def test_hostile_words_do_nothing_on_any_screen(filled: Living, friend: TestClient) -> None:
    page = harbour.front(title=EVIL, weather=f"Rain {EVIL}", news=(EVIL, "Calm"))
    filled.site.pages["/hostile"] = page.replace("<h2>Weather", f"<h2>Weather &lt;{EVIL}")
    filled.site.pages["/hostile?q=<script>alert(1)</script>"] = page
    me = filled.me
    tile = filled.place("/hostile", "Weather", name="Weather" + EVIL)
    filled.portal.rename_board(me, filled.board.uid, EVIL)
    tab = filled.portal.make_tab(me, filled.board.uid, EVIL)
    filled.portal.make_token(me, EVIL, ["read"])
    filled.portal.invite(me, EVIL)
    filled.portal.change_tile(me, tile.uid, condition={"kind": "present", "words": EVIL[:100]})
    preview = filled.portal.preview(me, filled.site("/hostile"))
    failing = filled.portal.preview(me, filled.site("/<script>alert(1)</script>"))
    filled.worker.do_all()
    filled.site.pages["/hostile"] = page.replace("Calm", f"Storm {EVIL}").replace("Rain", "Sun")
    filled.look(tile)
    filled.site.pages["/hostile"] = Answer(status=500)
    filled.look(tile)
    board = filled.board
    for path in (
        "/add?address=" + EVIL, f"/pick/{preview.uid}", f"/pick/{failing.uid}",
        f"/place/{preview.uid}?part=1&part=5", f"/boards/{board.uid}",
        f"/boards/{board.uid}/{tab.uid}", f"/boards/{board.uid}/edit", f"/tiles/{tile.uid}",
        f"/tiles/{tile.uid}/card", f"/tiles/{tile.uid}/edit", "/news", "/settings/people",
        "/settings/programs", "/settings/sharing", "/settings/health", "/nothing?done=" + EVIL,
        "/settings?done=" + EVIL,
    ):  # fmt: skip
        answer = friend.get(path)
        assert answer.status_code in (200, 404), path
        assert not scripts_in(answer.text), path


def test_a_shared_link_opens_one_thing_only(filled: Living) -> None:
    me, tiles = filled.me, filled.tiles
    _, one = filled.portal.share(me, tile=tiles["fresh"].uid)
    with TestClient(make_app(filled.portal), base_url=HOME, follow_redirects=False) as stranger:
        assert stranger.get(f"/shared/{one}").status_code == 200
        framed = stranger.get(f"/shared/{one}/{tiles['fresh'].uid}")
        assert "sandbox" in framed.headers["content-security-policy"]
        assert stranger.get(f"/shared/{one}/{tiles['changed'].uid}").status_code == 404
        assert stranger.get(f"/shared/{one}/{tiles['changed'].uid}/picture").status_code == 404
        assert stranger.get(f"/shared/{one[:-1]}x").status_code == 404
        assert stranger.get(f"/tiles/{tiles['fresh'].uid}").status_code == 303
