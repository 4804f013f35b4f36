from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pagesight.sources import Kind, Source
from pagesight.sources.charset import codec_of, decide, decode

BOMS = [
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
    (b"\xff\xfe\0\0", "utf-32-le"),
]


@pytest.mark.parametrize(("mark", "encoding"), BOMS)
def test_a_byte_order_mark_beats_everything(mark: bytes, encoding: str) -> None:
    data = mark + '<meta charset="koi8-r"><p>Tee für 3 €'.encode(encoding)
    assert decide(data, header="windows-1251") == encoding
    assert decode(data, encoding) == '<meta charset="koi8-r"><p>Tee für 3 €'


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("title", ["Tea", "お茶", "Чай"])
def test_utf_16_without_a_mark(encoding: str, title: str) -> None:
    markup = f'<!doctype html><html lang="x"><head><title>{title}</title></head>'
    assert decide(markup.encode(encoding), header="utf-8") == encoding
    assert decode(markup.encode(encoding), encoding) == markup


@pytest.mark.parametrize("data", [b"", b"a", b"<p>a\0b\0c</p>" + b"x" * 50, b"\0" * 100])
def test_some_nuls_are_no_utf_16(data: bytes) -> None:
    assert decide(data) == "utf-8"


def test_the_header_beats_the_page() -> None:
    assert decide(b'<meta charset="utf-8">', header="koi8-r") == "koi8-r"


def test_a_header_that_means_nothing() -> None:
    assert decide(b'<meta charset="koi8-r">', header="none") == "koi8-r"


@pytest.mark.parametrize(
    "head",
    [
        '<meta charset="windows-1251">',
        "<meta charset=windows-1251>",
        "<META CHARSET='Windows-1251' />",
        '<meta http-equiv="Content-Type" content="text/html; charset=windows-1251">',
        '<meta content="text/html; charset=windows-1251" http-equiv="content-type">',
        '<?xml version="1.0" encoding="windows-1251"?>',
        '<!-- <meta charset="utf-8"> --><meta charset="cp1251">',
        '<script>\'<meta charset="utf-8">\'</script><meta charset="cp1251">',
        "<title>" + "x" * 10_000 + '</title><meta charset="cp1251">',
        "<style>" + "x" * 30_000 + '</style><meta charset="cp1251"><body>',
        '<meta charset="x-cp1251">',
    ],
)
def test_what_the_page_declares(head: str) -> None:
    assert decide(head.encode() + "<p>Чай".encode("cp1251")) == "cp1251"


def test_what_stands_in_the_body_declares_nothing() -> None:
    assert decide(b'<body><p><meta charset="windows-1251">') == "utf-8"


def test_a_meta_tag_beats_the_xml_declaration_in_html_only() -> None:
    data = b'<?xml version="1.0" encoding="koi8-r"?><meta charset="cp1251">'
    assert decide(data) == "cp1251"
    assert decide(data, is_xhtml=True) == "koi8-r"


@pytest.mark.parametrize(
    ("label", "codec"),
    [
        ("UTF-8", "utf-8"),
        (" utf8 ", "utf-8"),
        ("unicode-1-1-utf-8", "utf-8"),
        ("utf-16", "utf-8"),
        ("utf-16be", "utf-8"),
        ("unicode", "utf-8"),
        ("iso-8859-1", "cp1252"),
        ("latin1", "cp1252"),
        ("us-ascii", "cp1252"),
        ("iso88591", "cp1252"),
        ("ISO_8859-1:1987", "cp1252"),
        ("x-user-defined", "cp1252"),
        ("iso-8859-8-i", "iso8859-8"),
        ("visual", "iso8859-8"),
        ("iso-8859-9", "cp1254"),
        ("iso-8859-11", "cp874"),
        ("x-mac-cyrillic", "mac-cyrillic"),
        ("x-mac-ukrainian", "mac-cyrillic"),
        ("macintosh", "mac-roman"),
        ("gb2312", "gb18030"),
        ("x-gbk", "gb18030"),
        ("x-x-big5", "big5hkscs"),
        ("shift_jis", "cp932"),
        ("x-sjis", "cp932"),
        ("euc-kr", "cp949"),
        ("ks_c_5601-1987", "cp949"),
        ("koi8-ru", "koi8-u"),
    ],
)
def test_labels_mean_what_they_mean_to_browsers(label: str, codec: str) -> None:
    assert codec_of(label) == codec


@pytest.mark.parametrize(
    "label", ["rot13", "base64", "utf-7", "idna", "unicode_escape", "undefined", "cp037", "", "é"]
)
def test_what_browsers_do_not_know_is_no_charset(label: str) -> None:
    assert codec_of(label) is None


@given(st.text())
def test_whatever_is_declared_can_be_decoded(label: str) -> None:
    assert decode(b"<p>\xff\xfe\0", decide(b"<p>\xff\xfe\0", header=label))


@pytest.mark.parametrize(
    ("encoding", "text"),
    [
        ("utf-8", "Tee für 3 €"),
        ("cp1252", "Café crème"),
        ("cp1252", "This costs 3 £ today, and tomorrow it will cost more."),
        ("cp1252", "“Tea” – John’s favourite drink, isn’t it?"),
        ("cp1250", "Příliš žluťoučký kůň úpěl ďábelské ódy. Včera jsme šli do divadla."),
        ("iso8859-2", "Wczoraj wieczorem poszliśmy do łódzkiego teatru, żeby obejrzeć sztukę."),
        ("cp1251", "Сегодня утром мы пошли в магазин и купили хлеб и молоко."),
        ("koi8-r", "Сегодня утром мы пошли в магазин и купили хлеб и молоко."),
        ("cp1253", "Σήμερα το πρωί πήγαμε στην αγορά και αγοράσαμε ψωμί και γάλα."),
        ("cp1255", "הבוקר הלכנו לשוק וקנינו לחם, חלב ותפוחים לכל המשפחה שלנו"),
        ("cp932", "今日の朝、私たちは市場に行って、家族全員のためにパンと牛乳を買いました。"),
        ("euc_jp", "今日の朝、私たちは市場に行って、家族全員のためにパンと牛乳を買いました。"),
        ("gb18030", "今天早上我们去市场给全家人买了面包、牛奶和苹果。天气非常好。"),
        ("big5hkscs", "今天早上我們去市場給全家人買了麵包、牛奶和蘋果。天氣非常好。"),
        ("cp949", "오늘 아침 우리는 시장에 가서 온 가족을 위해 빵과 우유를 샀습니다."),
        ("iso2022_jp", "今日の朝、私たちは市場に行きました。"),
    ],
)
def test_pages_that_declare_nothing(encoding: str, text: str) -> None:
    data = ("<html><body>" + f"<p>{text}</p>\n" * 3).encode(encoding)
    assert decode(data, decide(data)) == data.decode(encoding)


def test_utf_8_that_is_cut_off_or_damaged_is_still_utf_8() -> None:
    data = ("<p>" + "чай " * 100).encode()
    assert decide(data[:-2]) == "utf-8"
    assert decide(data + b"\xff" + data) == "utf-8"


def test_a_wrong_declaration_is_followed_and_never_fails() -> None:
    page = Source(name="x", data=b'<meta charset="utf-8"><p>caf\xe9', kind=Kind.HTML)
    assert page.encoding == "utf-8"
    assert page.text.endswith("caf\ufffd")


def test_nuls_do_not_get_through() -> None:
    assert decode(b"a\0b", "utf-8") == "a\ufffdb"


def test_lone_surrogates_do_not_get_through() -> None:
    assert decode(b"\xff\xfe\x00\xd8a\0", "utf-16-le") == "\ufffda"
    assert "\ud800" not in decode(b"\xed\xa0\x80", "utf-8")


@pytest.mark.parametrize("padding", [0, *range(2000, 2060, 3), 5000])
def test_a_declaration_is_found_wherever_it_is(padding: int) -> None:
    head = f"<html><head><!-- {'x' * padding} <meta charset=koi8-r> --><meta charset=utf-8>"
    assert decide(head.encode()) == "utf-8"


def test_large_pages_are_guessed_from_a_sample() -> None:
    data = "<p>Les élèves ont été très étonnés par la leçon</p>\n".encode("cp1252") * 200_000
    started = time.process_time()
    assert decide(data) == "cp1252"
    assert time.process_time() - started < 2


@pytest.mark.parametrize("piece", [b"<!--", b"<meta ", b"<meta charset", b"<script", b"<?xml "])
def test_hostile_heads_take_no_time(piece: bytes) -> None:
    started = time.process_time()
    decide(piece * 100_000)
    assert time.process_time() - started < 2
