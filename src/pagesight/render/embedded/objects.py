"""The objects in a PDF as cairo writes it: the page, its forms, and its fonts."""

from __future__ import annotations

import re
import zlib

from pagesight.errors import RenderCrash
from pagesight.render.embedded.glyphs import Font

_NAME = rb"/([^\s/()<>\[\]]++)"  # not the addresses of links, which have slashes
_OBJECT = re.compile(rb"(?<!\d)(\d++) 0 obj\s*+")
_REFERENCE = re.compile(_NAME + rb"\s++(\d++) 0 R")
_ALPHA = re.compile(_NAME + rb"\s*+<<[^<>]*?/ca\s++([\d.]++)[^<>]*+>>")
_BFCHAR = re.compile(rb"<([0-9a-fA-F]+)>\s*<([0-9a-fA-F]+)>")
_BOLD = re.compile(r"bold|black|heavy", re.IGNORECASE)
_ITALIC = re.compile(r"italic|oblique", re.IGNORECASE)


class Objects:
    """The objects of a PDF by number: dictionary, and stream where there is one."""

    def __init__(self, pdf: bytes) -> None:
        self.dictionaries: dict[int, bytes] = {}
        self._streams: dict[int, bytes] = {}
        position = 0
        while match := _OBJECT.search(pdf, position):
            number = int(match[1])
            stream = pdf.find(b"stream", match.end())
            end = pdf.find(b"endobj", match.end())
            if end < 0:
                break
            if 0 <= stream < end:
                self.dictionaries[number] = pdf[match.end() : stream]
                start = stream + len(b"stream")
                start += 2 if pdf[start : start + 2] == b"\r\n" else 1
                stop = pdf.find(b"endstream", start)
                if stop < 0:
                    break
                self._streams[number] = pdf[start:stop]
                position = stop
            else:
                self.dictionaries[number] = pdf[match.end() : end]
                position = end
        self._unpack_object_streams()
        everything = b"\n".join(self.dictionaries.values())
        self.names = {name: int(number) for name, number in _REFERENCE.findall(everything)}
        self._fonts: dict[bytes, Font] = {}

    def _unpack_object_streams(self) -> None:
        for number in [n for n, d in self.dictionaries.items() if b"/ObjStm" in d]:
            data = self.stream(number)
            first = re.search(rb"/First (\d+)", self.dictionaries[number])
            if first is None:
                continue
            start = int(first[1])
            heads = [int(part) for part in data[:start].split()]
            starts = [start + offset for offset in heads[1::2]]
            for inner, begin, end in zip(heads[::2], starts, [*starts[1:], len(data)], strict=True):
                self.dictionaries.setdefault(inner, data[begin:end])

    def stream(self, number: int) -> bytes:
        """The stream of an object, unpacked."""
        data = self._streams.get(number, b"")
        if b"/FlateDecode" in self.dictionaries[number]:
            try:
                return zlib.decompressobj().decompress(data)
            except zlib.error as error:
                raise RenderCrash("what the layout engine painted is damaged") from error
        return data

    def page_content(self) -> tuple[bytes, dict[bytes, float]]:
        """The content and opacities of the page."""
        for dictionary in self.dictionaries.values():
            contents = _referred(dictionary, b"Contents")
            if contents >= 0 and re.search(rb"/Type\s*/Page\b", dictionary):
                return self.stream(contents), self.alphas(dictionary)
        return b"", {}

    def alphas(self, dictionary: bytes) -> dict[bytes, float]:
        """The opacities that a page or form has names for; the names mean others in others."""
        number = _referred(dictionary, b"Resources")
        resources = self.dictionaries.get(number, b"") if number >= 0 else dictionary
        return {name: float(alpha) for name, alpha in _ALPHA.findall(resources)}

    def form(self, name: bytes) -> tuple[bytes, dict[bytes, float]] | None:
        """The content and opacities of a form, None where the name is that of a picture."""
        number = self.names.get(name, -1)
        dictionary = self.dictionaries.get(number, b"")
        if not re.search(rb"/Subtype\s*/Form", dictionary):
            return None
        return self.stream(number), self.alphas(dictionary)

    def font(self, name: bytes) -> Font:
        """The font of a name; one without letters where there is none."""
        if name not in self._fonts:
            number = self.names.get(name, -1)
            self._fonts[name] = self._read_font(self.dictionaries.get(number, b""))
        return self._fonts[name]

    def _read_font(self, dictionary: bytes) -> Font:
        font = Font()
        base = re.search(rb"/BaseFont\s*/(?:\w{6}\+)?(\S+)", dictionary)
        font.name = base[1].decode("ascii", "replace") if base else ""
        font.family = font.name.partition("-")[0]
        font.bold = bool(_BOLD.search(font.name))
        font.italic = bool(_ITALIC.search(font.name))
        inner = _referred(dictionary, b"DescendantFonts")
        if inner >= 0:
            described = self.dictionaries.get(inner, b"")
            _read_wide_widths(font, described)
        else:
            described = dictionary
            _read_widths(font, dictionary)
        descriptor = self.dictionaries.get(_referred(described, b"FontDescriptor"), b"")
        font.ascent = _number(descriptor, b"Ascent", 1000 * font.ascent) / 1000
        font.descent = -_number(descriptor, b"Descent", -1000 * font.descent) / 1000
        if (unicode := _referred(dictionary, b"ToUnicode")) >= 0:
            font.letters = _letters(self.stream(unicode))
            if font.code_bytes == 1 and all(len(text) == 1 for text in font.letters.values()):
                font.table = "".join(font.letters.get(code, "\ufffe") for code in range(256))
        return font


def _referred(dictionary: bytes, key: bytes) -> int:
    """The number of the object that a key refers to, -1 where it refers to none."""
    match = re.search(rb"/" + key + rb"\s*\[?\s*(\d+) 0 R", dictionary)
    return int(match[1]) if match else -1


def _number(dictionary: bytes, key: bytes, default: float) -> float:
    match = re.search(rb"/" + key + rb"\s+(-?[\d.]+)", dictionary)
    return float(match[1]) if match else default


def _read_widths(font: Font, dictionary: bytes) -> None:
    first = int(_number(dictionary, b"FirstChar", -1))
    widths = re.search(rb"/Widths\s*\[([^\]]*)\]", dictionary)
    if first >= 0 and widths:
        _set_widths(font, first, widths[1])
        font.widths += [0.0] * (256 - len(font.widths))


def _read_wide_widths(font: Font, dictionary: bytes) -> None:
    font.code_bytes = 2
    font.widths = [_number(dictionary, b"DW", 1000) / 1000] * 0x10000
    table = re.search(rb"/W\s*\[(.*)\]", dictionary, re.DOTALL)
    for first, widths in re.findall(rb"(\d+)\s*\[([^\]]*)\]", table[1] if table else b""):
        _set_widths(font, int(first), widths)


def _set_widths(font: Font, first: int, widths: bytes) -> None:
    values = [float(value) / 1000 for value in widths.split()]
    font.widths[first : first + len(values)] = values


def _letters(cmap: bytes) -> dict[int, str]:
    """The map from codes to text of a ToUnicode stream; cairo writes no ranges."""
    blocks = re.findall(rb"beginbfchar(.*?)endbfchar", cmap, re.DOTALL)
    pairs = (pair for block in blocks for pair in _BFCHAR.findall(block))
    return {
        int(code, 16): bytes.fromhex(text.decode()).decode("utf-16-be", "replace")
        for code, text in pairs
    }
