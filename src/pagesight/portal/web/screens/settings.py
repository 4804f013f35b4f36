"""Settings: my account, people, programs, sharing, messages, import and export, health."""

from __future__ import annotations

from codecs import BOM_UTF8
from datetime import timedelta

from starlette.responses import Response
from starlette.routing import Route

from pagesight.portal.api.routing import streamed
from pagesight.portal.errors import Invalid
from pagesight.portal.transfer.opml import LARGEST as LARGEST_OUTLINE
from pagesight.portal.values import Health, Scope
from pagesight.portal.web.visits import Visit, get, go, post

THEMES = ("auto", "light", "dark")


def account(visit: Visit) -> Response:
    """Look, keys, password, and where I am signed in."""
    return visit.show(
        "settings_account.html",
        sessions=visit.portal.sessions(visit.account),
        here=visit.session,
    )


def save_account(visit: Visit) -> Response:
    """Look and keys."""
    theme = visit.text("theme")
    if theme not in THEMES:
        raise Invalid("this look is not known", field="theme")
    visit.portal.settings(visit.account, theme=theme, keys=bool(visit.text("keys")))
    return go("/settings", "saved")


def change_password(visit: Visit) -> Response:
    """Another password; every browser has to sign in with it."""
    visit.portal.change_password(visit.account, visit.secret("old"), visit.secret("new"))
    return go("/sign-in", "password")


def end_sessions(visit: Visit) -> Response:
    """Sign out everywhere else."""
    visit.portal.end_sessions(visit.account, except_token=visit.request.state.token)
    return go("/settings", "ended")


def people(visit: Visit, secret: str = "") -> Response:
    """Who has an account, and who is invited."""
    me = visit.account
    return visit.show(
        "settings_people.html",
        people=visit.portal.people(me),
        invitations=visit.portal.invitations(me) if me.is_admin else [],
        link=f"{_address(visit)}/invitations/{secret}" if secret else "",
    )


def invite(visit: Visit) -> Response:
    """A link for one more person, which is shown once."""
    _, secret = visit.portal.invite(visit.account, visit.text("note"))
    return people(visit, secret)


def take_back(visit: Visit) -> Response:
    """Nobody may use an invitation any more."""
    visit.portal.take_back(visit.account, visit.path["id"])
    return go("/settings/people", "removed")


def remove_person(visit: Visit) -> Response:
    """Remove an account with everything that it owns."""
    visit.portal.remove_person(visit.account, visit.path["id"])
    return go("/settings/people", "removed")


def tokens(visit: Visit, secret: str = "") -> Response:
    """What programs sign in with."""
    return visit.show(
        "settings_tokens.html", tokens=visit.portal.tokens(visit.account), secret=secret
    )


def make_token(visit: Visit) -> Response:
    """A token, which is shown once."""
    days = visit.number("days")
    expires = visit.portal.now() + timedelta(days=days) if days else None
    scopes = {Scope(value) for value in visit.texts("scope") if value in [*Scope]}
    _, secret = visit.portal.make_token(visit.account, visit.text("name"), scopes, expires)
    return tokens(visit, secret)


def revoke_token(visit: Visit) -> Response:
    """Let a program in no more."""
    visit.portal.revoke_token(visit.account, visit.path["id"])
    return go("/settings/programs", "removed")


def channels(visit: Visit) -> Response:
    """Where messages go."""
    return visit.show("settings_channels.html", channels=visit.portal.channels(visit.account))


def add_channel(visit: Visit) -> Response:
    """One more place."""
    visit.portal.add_channel(visit.account, visit.text("name"), visit.text("address"))
    return go("/settings/messages", "saved")


def remove_channel(visit: Visit) -> Response:
    """One place less."""
    visit.portal.remove_channel(visit.account, visit.path["id"])
    return go("/settings/messages", "removed")


def try_channel(visit: Visit) -> Response:
    """Send a message that says that messages arrive."""
    visit.portal.try_channel(visit.account, visit.path["id"])
    return go("/settings/messages", "sent")


def transfer(visit: Visit) -> Response:
    """Import and export."""
    return visit.show("settings_transfer.html", report=None)


def export(visit: Visit) -> Response:
    """Everything of mine in a file; or everything of everybody, for a new installation."""
    file = visit.portal.export(visit.account, whole=bool(visit.text("whole")))
    return streamed(file, _named("pagesight.zip"), "application/zip")


def opml(visit: Visit) -> Response:
    """The pages of my parts, as readers of feeds take them."""
    text = visit.portal.opml(visit.account)
    return Response(text, headers=_named("pagesight.opml"), media_type="text/x-opml")


def import_(visit: Visit) -> Response:
    """Take what was exported, here or by another program."""
    file = visit.uploaded
    first = file.read(100) if file else b""
    if file is None or not first:
        raise Invalid("choose a file", field="file")
    file.seek(0)
    if first.removeprefix(BOM_UTF8).lstrip()[:1] == b"<":
        outline = file.read(LARGEST_OUTLINE + 1)  # it says its encoding
        report = visit.portal.import_opml(visit.account, outline)
    else:
        report = visit.portal.import_(visit.account, file)
    return visit.show("settings_transfer.html", report=report)


def health(visit: Visit) -> Response:
    """Whether everything works."""
    return visit.show("settings_health.html", health=_health(visit))


def _health(visit: Visit) -> Health:
    """All of it for who looks after the installation."""
    return visit.portal.health(visit.account if visit.account.is_admin else None)


def sharing(visit: Visit, link: str = "") -> Response:
    """Everything that somebody without an account can see."""
    me = visit.account
    return visit.show(
        "settings_sharing.html",
        shares=visit.portal.shares(me),
        boards=[board for board in visit.portal.boards(me) if board.may_edit(me)],
        link=link,
    )


def share(visit: Visit) -> Response:
    """A link to one board or one tile, which is shown once."""
    kind, _, uid = visit.text("what").partition("/")
    if kind not in ("board", "tile"):
        raise Invalid("choose what to share", field="what")
    days = visit.number("days")
    expires = visit.portal.now() + timedelta(days=days) if days else None
    _, secret = visit.portal.share(
        visit.account, **{kind: uid}, public=bool(visit.text("public")), expires=expires
    )
    return sharing(visit, f"{_address(visit)}/shared/{secret}")


def unshare(visit: Visit) -> Response:
    """Close a link."""
    visit.portal.unshare(visit.account, visit.path["uid"])
    return go("/settings/sharing", "removed")


def _address(visit: Visit) -> str:
    """Where people reach this installation."""
    public = visit.request.app.state.public
    return str(public or visit.request.base_url).rstrip("/")


def _named(name: str) -> dict[str, str]:
    """What makes a browser save a file."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


ROUTES: list[Route] = [
    get("/settings", account),
    post("/settings", save_account, back=account),
    post("/settings/password", change_password, back=account),
    post("/settings/sessions", end_sessions, back=account),
    get("/settings/people", people),
    post("/settings/people", invite, back=people),
    post("/settings/people/{id:int}/remove", remove_person, back=people),
    post("/settings/invitations/{id:int}/remove", take_back, back=people),
    get("/settings/programs", tokens),
    post("/settings/programs", make_token, back=tokens),
    post("/settings/programs/{id:int}/remove", revoke_token, back=tokens),
    get("/settings/messages", channels),
    post("/settings/messages", add_channel, back=channels),
    post("/settings/messages/{id:int}/remove", remove_channel, back=channels),
    post("/settings/messages/{id:int}/try", try_channel, back=channels),
    get("/settings/sharing", sharing),
    post("/settings/sharing", share, back=sharing),
    post("/settings/sharing/{uid}/remove", unshare, back=sharing),
    get("/settings/transfer", transfer),
    post("/settings/transfer", import_, back=transfer),
    post("/settings/export", export, back=transfer),
    post("/settings/opml", opml, back=transfer),
    get("/settings/health", health),
]
