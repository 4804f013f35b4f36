"""HTML of strangers: what is harmless stays, and everything else goes."""

from __future__ import annotations

from pathlib import Path

import pytest

from pagesight.portal.excluding import without
from pagesight.portal.foreign import Foreign, styled
from pagesight.portal.foreign.cleaning import Clean, cleaned
from pagesight.portal.foreign.declarations import harmless
from pagesight.portal.picks import relative_path
from pagesight.portal.values import Look
from pagesight.watch import Watch
from pagesight.watch.store.store import Store
from small_pages import el, make_page
from strangers import observation
from watched import save


def picture(url: str) -> str | None:
    return f"/pictures/{url}"


def clean(html: str, *, is_styled: bool = True) -> Clean:
    return cleaned(html, picture, is_styled=is_styled)


@pytest.mark.parametrize(
    "html",
    [
        "<script>alert(1)</script>",
        "<iframe src=http://evil.example></iframe>",
        "<style>* { position: fixed }</style>",
        "<link rel=stylesheet href=http://evil.example>",
        "<meta http-equiv=refresh content='0;url=http://evil.example'>",
        "<object data=http://evil.example></object><embed src=http://evil.example>",
        "<svg><script>alert(1)</script><use href=http://evil.example></svg>",
        "<math><mtext><style><img src=x onerror=alert(1)></style></mtext></math>",
        "<template shadowrootmode=open><script>alert(1)</script></template>",
        "<video poster=http://evil.example src=http://evil.example></video>",
        "<base href=http://evil.example>",
    ],
)
def test_what_runs_or_loads_is_gone(html: str) -> None:
    assert clean(f"<p>tea</p>{html}<p>cup</p>").html == "<p>tea</p><p>cup</p>"


@pytest.mark.parametrize(
    "attribute",
    [
        "onclick=alert(1)", "id=app", "name=app", "popover", "popovertarget=app", "autofocus",
        "srcset='http://evil.example 2x'", "ping=http://evil.example", "slot=x", "part=x",
        "contenteditable", "accesskey=x", "tabindex=1", "is=x", "hx-get=/", "data-hx-get=/",
        "style='position:fixed'", "class=app", "href=javascript:alert(1)", "background=//evil",
        "form=f", "formaction=//evil", "role=alert", "aria-hidden=true", "usemap=#m", "inert",
    ],
)  # fmt: skip
def test_attributes_that_reach_further_are_gone(attribute: str) -> None:
    assert clean(f"<p {attribute}>tea</p>").html == "<p>tea</p>"


def test_links_open_outside_and_tell_nothing() -> None:
    (html,) = {clean("<a href='http://tea.example/' target=app rel=opener>tea</a>").html}
    assert 'href="http://tea.example/"' in html
    assert 'target="_blank"' in html
    assert 'rel="noopener noreferrer nofollow"' in html


@pytest.mark.parametrize(
    "address", ["javascript:alert(1)", "data:text/html,x", "/settings", "?x", " \tjava\nscript:x"]
)
def test_links_lead_to_the_web_only(address: str) -> None:
    assert "href" not in clean(f'<a href="{address}">tea</a>').html


def test_pictures_come_through_this_server() -> None:
    html = clean("<img src='http://tea.example/cup.png' srcset='http://evil.example 2x'>").html
    assert 'src="/pictures/http://tea.example/cup.png"' in html
    assert "evil" not in html


def test_forms_leave_their_words() -> None:
    html = clean("<form action=/x><label>Tea</label><input name=x><button>Buy</button></form>").html
    assert html == "<div>TeaBuy</div>"


def test_words_on_lines_of_their_own_stay_there() -> None:
    found = clean('<b style="display:block;color:#ff0000">tea</b>', is_styled=False)
    assert found.rules == ".s0{display:block}"
    assert clean('<b style="display:block;float:right">tea</b>', is_styled=False).rules == ""


def test_styles_become_classes() -> None:
    found = clean('<p style="color:#ff0000">tea</p><p style="color:#ff0000">cup</p>')
    assert found.html == '<p class="s0">tea</p><p class="s0">cup</p>'
    assert found.rules == ".s0{color:#ff0000}"
    plain = clean('<p style="color:#ff0000">tea</p>', is_styled=False)
    assert plain == Clean("<p>tea</p>", "")


@pytest.mark.parametrize(
    "style",
    [
        "position:fixed", "z-index:9", "background:url(http://evil.example)", "margin-top:-900px",
        "background-color:url(x)", "color:expression(alert(1))", "color:var(--secret)",
        "width:calc(1px)", "width:99999px", "font-size:9999px", "@import 'http://evil.example'",
        "color:#fff!important", "display:fixed", "behavior:url(x)", "content:'x'", "float:top",
        "color:red}*{position:fixed", "color:</style><script>", "width:1e999px", "padding:-1px",
        "font-family:'Evil'", "opacity:-1", "color:#gggggg", "\\70osition:fixed", "width:50vw",
        "transform:scale(9)", "inset:0", "color:#ff0000;}" * 200,
    ],
)  # fmt: skip
def test_styles_that_reach_further_are_gone(style: str) -> None:
    assert harmless(style) == ""


def test_a_piece_with_a_name_of_its_own_is_cut_out() -> None:
    page = make_page(el("div", el("tea-card", "green"), el("tea-card", "black")))
    written = styled(page, [1]) or ""
    html = "<div><tea-card>green</tea-card><tea-card>black</tea-card></div>"
    seen = observation(html=html, styled=written)
    path = relative_path(page[1].xpath, page[4].xpath)
    assert path == "/tea-card[2]"
    shown = without(seen, [path]).styled or ""
    assert "green" in shown
    assert "black" not in shown


def test_headings_and_landmarks_are_below_those_of_the_page() -> None:
    html = clean("<main><h1>Tea</h1><nav>more</nav></main>").html
    assert html == "<div><h3>Tea</h3><div>more</div></div>"


@pytest.mark.parametrize("tag", ["<div>", "<a>", "<b><i><p>", "<table><td>", "<DIV class=x></y>"])
def test_what_is_nested_too_deep_is_shown_as_text(tag: str) -> None:
    assert clean(f"<p>tea</p>{tag * 100_000}").html.split() == ["tea"]  # it would take minutes


def test_long_lists_are_not_deep() -> None:
    assert clean("<ul>" + "<li>tea<br></li>" * 3_000 + "</ul>").html.count("<li>") == 3_000


def test_what_is_observed_carries_its_look(tmp_path: Path) -> None:
    store = Store.open(str(tmp_path / "db"))
    with Watch(store, renderer="embedded", styled=styled) as watch:
        (part,) = watch.add(save(tmp_path), select=["#news"])
        seen = watch.observation(part.id)
    assert seen.styled
    foreign = Foreign(b"secret")
    original = foreign.show(seen, look=Look.ORIGINAL, nonce="n0nce")
    plain = foreign.show(seen, look=Look.PLAIN, nonce="n0nce")
    for html in (original, plain):
        assert "Green tea is here" in html
        assert '<style nonce="n0nce">' in html
        assert " style=" not in html
    assert "font-size:32px" in original or "font-size:24px" in original
    assert "font-size:24px" not in plain
