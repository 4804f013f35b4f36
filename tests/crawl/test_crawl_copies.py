"""What is saved looks the same without the network."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from websites import crawled, page

from pagesight.crawl.copies import stylesheet_count
from pagesight.learning.corpora import request_of, rows
from pagesight.render import AnyRenderer
from pagesight.sources import load
from serving import Answer, Website, website

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


def saved(folder: Path) -> tuple[dict[str, Any], str]:
    """The one page of a corpus: its row and its text."""
    (row,) = rows(folder / "outlines")
    return row, load(request_of(folder / "outlines", row)).text


def sheets(folder: Path) -> dict[str, str]:
    """The saved stylesheets by the first word of their names."""
    files = (folder / "outlines").rglob("*.css")
    return {file.name.partition("-")[0]: file.read_text("utf-8-sig") for file in files}


def test_a_row_is_as_other_corpora_have_it(tmp_path: Path) -> None:
    with website({"/tea": page(head='<meta name=generator content="Kettle 2">')}) as site:
        crawled(tmp_path, site("/tea#top"))
        row, _ = saved(tmp_path)
        assert row == {
            "file": row["file"],
            "root": "pages",
            "url": site("/tea"),
            "levels": "12",
            "family": site.host,
            "generator": "Kettle 2",
        }
    assert not list(tmp_path.rglob("*.raw"))
    assert not list(tmp_path.rglob("*.part"))


def test_stylesheets_are_beside_the_page(tmp_path: Path) -> None:
    head = """<LINK rel="StyleSheet" href=one.css>
    <link rel='stylesheet' href='/two.css?v=1&amp;w=2'>
    <link rel="alternate stylesheet" title=Dark href="not.css">
    <link rel=stylesheet media=print href=not.css>
    <link rel=icon href=not.ico><!-- <link rel=stylesheet href=not.css> -->"""
    with website({"/x/": page(head=head), "/x/one.css": "p{}", "/two.css?v=1&w=2": "q{}"}) as site:
        crawled(tmp_path, site("/x/"))
        assert site.asked == ["/robots.txt", "/x/", "/x/one.css", "/two.css?v=1&w=2"]
    row, text = saved(tmp_path)
    folder = (tmp_path / "outlines" / row["file"]).parent
    assert sheets(tmp_path) == {"x": "p{}", "two": "q{}"}
    for name in ("x-one-css", "two-css"):
        (file,) = folder.glob(f"{name}-*.css")
        assert f'href="{file.name}"' in text
    assert text.count("not.css") == 3  # all else is as it was


@pytest.mark.parametrize(
    ("attributes", "needed"),
    [
        ("", True),
        ("media=screen", True),
        ("media='(max-width: 400px)'", True),  # on a screen of another size
        ("media='print, projection'", False),
        ("media=PRINT", False),
        ("disabled=''", False),
        ("title=Light", True),
        ("title=Dark rel='alternate stylesheet'", True),  # the first rel holds
    ],
)
def test_stylesheets_for_screens_of_any_size_are_saved(attributes: str, needed: bool) -> None:
    html = f"<link rel=stylesheet href=a.css {attributes}>"
    assert stylesheet_count(html) == needed


def test_stylesheets_in_the_page_are_counted() -> None:
    html = "<style></style><!-- <style></style> --><link rel=icon href=x><STYLE></STYLE>"
    assert stylesheet_count(html) == 2


def test_imports_and_addresses_in_stylesheets(tmp_path: Path) -> None:
    one = """@charset "utf-8"; /* url(no.png) @import "no.css"; */ @import url( two.css ) screen;
    @import 'sub/three.css'; p { background: url("a.png") } q::before { content: "url(no.png)" }
    a { mask: url(#m); background: URL(data:image/png;base64,AA) } @import "gone.css";"""
    with website() as site:
        site.pages |= {
            "/": page(head="<style>@import '/one.css'; p{background:url(b.png)}</style>"),
            "/one.css": one,
            "/two.css": "@import url(one.css);",  # in a circle
            "/sub/three.css": "i { background: url(../c.png) }",
        }
        crawled(tmp_path, site())
        asked = ["/robots.txt", "/", "/one.css", "/two.css", "/sub/three.css", "/gone.css"]
        assert site.asked == asked
        _, text = saved(tmp_path)
        found = sheets(tmp_path)
        names = {file.name.partition("-")[0]: file.name for file in tmp_path.rglob("*.css")}
        assert f'@import url("{names["one"]}"); p{{background:url("{site("/b.png")}")}}' in text
        assert f'@import url("{names["two"]}") screen;' in found["one"]
        assert f'@import url("{names["sub"]}");' in found["one"]
        assert f'url("{site("/a.png")}")' in found["one"]
        assert f'@import url("{site("/gone.css")}");' in found["one"]
        assert '/* url(no.png) @import "no.css"; */' in found["one"]
        assert 'content: "url(no.png)"' in found["one"]
        assert "url(#m)" in found["one"]
        assert "URL(data:image/png;base64,AA)" in found["one"]
        assert found["two"] == f'@import url("{names["one"]}");'
        assert found["sub"] == f'i {{ background: url("{site("/c.png")}") }}'


def test_a_base_is_followed_and_then_gone(tmp_path: Path) -> None:
    with website({"/deep/er/a.css": "p{}"}) as other, website() as site:
        head = f'<base href="{other("/deep/")}"><link rel=stylesheet href="er/a.css">'
        site.pages["/"] = page(head=head)
        crawled(tmp_path, site())
        assert other.asked == ["/robots.txt", "/deep/er/a.css"]
        _, text = saved(tmp_path)
        assert '<base href="">' in text
        assert f'href="../{other.host.replace(":", "_")}/deep-er-a-css-' in text


def test_pictures_if_they_are_wanted(tmp_path: Path) -> None:
    with website() as site:
        site.pages |= {
            "/": page(
                head="<style>p{background:url(b.gif)}</style>",
                body='<h1>A</h1><h2>B</h2><img src="a" srcset="c.png 2x"><img srcset=d src=a>',
            ),
            "/a": Answer(PIXEL, "image/png"),
            "/b.gif": Answer(b"GIF89a", "image/gif"),
        }
        crawled(tmp_path / "without", site())
        assert site.asked == ["/robots.txt", "/"]
        crawled(tmp_path / "with", site(), pictures=True)
        assert site.asked[2:] == ["/robots.txt", "/", "/b.gif", "/a"]
        assert 'src="a" srcset="c.png 2x"' in saved(tmp_path / "without")[1]
        _, text = saved(tmp_path / "with")
        (file,) = (tmp_path / "with").rglob("*.png")
        assert f'<img src="{file.name}" srcset=""><img srcset="" src="{file.name}">' in text
        assert file.read_bytes() == PIXEL


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (page(title="Čaj").encode("iso8859-2"), "text/html; charset=iso-8859-2"),
        (page(title="Čaj", head="<meta charset=windows-1250>").encode("cp1250"), "text/html"),
        (page(title="Čaj").encode("utf-16"), "text/html"),
        (page(title="Čaj", head="<meta charset=latin1>").encode(), "text/html; charset=utf-8"),
    ],
)
def test_encodings(tmp_path: Path, data: bytes, media_type: str) -> None:
    with website({"/": Answer(data, media_type)}) as site:
        crawled(tmp_path, site())
    assert "<title>Čaj</title>" in saved(tmp_path)[1]


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        ('p::before{content:"Č"}'.encode("iso8859-2"), "text/css; charset=iso-8859-2"),
        ('@charset "windows-1250";p::before{content:"Č"}'.encode("cp1250"), "text/css"),
        ('p::before{content:"Č"}'.encode("utf-8-sig"), "text/css"),
    ],
)
def test_encodings_of_stylesheets(tmp_path: Path, data: bytes, media_type: str) -> None:
    with website() as site:
        site.pages |= {
            "/": page(head="<link rel=stylesheet href=a.css>"),
            "/a.css": Answer(data, media_type),
        }
        crawled(tmp_path, site())
    assert 'content:"Č"' in sheets(tmp_path)["a"]


def test_files_that_fail_are_written_down(tmp_path: Path) -> None:
    with website({"/": page(head="<link rel=stylesheet href=a.css>")}) as site:
        crawled(tmp_path, site())
        lines = (tmp_path / "outlines/crawl.jsonl").read_text().splitlines()
        journal = map(json.loads, lines)
        (row,) = [row for row in journal if "saved" in row]
        assert row["saved"] == site("/a.css")
        assert row["error"]["kind"] == "source_not_found"
        assert "href=a.css" in saved(tmp_path)[1]


@pytest.mark.browser
def test_the_copy_looks_like_the_page(tmp_path: Path, chromium: AnyRenderer) -> None:
    def pages(site: Website) -> dict[str, Answer | bytes | str]:
        return {
            "/": page(
                head='<base href="/css/"><link rel=stylesheet href="a.css">'
                "<style>@import url(/b.css);</style>"
            ),
            "/css/a.css": Answer(b"@import '../c.css'; h1{color:#010203}", "text/css"),
            "/b.css": Answer(b"h2{font-size:33px}", "text/css"),
            "/c.css": Answer(b"h1{font-size:44px}", "text/css"),
        }

    with website() as site:
        site.pages |= pages(site)
        crawled(tmp_path, site())
    (row,) = rows(tmp_path / "outlines")
    seen = chromium.render(load(request_of(tmp_path / "outlines", row)))
    h1, h2 = seen.find("h1", "h2")
    assert (h1.style.font_size, h2.style.font_size) == (44, 33)
    assert not seen.info.notes
