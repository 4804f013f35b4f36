"""Words by which persons, institutions and groups are told."""

from __future__ import annotations

import re

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

_INSTITUTIONS = r"""
    universi\w+|depart(?:ment|amento)\b|dept\b|institut\w*|school|college|hospital|
    cent(?:er|re|ro)|laborator\w*|facult\w+|division|academy|ministry|clinic|klinik\w*|agency|
    council|foundation|corporation|inc\b|ltd\b|gmbh|society|museum|observatory|polytechni\w*|
    ecole|école|cnrs|inserm|csic|max.planck|research\ group|unit\b|section\ of|campus|consortium|
    national|program(?:me)?\ in|graduate|medical|
    университет\w*|институт\w*|академи\w+|кафедр\w+|факультет\w*|лаборатори\w+|центр\w*|
    больниц\w+|клиник\w+|училищ\w+|ран\b|нии\b"""
UNPARTED = (
    "大学|大學|学院|學院|研究所|研究院|研究中心|研究室|医院|醫院|实验室|科学院|教研室|有限公司|"
    "대학교|학과|연구소|병원"
)
_INITIALS = "".join(sorted({part.strip()[0] for part in _INSTITUTIONS.split("|")}))
INSTITUTION = re.compile(  # to look at the initial first takes half the time
    rf"\b(?=[{_INITIALS}])(?:{_INSTITUTIONS})|(?=[大学學研医醫实科教有대학연병])(?:{UNPARTED})",
    re.IGNORECASE | re.VERBOSE,
)
GROUP = re.compile(
    r"\b(?:(?:group|consortium|consortia|collaborat(?:ions?|ors)|investigators|trialists|network|"
    r"committee|initiative|task\s+force|working\s+party)\b|(?:team|project|study|trial|society|"
    r"association|program(?:me)?|council|panel|academy|commission|members|researchers)$)",
    re.IGNORECASE,
)
"""What groups of authors are called."""


def ends_with_group(text: str) -> bool:
    """Whether the last name of a list is that of a group of authors."""
    return bool(GROUP.search(re.split(r",|;|\band\b", text.rstrip(" .,;"))[-1]))
