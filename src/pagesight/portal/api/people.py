"""People, what is new for them, what they share, where messages go, and how the portal is."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from pagesight.portal.api.boards import NAME
from pagesight.portal.api.fields import Field
from pagesight.portal.api.operations import NOTHING, Answer, Call, Operation, answer, listed
from pagesight.portal.transfer import opml
from pagesight.portal.transfer.archive import LARGEST_FILE
from pagesight.portal.values import (
    Account,
    Channel,
    Health,
    ImportReport,
    Invitation,
    Scope,
    Share,
    Tile,
    TileState,
)
from pagesight.watch import Changes

ZIP, OPML = "application/zip", "text/x-opml"
EXPIRES = Field(name="expires", format="date-time", may_be_null=True)
SINCE = Field(name="since", format="date-time", about="without it: since your last visit")
WHOLE = Field(name="whole", type="boolean", about="of everybody, for who looks after the portal")


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What changed in a tile."""

    board: str
    tile: Tile
    state: TileState
    time: datetime
    summary: str
    changes: Changes


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """What opens one board or one tile, and nothing else."""

    share: Share
    address: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Invited:
    """An invitation, and the address that is told to who is invited; it is shown once."""

    invitation: Invitation
    address: str


def get_account(call: Call) -> Answer:
    """Who you are."""
    return answer(call.account)


def list_people(call: Call) -> Answer:
    """Everybody who has an account."""
    return listed(call, call.portal.people(call.account), lambda person: person.id)


def remove_person(call: Call) -> Answer:
    """Forget somebody with all their boards."""
    call.portal.remove_person(call.account, call.path["id"])
    return NOTHING


def invite(call: Call) -> Answer:
    """Invite one person."""
    invitation, secret = call.portal.invite(call.account, call.body.get("note", ""))
    address = f"{call.portal.config.address}/invitations/{secret}"
    return answer(Invited(invitation=invitation, address=address), status=201)


def list_news(call: Call) -> Answer:
    """What changed on your boards, the newest first."""
    found = call.portal.news(call.account, call.query.get("since"))
    changes = [
        Change(
            board=one.board.uid, tile=one.tile, state=one.state, time=one.time,
            summary=one.summary, changes=one.changes,
        )
        for one in found
    ]  # fmt: skip
    return listed(call, changes, lambda one: [one.tile.uid, one.changes.after.number])


def mark_seen(call: Call) -> Answer:
    """You have seen all that is new."""
    return answer(call.portal.mark_seen(call.account))


def list_shares(call: Call) -> Answer:
    """The links to your boards and their tiles."""
    links = [_link(call, share) for share in call.portal.shares(call.account)]
    return listed(call, links, lambda link: link.share.uid)


def share(call: Call) -> Answer:
    """Make a link that shows one board or one tile to whoever has it."""
    made, _ = call.portal.share(call.account, **call.body)
    return answer(_link(call, made), status=201)


def _link(call: Call, made: Share) -> Link:
    portal = call.portal
    return Link(share=made, address=f"{portal.config.address}/shared/{portal.link(made)}")


def unshare(call: Call) -> Answer:
    """Make a link lead nowhere."""
    call.portal.unshare(call.account, call.path["uid"])
    return NOTHING


def list_channels(call: Call) -> Answer:
    """Where messages to you go. Their addresses are not told again: they may hold passwords."""
    return listed(call, call.portal.channels(call.account), lambda channel: channel.id)


def add_channel(call: Call) -> Answer:
    """Send messages there as well; the address is one of Apprise."""
    return answer(call.portal.add_channel(call.account, **call.body), status=201)


def remove_channel(call: Call) -> Answer:
    """Send no messages there any more."""
    call.portal.remove_channel(call.account, call.path["id"])
    return NOTHING


def try_channel(call: Call) -> Answer:
    """Send a message there to see whether it comes."""
    call.portal.try_channel(call.account, call.path["id"])
    return NOTHING


def export(call: Call) -> Answer:
    """All that is yours, as a file from which a new portal can be made."""
    file = call.portal.export(call.account, whole=call.query.get("whole", False))
    return Answer(file=file, media=ZIP, name="pagesight.zip")


def export_opml(call: Call) -> Answer:
    """The pages of your boards, as an outline that other programs read."""
    data = call.portal.opml(call.account).encode("utf-8", "replace")
    return Answer(data=data, media=OPML, name="pagesight.opml")


def import_(call: Call) -> Answer:
    """Add what is in such a file."""
    assert call.file
    if call.media == OPML:
        text = call.file.read(opml.LARGEST + 1).decode("utf-8", "replace")
        return answer(call.portal.import_opml(call.account, text))
    return answer(call.portal.import_(call.account, call.file))


def get_health(call: Call) -> Answer:
    """Whether the work is being done, and which pages fail."""
    return answer(call.portal.health(call.account))


_NOTE = Field(name="note", about="who it is for")
_SHARED = (
    Field(name="board", about="the uid of a board, or"),
    Field(name="tile", about="the uid of a tile"),
    Field(name="public", type="boolean", about="listed for everybody"),
    EXPIRES,
)
_CHANNEL = Field(name="address", is_required=True, about="as Apprise writes it")

OPERATIONS = (
    Operation(method="GET", path="/account", handler=get_account, gives=Account),
    Operation(method="GET", path="/people", handler=list_people, gives=Account, is_listed=True),
    Operation(method="DELETE", path="/people/{id:int}", handler=remove_person, scope=Scope.ADMIN,
              status=204),
    Operation(method="POST", path="/invitations", handler=invite, scope=Scope.ADMIN, body=[_NOTE],
              gives=Invited, status=201),
    Operation(method="GET", path="/news", handler=list_news, query=[SINCE], gives=Change,
              is_listed=True),
    Operation(method="POST", path="/news/seen", handler=mark_seen, scope=Scope.WRITE,
              gives=Account),
    Operation(method="GET", path="/shares", handler=list_shares, gives=Link, is_listed=True),
    Operation(method="POST", path="/shares", handler=share, scope=Scope.WRITE, body=_SHARED,
              gives=Link, status=201),
    Operation(method="DELETE", path="/shares/{uid}", handler=unshare, scope=Scope.WRITE,
              status=204),
    Operation(method="GET", path="/channels", handler=list_channels, gives=Channel,
              is_listed=True),
    Operation(method="POST", path="/channels", handler=add_channel, scope=Scope.WRITE,
              body=[NAME, _CHANNEL], gives=Channel, status=201),
    Operation(method="DELETE", path="/channels/{id:int}", handler=remove_channel,
              scope=Scope.WRITE, status=204),
    Operation(method="POST", path="/channels/{id:int}/try", handler=try_channel,
              scope=Scope.WRITE, status=204),
    Operation(method="GET", path="/export", handler=export, query=[WHOLE], gives=ZIP,
              scope=Scope.WRITE),  # where messages go is in it, with passwords
    Operation(method="GET", path="/export.opml", handler=export_opml, gives=OPML),
    Operation(method="POST", path="/import", handler=import_, scope=Scope.WRITE, media=[ZIP, OPML],
              largest=LARGEST_FILE, gives=ImportReport),
    Operation(method="GET", path="/health", handler=get_health, scope=Scope.ADMIN, gives=Health),
)  # fmt: skip
