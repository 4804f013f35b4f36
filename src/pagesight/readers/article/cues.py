"""How texts begin, or what they hold, that say of themselves what they are."""

from __future__ import annotations

import re

_CUES = {
    "keywords": r"""
        (?:author\ )?(?:key\s?-?words?|index\ terms|subject\ terms|mesh|abbreviations?|jel|
        palabras\ clave|palavras.chave|parole\ chiave|mots.cl\w*|schl(?:ü|ue|u)sselw\w+|
        trefwoorden|nyckelord|słowa\ kluczowe|ключевые\ слова|关键词|關鍵詞|キーワード|주제어)\b
        .{0,25}[:：—–-] | key\s?words?\b | ключевые\ слова\b |
        [\[【〔]?\s*(?:关\s*键\s*[词字]|關\s*鍵\s*[詞字]|キーワード)\s*[\s:：\]】〕]""",
    "dates": r"""
        \(?(?:article\ history|manuscript\ |first\ )?(?:received|accepted|revised|published|
        available|submitted|issue\ date|date|posted|version\ of\ record|in\ original\ form|epub|
        online|publication)\b |
        [\[【〔]?\s*(?:收稿|修回|接受|录用|网络出版|基金)\w*[\]】〕:：\s] |
        (?:поступила|получена|принята|опубликована)\b""",
    "correspondence": r"""
        \W*(?:\d|\w\ )?\W*(?:address\ )?(?:for\ )?(?:correspond|e-?mail|to\ whom|reprint|
        autor(?:a|es)?\ (?:para|de)\ (?:la\ )?correspond|correo\ electr|auteur\ correspondant|
        autore?\ (?:corrispondente|correspondente)|korrespondenz|korrespondierende|
        author\ to\ whom|tel\b|phone|fax|contact|current\ address|present\ address|
        通[信讯訊]\s?作者|для\ корреспонденции|автор\ для\ переписки)""",
    "citation": r"""
        (?:cite|citation|to\ cite|how\ to\ cite|please\ cite|reference:|cited\ as|
        acm\ reference\ format|doi|
        https?://(?:dx\.)?doi|pmcid|pmid|copyright|©|\(c\)|license|isbn|issn|volume|vol\.|issue|
        pp\.|pages|article\ number|引用本文|中图分类号|文献标[识志]码|для\ цитирования|удк\b)""",
    "editor": r"""
        (?:academic\ |handling\ |action\ |reviewing\ |associate\ |guest\ )?(?:editor|
        edited\ by|reviewed\ by|communicated\ by|contributed\ by|sent\ for\ review)""",
    "note": r"""
        \W*(?:these\ authors|both\ authors|contributed\ equally|equal\ contrib|
        electronic\ supplementary|dedicated|conceived|disclosure|competing|conflict|funding|
        author\ contrib|the\ authors?\ |this\ (?:work|article|paper|research|study))""",
    "action": r"""
        (?:view|download|show|hide|search|find|see\ |click|share|print|export|save|add\ |get\ |
        buy|log\ ?in|sign|register|subscribe|skip|browse|submit|open\ |close|next|previous|go\ to|
        jump|back\ to|read\ |more|less|expand|collapse|follow|tweet|alert|pdf|full\ text|menu|
        home|about|help|contact\ us|advert)""",
    "abstract": r"""
        (?:abstract|summary|zusammenfassung|résumé|resumen|resumo|riassunto|samenvatting|
        sammanfattning|аннотация|резюме|摘要|要旨|抄録|초록)\b\W | реферат\b\W |
        [\[【〔]?\s*(?:摘\s*要|提\s*要|内容提要|要旨|抄録)\s*[\s:：\]】〕]""",
    "figure": r"(?:fig(?:ure|\.)?|table|scheme|box|plate|chart|equation|supplement\w*)\s*s?\d",
}
CUES = {name: re.compile(cue, re.IGNORECASE | re.VERBOSE) for name, cue in _CUES.items()}
"""How zones begin that say of themselves what they are."""

SHORT_PIECES = re.compile(
    r"""(?:(?:guest\ |invited\ )?editorials?|letters?(?:\ to\ the\ editor)?|correspondence|
    (?:author\ )?(?:corrections?|corrigend\w+|errat\w+)|retraction\w*(?:\ note|\ notice)?|
    expression\ of\ concern|obituar\w+|in\ memoriam|book\ reviews?|(?:author'?s?\ )?repl\w+|
    comments?|news(?:\ (?:&|and)\ views)?|leserbriefe?|éditorial|carta\ al\ editor|
    carta\ ao\ editor|rezension(?:en)?|buchbesprechung(?:en)?|reseñas?(?:\ bibliográficas?)?|
    recensi(?:ón|ones|one|oni)|comptes?[\ -]rendus?|resenhas?)\W*(?:$|:|\bto\b)""",
    re.IGNORECASE | re.VERBOSE,
)
"""How kinds of articles are called, and their titles begin, that have no abstract as a rule."""

REVIEWER = r"""
    (?:book\ )?review(?:ed)?\ by|(?:rezensiert|besprochen|rezension)\ von|
    rese[ñn](?:ado|ada|a)\ por|(?:compte[\ -]rendu|recensé|recension)\ par|
    recensi(?:to|one)\ (?:da|di)|resenha(?:do|da)?\ (?:por|de)|recenseerd\ door|рецензент"""
"""Who reviewed a book, and so wrote the article; for patterns in many lines."""
REVIEWED_BY = re.compile(rf"\W*(?:{REVIEWER})\b\s*:?\s*", re.IGNORECASE | re.VERBOSE)
REVIEW = re.compile(
    r"""\W*(?:(?:book|film|media|exhibition|software|essay|extended)\ reviews?|reviews\ of\ books|
    rezension(?:en)?|buchbesprechung(?:en)?|rese[ñn]as?(?:\ bibliográficas?)?|
    recensi(?:ón|ones|one|oni|ons?)|comptes?[\ -]rendus?|resenhas?|рецензи[яи]|书评|書評)
    \W*(?:$|:)""",
    re.IGNORECASE | re.VERBOSE,
)
"""What journals call reviews of books and the like."""

FOR_AUTHORS = re.compile(
    r"""(?:instructions?|guid(?:e|elines)|information|advice|notes)\ (?:for|to)\ (?:the\ )?authors|
    (?:author|submission|manuscript)\ (?:guidelines|instructions)|call\ for\ papers""",
    re.IGNORECASE | re.VERBOSE,
)
"""What pages are called that tell how to write articles: they have the headings of one."""

JOURNAL = re.compile(  # where in a journal an article stands
    r"""\bvol(?:ume|\.)?\s*\d | \bissn\b | \b\d{1,4}\s?\(\d{1,4}(?:[-–]\d+)?\)\s?[:,;]?\s?e?\d |
    (?:19|20)\d\d\s?[;,]\s?\d{1,4}\s?(?:\(\d+\)\s?)?[:,] | \bpp?\.\s?\d+\s?[-–]\s?\d""",
    re.IGNORECASE | re.VERBOSE,
)
