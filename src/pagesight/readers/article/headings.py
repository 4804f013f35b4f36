"""Headings, and what journals call their kinds of articles."""

from __future__ import annotations

from functools import lru_cache

from pagesight.readers.article.text import words

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
            limitation
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
            关键字
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
            материалы и методы
            методы
            результаты
            обсуждение
            выводы
            заключение
            引言
            前言
            材料与方法
            结果
            讨论
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
            конфликт интересов
            финансирование
            致谢
            利益冲突
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
    rezension
    rezensionen
    buchbesprechung
    buchbesprechungen
    reseña
    reseñas
    recensión
    compte rendu
    comptes rendus
    recensione
    recensioni
    resenha
    resenhas
    carta al editor
    artigo original
    carta ao editor
    """.strip().splitlines()
)
"""What journals call their kinds of articles, above the title."""


def heading_kinds(text: str) -> frozenset[str]:
    """Which headings a text may be, numbers and punctuation aside; none for any other text."""
    return frozenset() if len(text) > LONGEST_HEADING else _kinds_of(text)


@lru_cache(maxsize=1 << 14)
def _kinds_of(text: str) -> frozenset[str]:
    bare = [word for word in words(text) if not word.isdigit()]
    return _KINDS.get(" ".join(bare)) or _KINDS.get("".join(bare)) or frozenset()


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
