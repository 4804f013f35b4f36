"""Pages that are not the page: errors, bot checks, walls. Recognised by what they say."""

from __future__ import annotations

import re

from pagesight.readers.title.candidates import spans
from pagesight.readers.title.clues import Clues
from pagesight.readers.title.sites import Site, subject_of
from pagesight.readers.title.text import plain

MOST_WORDS = 120  # on a page that only says what is wrong; what is longer has content
MOST_SAID = 400  # words that may explain what the title says; what is longer has content
MOST_HEADINGS = 2

# As `plain` writes them: in lower case, without accents and signs.
_PHRASES = {
    "bot check": """
        just a moment|attention required|are you (?:a )?(?:human|robot)|robot check
        verify(?:ing)? (?:that )?you are (?:a )?(?:human|not a (?:ro)?bot)|security check(?:point)?
        checking (?:if the site connection is secure|your browser)|human verification
        (?:unusual|suspicious) (?:traffic|activity)|pardon our interruption|ddos protection
        (?:make|making) sure you (?:are|re) not a (?:ro)?bot|confirm you are (?:a )?human
        (?:please )?enable js and disable any ad blocker|incapsula incident id|client challenge
        (?:bist du|sind sie) ein (?:mensch|roboter)|sicherheitsuberprufung
        etes vous (?:un )?(?:humain|robot)|verification de securite|eres (?:un )?(?:humano|robot)
        sei (?:un )?(?:umano|robot)|proverka brauzera|podtverdite chto vy ne robot|vy ne robot
        正在(?:进行)?(?:安全)?验证.*|人机验证|安全验证|请稍候""",
    "access denied": """
        access (?:to this page has been )?denied|permission denied
        (?:request|you have been) blocked|not available in your (?:country|region)
        zugriff verweigert|kein zugriff|acces (?:refuse|interdit)|accesso negato|brak dostepu
        acceso (?:denegado|prohibido)|acesso negado|toegang geweigerd|dostup zapreshchen
        pristup odepren|erisim engellendi""",
    "not found": """
        (?:the )?(?:requested )?page (?:was |could )?not (?:be )?found|(?:file )?not found
        (?:this )?page (?:does not|doesn t) exist|this page (?:isn t|is not) available
        (?:we can t find )?(?:that|the|this) page(?: (?:can t|cannot|could not) be found)
        we can t find (?:that|the|this) page|nothing was found at this location
        seite (?:wurde )?nicht gefunden|die (?:gesuchte|angeforderte) seite existiert nicht
        die seite existiert nicht|page (?:non trouvee|introuvable)|pagina no encontrada
        pagina non trovata|pagina nao encontrada|pagina niet gevonden|stranitsa ne naidena
        strona nie (?:zostala )?(?:znaleziona|istnieje)|nie znaleziono strony
        sidan (?:hittades inte|finns inte)|siden (?:blev|ble) ikke funnet|sivua ei loydy
        stranka nenalezena|sayfa bulunamadi|az oldal nem talalhato
        ヘーシか見つかりません(?:てした)?|页面不存在|找不到页面|页面未找到|找不到網頁""",
    "consent wall": """
        before you continue|bevor sie fortfahren|avant de continuer|antes de continuar
        prima di continuare|we (?:value|care about) your privacy|(?:cookie|privacy) (?:consent|wall)
        your privacy (?:choices|matters|settings)|cookie einstellungen|votre vie privee
        wir (?:schatzen|respektieren) ihre privatsphare|su privacidad|zustimmung erforderlich
        akzeptieren und weiter|part of the [a-z]+ family of brands""",
    "login wall": """
        (?:you (?:must|need to)|please) (?:log|sign) in to (?:continue|access|(?:view|see|read) th)
        (?:log|sign) in to continue|(?:log ?in|sign ?in) (?:is )?required
        subscribe to (?:unlock|continue reading)
        (?:bitte )?(?:loggen|melden) sie sich (?:ein|an) um|anmeldung erforderlich
        connectez vous pour|connexion requise|inicia sesion para|accedi per continuare""",
    "parked": """
        (?:this|the) domain (?:name )?(?:is|may be) for sale|buy this domain|domain (?:is )?parked
        diese domain steht zum verkauf|ce (?:nom de )?domaine est a vendre""",
    "error": """
        (?:internal )?server error|(?:service|site) (?:temporarily )?unavailable|bad gateway
        gateway time ?out|bad request|too many requests|something went wrong
        an error (?:has )?occurred|please enable javascript|enable javascript and cookies
        javascript is (?:disabled|required)|you need to enable javascript to run this app
        (?:site|page|down|currently) (?:is )?(?:for |under )(?:maintenance|construction)
        site maintenance|under maintenance
        we ll be (?:right )?back soon|object moved
        (?:this )?(?:account|site|website) (?:has been |is )?suspended
        (?:unsupported browser|(?:your )?browser is (?:not supported|unsupported|out of date))
        wartungsarbeiten|en (?:maintenance|mantenimiento)""",
}  # fmt: skip
_WORDS = {"bot check": "|captcha", "access denied": "|forbidden|unauthorized|blocked"}
"""What only counts where it is all there is."""

_BANNERS = frozenset({"consent wall"})
"""What short pages that are the page say, too, in a corner: it counts in titles and headings."""

_NUMBERS = {
    "401": "access denied", "403": "access denied", "404": "not found", "410": "not found",
    "429": "bot check", "500": "error", "502": "error", "503": "error",
}  # fmt: skip
_AROUND = r"(?:oops|ups|sorry|error|fehler|erreur|http|status|code|page|[45]\d\d)"
_NUMBER = re.compile(rf"(?:{_AROUND} )*?([45]\d\d)(?: {_AROUND})*")


def _alternatives(lines: str) -> str:
    return "|".join(line.strip() for line in lines.strip().splitlines())


_WHOLE = {
    kind: re.compile(
        rf"(?:{_AROUND} )*(?:{_alternatives(lines)}{_WORDS.get(kind, '')})(?: {_AROUND})*"
    )
    for kind, lines in _PHRASES.items()
}
_INSIDE = {kind: re.compile(rf"\b(?:{_alternatives(lines)})\b") for kind, lines in _PHRASES.items()}


def problem_of(clues: Clues) -> str | None:
    """What keeps this page from being the one that was asked for; None if nothing does.

    A title that is nothing but the problem says so; anything else needs a page with little on it.
    """
    names = [clues.tag, *(piece.text for piece in clues.headings[:MOST_HEADINGS])]
    problem = next(filter(None, map(_problem_in, names)), None)
    if len(clues.headings) > MOST_HEADINGS or (problem is None and clues.linked_data):
        return None
    words = clues.words().split()
    if len(words) > MOST_WORDS:
        return problem if len(words) <= MOST_SAID and problem == _whole_title(clues) else None
    short, full = plain(" ".join(names)), plain(" ".join([*names, *words]))
    looked_at = ((kind, short if kind in _BANNERS else full) for kind in _INSIDE)
    return problem or next((kind for kind, text in looked_at if _INSIDE[kind].search(text)), None)


def _whole_title(clues: Clues) -> str | None:
    """The problem, where the title says nothing else but the name of the site."""
    return _named(plain(subject_of(clues.tag, Site.of(clues)).text))


def _problem_in(title: str) -> str | None:
    """The problem, where a title or a part of it is nothing else."""
    return next(filter(None, (_named(plain(span.text)) for span in spans(title))), None)


def _named(words: str) -> str | None:
    """The problem that words are a name of."""
    number = _NUMBER.fullmatch(words)
    if number and number[1] in _NUMBERS:
        return _NUMBERS[number[1]]
    return next((kind for kind, phrase in _WHOLE.items() if phrase.fullmatch(words)), None)
