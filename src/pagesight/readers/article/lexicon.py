"""Words by which people tell the parts of an article: headings, degrees, institutions."""

from __future__ import annotations

import re
from functools import lru_cache

from pagesight.readers.article.text import words

# Table 2 of the layout paper: the academic degrees that appear in MEDLINE.
DEGREES = frozenset(
    """
    ba bs boptom bsc dphil dsc da dch dds dm dmd dph dpm edd fcpath ffpath fimls frcpath frcs frcsi
    faao facp fracp frca frcag frcr frs frsc ma mb mbchb md mhs mrcpath ms msc mba mbbs mdiv mph
    mphil mrcog mrcp msw od orl phd pharmd rcpath rn
    """.split()
)
MORE_DEGREES = DEGREES | frozenset(
    """
    ab bm bch bmbs bmedsc bpharm bsn bvsc cphil dc dclinpsy dnp dnsc do dpt dr drmed drph drsc
    dvm dvsc facs faan facc faha fccp frcp frcpc frcpch frcpsych frcog hons jd llb llm lcsw mbbch
    mch mclinsc mdcm med meng mn mpa mpp mpharm mphty mrc mrcpsych mres mrs msce msci mscr mse msn
    mm mspt mtech ncc psyd pgdip rd rdn rph rpt scd scm sm thd dsw fnp np fracs fesc frcsc
    """.split()
)

SUFFIXES = frozenset({"jr", "sr", "ii", "iii", "iv", "junior", "2nd", "3rd"})

# Table 4: the headings of abstracts in MEDLINE.
ABSTRACT_HEADINGS = frozenset(
    ("abstract", "aim", "background", "contents", "objective", "objectives", "presentation",
     "summary", "purpose", "study objective", "study objectives", "synopsis")
)  # fmt: skip

HEADINGS: dict[str, frozenset[str]] = {
    name: frozenset(line.strip() for line in lines.strip().splitlines())
    for name, lines in {
        "abstract": """
            abstract
            summary
            synopsis
            article abstract
            abstract summary
            scientific abstract
            structured abstract
            main abstract
            zusammenfassung
            abstrakt
            kurzfassung
            résumé
            resumen
            resumo
            resum
            riassunto
            sommario
            samenvatting
            sammanfattning
            sammendrag
            streszczenie
            özet
            abstrak
            аннотация
            резюме
            реферат
            摘要
            要旨
            抄録
            초록
            요약
            """,
        "abstract part": """
            aim
            aims
            aim of the study
            background
            background and objectives
            background and purpose
            background and aims
            background aims
            clinical trial registration
            conclusion
            conclusions
            conclusions and relevance
            conclusion and relevance
            conclusions significance
            conclusions and significance
            context
            contribution
            data sources
            design
            design setting and participants
            design and methods
            discussion
            evidence acquisition
            evidence synthesis
            exposures
            findings
            funding
            hypothesis
            importance
            interpretation
            intervention
            interventions
            introduction
            limitations
            main outcome measure
            main outcome measures
            main outcomes and measures
            main results
            material and methods
            materials and methods
            measurements
            measurements and main results
            method
            methods
            methodology
            methodology principal findings
            methods and findings
            methods design
            trial status
            strengths and limitations
            author summary
            conclusions clinical relevance
            level of evidence
            methods and results
            methods and principal findings
            motivation
            objective
            objectives
            outcome measures
            participants
            patients
            patients and methods
            principal findings
            purpose
            purpose of review
            purpose of the review
            question
            rationale
            recent findings
            recommendations
            registration
            relevance
            research design and methods
            result
            results
            results and discussion
            scope
            setting
            significance
            statement of significance
            study design
            study selection
            subjects
            subjects and methods
            trial registration
            unlabelled
            hintergrund
            fragestellung
            einleitung
            zielsetzung
            methode
            methoden
            methodik
            material und methoden
            patienten und methoden
            ergebnis
            ergebnisse
            schlussfolgerung
            schlussfolgerungen
            contexte
            objectif
            objectifs
            méthodes
            matériel et méthodes
            patients et méthodes
            résultats
            antecedentes
            fundamento
            objetivo
            objetivos
            método
            métodos
            material y métodos
            material e métodos
            pacientes y métodos
            introducción
            introdução
            resultados
            conclusión
            conclusiones
            conclusão
            conclusões
            obiettivo
            obiettivi
            metodi
            risultati
            conclusioni
            """,
        "references": """
            references
            reference
            references and notes
            references and links
            reference list
            references cited
            cited references
            literature cited
            literature
            bibliography
            works cited
            notes and references
            references and footnotes
            literatur
            literaturverzeichnis
            literaturangaben
            quellenverzeichnis
            bibliographie
            références et notes
            références bibliographiques
            referencias
            referencias bibliográficas
            bibliografía
            bibliografía citada
            literatura citada
            referências bibliográficas
            bibliografia
            riferimenti
            riferimenti bibliografici
            literatuur
            literatuurlijst
            referenties
            referenser
            referanser
            referencer
            litteratur
            litteraturliste
            litteraturförteckning
            piśmiennictwo
            literatura
            irodalom
            kaynaklar
            kaynakça
            daftar pustaka
            литература
            список литературы
            библиографический список
            参考文献
            參考文獻
            引用文献
            文献
            참고문헌
            """,
        "keywords": """
            keywords
            keyword
            key words
            key word
            index terms
            author keywords
            subject terms
            subject areas
            mesh terms
            abbreviations
            schlüsselwörter
            mots clés
            palabras clave
            palavras chave
            parole chiave
            trefwoorden
            nyckelord
            słowa kluczowe
            ключевые слова
            关键词
            關鍵詞
            キーワード
            주제어
            jel classification
            topics
            subjects
            """,
        "affiliations": """
            affiliations
            affiliation
            author affiliations
            authors affiliations
            author information
            authors and affiliations
            author and article information
            author and affiliation information
            author affiliation
            author addresses
            about the authors
            show author affiliations
            author details
            authors info affiliations
            authors information and affiliations
            """,
        "body": """
            introduction
            background
            materials and methods
            material and methods
            methods
            method
            results
            results and discussion
            discussion
            conclusion
            conclusions
            concluding remarks
            experimental
            experimental section
            main
            main text
            theory
            case report
            case presentation
            data availability
            einleitung
            material und methoden
            methoden
            methodik
            ergebnisse
            diskussion
            schlussfolgerung
            fazit
            méthodes
            matériel et méthodes
            résultats
            introducción
            métodos
            material y métodos
            resultados
            discusión
            conclusiones
            introdução
            material e métodos
            discussão
            conclusão
            conclusões
            introduzione
            materiali e metodi
            risultati
            discussione
            conclusioni
            введение
            заключение
            引言
            结论
            緒言
            はじめに
            おわりに
            """,
        "back": """
            acknowledgements
            acknowledgments
            acknowledgement
            acknowledgment
            author contributions
            authors contributions
            competing interests
            conflict of interest
            conflicts of interest
            declaration of interest
            declarations
            disclosure
            disclosures
            funding
            footnotes
            notes
            ethics declarations
            supplementary material
            supplementary information
            supplementary materials
            supporting information
            supporting information available
            additional information
            additional files
            rights and permissions
            about this article
            copyright information
            appendix
            abbreviations
            supplemental material
            danksagung
            interessenkonflikt
            remerciements
            conflit d'intérêts
            agradecimientos
            conflicto de intereses
            agradecimentos
            conflito de interesses
            ringraziamenti
            благодарности
            谢辞
            謝辞
            """,
        "citing": """
            cited by
            citing articles
            citing literature
            articles citing this article
            this article has been cited by other articles
            this article is cited by
            related articles
            related content
            similar articles
            recommended articles
            recommended
            related citations in pubmed
            more from this journal
            most read
            most cited
            further reading
            you may also like
            people also read
            other articles by authors
            more by authors
            pubmed articles by
            links
            metrics
            """,
    }.items()
}

ARTICLE_KINDS = frozenset(
    line.strip()
    for line in """
    article
    articles
    book review
    book reviews
    brief communication
    brief report
    case report
    comment
    commentary
    communication
    communications arising
    correction
    correction to
    correspondence
    corrigendum
    editorial
    editorials
    erratum
    essay
    expression of concern
    feature article
    full paper
    guest editorial
    in memoriam
    introduction
    invited commentary
    letter
    letter to the editor
    letters
    letters to the editor
    meeting report
    mini review
    minireview
    news views
    news and views
    note
    obituary
    opinion
    original article
    original articles
    original contribution
    original investigation
    original paper
    original research
    perspective
    perspectives
    primer
    protocol
    rapid communication
    reply
    report
    reports
    research
    research article
    research articles
    research letter
    research note
    research paper
    research report
    resource
    retraction
    retraction notice
    review
    review article
    reviews
    short communication
    short report
    study protocol
    systematic review
    technical note
    viewpoint
    brief article
    leserbrief
    originalarbeit
    übersicht
    übersichtsarbeit
    éditorial
    article original
    artículo original
    carta al editor
    artigo original
    carta ao editor
    """.strip().splitlines()
)
"""What journals call their kinds of articles, above the title."""

SHORT_PIECES = re.compile(
    r"""(?:(?:guest\ |invited\ )?editorials?|letters?(?:\ to\ the\ editor)?|correspondence|
    (?:author\ )?(?:corrections?|corrigend\w+|errat\w+)|retraction\w*(?:\ note|\ notice)?|
    expression\ of\ concern|obituar\w+|in\ memoriam|book\ reviews?|(?:author'?s?\ )?repl\w+|
    comments?|news(?:\ (?:&|and)\ views)?|leserbriefe?|éditorial|carta\ al\ editor|
    carta\ ao\ editor)\W*(?:$|:|\bto\b)""",
    re.IGNORECASE | re.VERBOSE,
)
"""How kinds of articles are called, and their titles begin, that have no abstract as a rule."""

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

_CUES = {
    "keywords": r"""
        (?:author\ )?(?:key\s?-?words?|index\ terms|subject\ terms|mesh|abbreviations?|jel|
        palabras\ clave|palavras.chave|parole\ chiave|mots.cl\w*|schl(?:ü|ue|u)sselw\w+|
        trefwoorden|nyckelord|słowa\ kluczowe|ключевые\ слова|关键词|關鍵詞|キーワード|주제어)\b
        .{0,25}[:：—–-] | key\s?words?\b""",
    "dates": r"""
        \(?(?:article\ history|manuscript\ |first\ )?(?:received|accepted|revised|published|
        available|submitted|issue\ date|date|posted|version\ of\ record|in\ original\ form|epub|
        online|publication)\b""",
    "correspondence": r"""
        \W*(?:\d|\w\ )?\W*(?:address\ )?(?:for\ )?(?:correspond|e-?mail|to\ whom|reprint|
        author\ to\ whom|tel\b|phone|fax|contact|current\ address|present\ address)""",
    "citation": r"""
        (?:cite|citation|to\ cite|how\ to\ cite|please\ cite|reference:|cited\ as|doi|
        https?://(?:dx\.)?doi|pmcid|pmid|copyright|©|\(c\)|license|isbn|issn|volume|vol\.|issue|
        pp\.|pages|article\ number)""",
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
        sammanfattning|аннотация|резюме|摘要|要旨|抄録|초록)\b\W""",
    "figure": r"(?:fig(?:ure|\.)?|table|scheme|box|plate|chart|equation|supplement\w*)\s*s?\d",
}
CUES = {name: re.compile(cue, re.IGNORECASE | re.VERBOSE) for name, cue in _CUES.items()}
"""How zones begin that say of themselves what they are."""

_INSTITUTIONS = r"""
    universi\w+|depart(?:ment|amento)\b|dept\b|institut\w*|school|college|hospital|
    cent(?:er|re|ro)|laborator\w*|facult\w+|division|academy|ministry|clinic|klinik\w*|agency|
    council|foundation|corporation|inc\b|ltd\b|gmbh|society|museum|observatory|polytechni\w*|
    ecole|école|cnrs|inserm|csic|max.planck|research\ group|unit\b|section\ of|campus|consortium|
    national|program(?:me)?\ in|graduate|medical"""
_INITIALS = "".join(sorted({part.strip()[0] for part in _INSTITUTIONS.split("|")}))
INSTITUTION = re.compile(  # to look at the initial first takes half the time
    rf"\b(?=[{_INITIALS}])(?:{_INSTITUTIONS})", re.IGNORECASE | re.VERBOSE
)
GROUP = re.compile(
    r"\b(?:(?:group|consortium|consortia|collaborat(?:ions?|ors)|investigators|trialists|network|"
    r"committee|initiative|task\s+force|working\s+party)\b|(?:team|project|study|trial|society|"
    r"association|program(?:me)?|council|panel|academy|commission|members|researchers)$)",
    re.IGNORECASE,
)
"""What groups of authors are called."""
EMAIL = re.compile(r"[\w.+-]+\s?(?:@|\(at\)|\[at\]|/at/)\s?[\w-]+(?:\.[\w-]+)+")
ASTERISKS = str.maketrans("∗⁎＊﹡", "****")
"""All asterisks are one mark."""
# Patterns that begin with characters, and then look back, are found fast.
YEAR = re.compile(r"(?:1[89]|20)(?<=\b\d\d)\d\d[a-z]?\b")
DOI = re.compile(r"10\.(?<=\b10\.)\d{4,9}/[^\s\"<>]+[^\s\"<>.,;)\]]")
ORCID = re.compile(r"\b\d{4}-\d{4}-\d{4}-\d{3}[\dX]\b")
BESIDE_NAMES = re.compile(
    rf"(?:https?://|www\.|orcid\.org)\S*|{EMAIL.pattern}|{ORCID.pattern}|view orcid profile|"
    r"search for more papers by this author|email author",
    re.IGNORECASE,
)


def heading_kinds(text: str) -> frozenset[str]:
    """Which headings a text may be, numbers and punctuation aside; none for any other text."""
    return frozenset() if len(text) > LONGEST_HEADING else _kinds_of(text)


@lru_cache(maxsize=1 << 14)
def _kinds_of(text: str) -> frozenset[str]:
    bare = [word for word in words(text) if not word.isdigit()]
    return _KINDS.get(" ".join(bare)) or _KINDS.get("".join(bare)) or frozenset()


def ends_with_group(text: str) -> bool:
    """Whether the last name of a list is that of a group of authors."""
    return bool(GROUP.search(re.split(r",|;|\band\b", text.rstrip(" .,;"))[-1]))


def is_article_kind(text: str) -> bool:
    """Whether a text is what journals write above articles of a kind: ``Letter to the Editor``."""
    return len(text) <= LONGEST_HEADING and " ".join(words(text)) in _ARTICLE_KINDS


LONGEST_HEADING = 60  # characters
_ARTICLE_KINDS = frozenset(" ".join(words(kind)) for kind in ARTICLE_KINDS)
_KINDS: dict[str, frozenset[str]] = {}
for _kind, _headings in HEADINGS.items():
    for _heading in _headings:
        _written = " ".join(words(_heading))
        _KINDS[_written] = _KINDS.get(_written, frozenset()) | {_kind}
