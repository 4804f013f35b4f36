"""What the charset that a server or a page declares means to a browser."""

from __future__ import annotations

import re

_CODECS = frozenset(
    [
        *["utf-8", "koi8-r", "koi8-u", "mac-roman", "mac-cyrillic"],
        *["gb18030", "big5hkscs", "euc_jp", "iso2022_jp"],
        *[f"cp{page}" for page in (866, 874, 932, 949, *range(1250, 1259))],
        *[f"iso8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)],
    ]
)
"""Python's names of the encodings that browsers know, so that ``charset=rot13`` is no encoding."""

# Labels of the Encoding Standard that neither Python nor w3lib knows, without "x-" in front.
_LABELS = {
    "csisolatin9": "iso8859-15",
    "sun_eu_greek": "iso8859-7",
    "visual": "iso8859-8",
    "logical": "iso8859-8",
    "koi": "koi8-r",
    "koi8": "koi8-r",
    "koi8-ru": "koi8-u",
    "mac": "mac-roman",
    "csmacintosh": "mac-roman",
    "mac-ukrainian": "mac-cyrillic",
    "dos-874": "cp874",
    "user-defined": "cp1252",
    "csgb2312": "gb18030",
    "gb_2312": "gb18030",
    "cn-big5": "big5hkscs",
    "cseucpkdfmtjapanese": "euc_jp",
    **dict.fromkeys(
        ["cseuckr", "csksc56011987", "iso-ir-149", "ks_c_5601-1989", "ksc_5601", "windows-949"],
        "cp949",
    ),
    **dict.fromkeys(
        [
            "unicode-1-1-utf-8",
            "unicode11utf8",
            "unicode20utf8",
            "unicode",
            "unicodefeff",
            "unicodefffe",
            "csunicode",
            "ucs-2",
            "iso-10646-ucs-2",
        ],
        "utf-8",
    ),
}
_ISO_8859 = re.compile(r"(?:cs)?iso[-_]?8859[-_]?(\d{1,2})(?:-?[ie])?(?::\d{4})?")


def codec_of(label: str) -> str | None:
    """What a declared charset means to a browser, or None if it means nothing.

    A declared UTF-16 means UTF-8: the declaration could not be read if it were true, and true
    UTF-16 is known by its bytes.
    """
    from w3lib.encoding import resolve_encoding

    label = label.strip().lower()
    while label.startswith("x-"):
        label = label[2:]
    if match := _ISO_8859.fullmatch(label):
        label = f"iso-8859-{match[1]}"
    codec = _LABELS.get(label) or (resolve_encoding(label) if label.isascii() else None)
    if codec in {"utf-16", "utf-16-le", "utf-16-be"}:
        return "utf-8"
    return codec if codec in _CODECS else None
