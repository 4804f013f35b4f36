"""Getting in: the first account, signing in, an invitation."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from pagesight.portal.web.visits import Visit, get, go, post


def welcome(visit: Visit) -> Response:
    """The first page of a new installation."""
    if visit.portal.has_accounts():
        return go("/sign-in")
    return visit.show("welcome.html", name=visit.text("name"))


def make_first_account(visit: Visit) -> Response:
    """Make the account that may invite others."""
    name, password = visit.text("name"), visit.secret("password")
    visit.portal.first_account(name, password)
    return _enter(visit, name, password, "/add?done=welcome")


def sign_in_form(visit: Visit) -> Response:
    """Name and password."""
    if visit.session:
        return go("/")
    if not visit.portal.has_accounts():
        return go("/welcome")
    return visit.show("sign_in.html", name=visit.text("name"))


def sign_in(visit: Visit) -> Response:
    """Begin a session."""
    return _enter(visit, visit.text("name"), visit.secret("password"), "/")


def sign_out(visit: Visit) -> Response:
    """End the session."""
    visit.portal.sign_out(visit.request.state.token)
    response = go("/sign-in")
    response.delete_cookie(_cookie(visit), path="/", secure=_is_secure(visit), httponly=True)
    return response


def invitation(visit: Visit) -> Response:
    """What somebody sees who is invited."""
    return visit.show("invitation.html", name=visit.text("name"))


def accept(visit: Visit) -> Response:
    """Make an account by an invitation."""
    name, password = visit.text("name"), visit.secret("password")
    visit.portal.accept(visit.path["secret"], name, password)
    return _enter(visit, name, password, "/add?done=welcome")


def _enter(visit: Visit, name: str, password: str, address: str) -> Response:
    agent = visit.request.headers.get("user-agent", "")
    token = visit.portal.sign_in(name, password, client=_client(visit.request), agent=agent)
    session = visit.portal.session(token)
    response = go(address)
    response.set_cookie(
        _cookie(visit),
        token,
        expires=session.expires if session else None,
        path="/",
        secure=_is_secure(visit),
        httponly=True,
        samesite="lax",
    )
    return response


def _client(request: Request) -> str:
    """Who asks. What a request says about that itself is not believed."""
    return request.client.host if request.client else ""


def _cookie(visit: Visit) -> str:
    name: str = visit.request.app.state.cookie
    return name


def _is_secure(visit: Visit) -> bool:
    return _cookie(visit).startswith("__Host-")


ROUTES: list[Route] = [
    get("/welcome", welcome),
    post("/welcome", make_first_account, back=welcome),
    get("/sign-in", sign_in_form),
    post("/sign-in", sign_in, back=sign_in_form),
    post("/sign-out", sign_out),
    get("/invitations/{secret}", invitation),
    post("/invitations/{secret}", accept, back=invitation),
]
