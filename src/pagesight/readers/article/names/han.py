"""Names in Chinese characters: a family name of one or two, and a given name without space."""

from __future__ import annotations

import re
from collections.abc import Sequence

from pagesight.readers.article.names.lexicon import UNPARTED

HAN = "\u3400-\u9fff"
_FAMILIES = frozenset(
    "王李张劉刘陈陳杨楊黄黃赵趙周吴吳徐孙孫朱马馬胡郭林何高梁郑鄭罗羅宋谢謝唐韩韓曹许許邓鄧萧蕭肖冯馮曾程蔡彭潘袁于董余苏蘇叶葉吕"
    "呂魏蒋蔣田杜丁沈姜范江傅钟鍾卢盧汪戴崔任陆陸廖姚方金邱夏谭譚韦韋贾賈邹鄒石熊孟秦阎閻薛侯雷白龙龍段郝孔邵史毛常万萬顾顧赖賴"
    "武康贺賀严嚴尹钱錢施牛洪龚龔汤湯陶黎温溫莫易樊乔喬文安殷颜顏庄莊章鲁魯倪庞龐邢俞翟蓝藍聂聶齐齊向申葛柴伍覃骆駱关關焦柳欧歐"
    "祝纪紀尚毕畢耿芦左季管符辛苗詹曲靳祁路涂兰蘭甘裴梅童翁霍游阮尤岳柯牟滕谷舒卜成饶饒宁寧凌盛查单單冉鲍鮑华華包屈房喻解蒲卫衛"
    "简簡时時连連车車项項闵閔邬鄔吉党黨阳陽司费費蒙席晏隋古强強穆姬冀燕边邊卓窦竇戚景原池仇臧佟"
)
_DOUBLE = tuple("欧阳 歐陽 上官 司马 司馬 诸葛 諸葛 皇甫 尉迟 公孙 慕容 令狐 端木 东方".split())
_JAPANESE = (  # the longest first
    *"長谷川 大久保 久保田 五十嵐 小笠原 宇都宮".split(),
    *"佐藤 鈴木 高橋 田中 伊藤 渡辺 渡邊 山本 中村 小林 加藤 吉田".split(),
    *"山田 山口 松本 井上 木村 清水 斎藤 齋藤 山崎 池田 橋本 阿部".split(),
    *"石川 前田 藤田 小川 後藤 岡田 長谷 村上 近藤 石井 坂本 遠藤".split(),
    *"青木 藤井 西村 福田 太田 三浦 岡本 松田 中川 中野 原田 小野".split(),
    *"田村 竹内 金子 和田 中山 石田 上田 森田 柴田 酒井".split(),
)
LONGEST_GIVEN = 2  # characters
KANA = 0.1  # of the Chinese characters of a Japanese page; it has many more
_NO_NAMES = frozenset(
    ("方法", "文章", "文献", "关于", "關於", "时间", "向量", "高等", "高级", "简介", "原文")
)
_NAME = re.compile(rf"[{HAN}]{{2,5}}")
_SPACED_NAME = re.compile(rf"[{HAN}]{{1,3}} [{HAN}]{{1,3}}")
_HANGUL_DOUBLE = ("남궁", "황보", "제갈", "사공", "선우", "독고")
_HANGUL_NAME = re.compile(
    f"(?:{'|'.join(_HANGUL_DOUBLE)}|"
    "[김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진지엄채원천방공현함변])"
    "\\s?[가-힣]{1,2}"
)
_NO_HANGUL_NAMES = frozenset(  # countries and cities, parts of articles, what is clicked on
    """
    한국 남한 조선 유럽 이란 호주 서울 서울시 강릉 강남 강원 강원도 고양
    공주 구미 김포 김해 남원 남양주 문경 성남 안산 안양 양산 양주 오산
    원주 이천 전남 전북 전주 정읍 진주 천안 하남 서론 서문 이론 방법
    고찰 문헌 조사 주석 주제 주요어 전문 원문 원고 배경 정의 정리 문제
    성과 심사 차례 정보 전체 전화 이메일 이름 이전 이후 이용 이상 이하
    주소 성명 문의 공유 공지 구독 구매 안내 신청 오류 서비스 지원 지도
    하단 최근 최신 최종 현재 현황 박사 강사 조교수 정교수 전공의 한글 우리
    권호
    """.split()
)
_HANGUL = re.compile("[가-힣]")
_COMMA = re.compile(r"\s*[，、；]\s*")
_SPREAD = re.compile(rf"(?<![{HAN}])([{HAN}])\s+([{HAN}])(?![{HAN}])")  # 李 伟
_GAP = re.compile(rf"(?<=[{HAN}\d*])\s+(?=[{HAN}])")
_HAN = re.compile(f"[{HAN}]")
_KANA = re.compile("[\u3041-\u3096\u30a1-\u30fa]")
PLACE_IN_BRACKETS = re.compile(rf"[（(]([^（）()]*(?:{UNPARTED})[^（）()]*)[)）]")


def has_han(text: str) -> bool:
    """Whether Chinese characters stand in a text."""
    return not text.isascii() and bool(_HAN.search(text))


def has_hangul(text: str) -> bool:
    """Whether Korean letters stand in a text."""
    return not text.isascii() and bool(_HANGUL.search(text))


def is_han_name(text: str) -> bool:
    """Whether a text may be the name of one person."""
    if not _NAME.fullmatch(text) or text in _NO_NAMES:
        return False
    family = _family(text)
    return bool(family) and len(text) - len(family) <= LONGEST_GIVEN


def is_hangul_name(text: str) -> bool:
    """Whether a text may be the name of a person in Korean."""
    return bool(_HANGUL_NAME.fullmatch(text)) and text not in _NO_HANGUL_NAMES


def is_spaced_han_name(text: str) -> bool:
    """Whether a text may be a name whose parts stand apart, as in Japan: 山田 太郎."""
    return bool(_SPACED_NAME.fullmatch(text))


def divide_han(name: str, *, japanese: bool = False) -> tuple[str, str]:
    """Given and family name; some names may be Chinese and Japanese: 田中华, 田中健."""
    family = name.split()[0] if " " in name else _family(name, japanese=japanese) or name[:1]
    return name[len(family) :].strip(), family


def are_japanese(names: Sequence[str], texts: Sequence[str]) -> bool:
    """Whether the names of a page are Japanese: one of them cannot be Chinese, or its text is."""
    if not any(map(has_han, names)):
        return False
    if any(_family(name) in _JAPANESE for name in names if _NAME.fullmatch(name)):
        return True
    other = [text for text in texts if not text.isascii()]
    kana, han = (sum(len(each.findall(text)) for text in other) for each in (_KANA, _HAN))
    return kana > KANA * han


def listed_han(text: str) -> str:
    """A list of names with semicolons for the commas and spaces between them."""
    text = _SPREAD.sub(r"\1\2", _COMMA.sub(";", text))
    parts = [re.sub(rf"[^{HAN}]", "", part) for part in _GAP.split(text)]
    names = [name for part in parts for name in part.split(";")]
    return _GAP.sub(";", text) if all(map(is_han_name, filter(None, names))) else text


def _family(name: str, *, japanese: bool = False) -> str:
    """The family name that a name begins with: a Japanese one if it has to be."""
    doubles = (*_DOUBLE, *_HANGUL_DOUBLE)
    single = name[0] if name[0] in _FAMILIES else ""
    chinese = name[:2] if name[:2] in doubles and len(name) > 2 else single
    other = next((each for each in _JAPANESE if name.startswith(each) and name != each), "")
    has_to = japanese or not chinese or len(name) - len(chinese) > LONGEST_GIVEN
    return other if other and has_to else chinese
