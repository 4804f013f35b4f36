"""Articles in languages that the pages to learn from lack, most of them without marks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import pytest

from pagesight.page import Page
from pagesight.readers.article.names.persons import NameText, divide, is_name, persons
from pagesight.readers.article.names.places import Institution, cut
from pagesight.readers.article.names.scripts import are_japanese, is_eastern_name
from pagesight.readers.article.reader import read_article
from pagesight.readers.article.reading import ArticleReading
from pagesight.segment.text import size_in_words

LayOut = Callable[[str], Page]
CSS = "body { font: 16px/1.4 serif; width: 860px; margin: 0 auto } h1 { font-size: 28px }"
KYOTO = "Department of Botany, University of Kyoto, Kyoto, Japan"
IN_ENGLISH = (
    "<h2>Green tea and the patience of reviewers</h2><p>Wang Xiaoming, Li Wei</p>"
    f"<p>{KYOTO}</p><p>Abstract: Reviewers of journals wait for nobody. We asked whether a cup of "
    "green tea before reading changes how long they read. Forty reviewers took part.</p>"
    "<p>Keywords: tea; reviewers</p>"
)


@dataclass(frozen=True)
class Language:
    """What stands around the front matter of an article, in a language."""

    name: str
    menu: str
    journal: str
    title: str
    abstract: str
    introduction: str
    text: str
    references: str
    cited: tuple[str, ...]

    def page(self, front: str, introduction: str | None = None) -> str:
        cited = "".join(f"<li>{each}</li>" for each in self.cited)
        start = f"<h2>{self.introduction}</h2>" if introduction is None else introduction
        return (
            f"<!doctype html><html lang={self.name}><head><meta charset=utf-8><style>{CSS}</style>"
            f"</head><body><nav><a href=/>{self.menu}</a></nav><p>{self.journal}</p>"
            f"<h1>{self.title}</h1>{front}{start}<p>{3 * self.text}</p><p>{2 * self.text}</p>"
            f"<h2>{self.references}</h2><ol>{cited}</ol></body></html>"
        )


ZH = Language(
    "zh",
    "首页",
    "茶叶学报 2021年 第12卷 第3期",
    "绿茶对审稿人耐心的影响",
    "我们研究了四十位审稿人在阅读之前喝一杯绿茶是否会改变他们阅读的时间，发现喝茶的人读得更久，"
    "写给作者的意见也更友善。结果表明茶的品种比茶的数量更重要。",
    "引言",
    "人们喝茶的历史很长，关于茶的文字也很多，而审稿人的时间总是不够，这在以前的研究中已经"
    "得到证实。",
    "参考文献",
    (
        "王小明, 李伟. 论茶的好处[J]. 茶叶学报, 2010, 12(3): 45-56.",
        "张三. 咖啡[J]. 饮料, 2012, 2: 5-6.",
    ),
)
RU = Language(
    "ru",
    "Главная",
    "Вестник чая. 2021. Т. 12. № 3. С. 45–56",
    "Влияние зелёного чая на терпение рецензентов",
    "Мы спросили, меняет ли чашка зелёного чая перед чтением то, как долго читают рецензенты "
    "журналов. В опыте приняли участие сорок рецензентов, половина из них пила чай. Те, кто пил "
    "чай, читали дольше и писали авторам более доброжелательные отзывы.",
    "Введение",
    "Чай пьют очень давно, и о нём много написано теми, кто его пьёт, а рецензентам всегда не "
    "хватает времени, как показали прежние исследования в разных странах мира. ",
    "Список литературы",
    (
        "Иванов И.И., Петрова А.П. О пользе чая // Вестник чая. 2010. Т. 12. С. 45–56.",
        "Сидоров С.С. Кофе. М.: Наука, 2012. 120 с.",
    ),
)
JA = Language(
    "ja",
    "ホーム",
    "茶の科学 第12巻 第3号 2021年",
    "緑茶が査読者の忍耐に及ぼす影響",
    "四十人の査読者について、論文を読む前に一杯の緑茶を飲むと読む時間が変わるかどうかを調"
    "べた。茶を飲んだ人は"
    "より長く読み、著者により親切な意見を書いた。茶の量よりも茶の種類が重要であることが示された。",
    "はじめに",
    "茶は昔から飲まれており、茶について書かれた文章も多いが、査読者の時間はいつも足りない"
    "ことが研究で示されている。",
    "引用文献",
    (
        "山田太郎, 佐藤花子. 茶の効用について. 茶の科学, 2010, 12(3): 45-56.",
        "鈴木一郎. コーヒー. 飲料, 2012, 2: 5-6.",
    ),
)
KO = Language(
    "ko",
    "홈",
    "차학회지 제12권 제3호 2021",
    "녹차가 심사자의 인내심에 미치는 영향",
    "논문을 읽기 전에 녹차 한 잔을 마시면 심사자가 논문을 읽는 시간이 달라지는지를 조사하"
    "였다. 심사자 마흔 명이 "
    "참여하였고 그 가운데 절반이 차를 마셨다. 차를 마신 사람은 더 오래 읽었고 저자에게 더"
    " 친절한 의견을 썼다.",
    "서론",
    "차는 아주 오래전부터 마셔 왔고 차에 관한 글도 많지만 심사자의 시간은 언제나 모자란다"
    "는 사실이 여러 나라의 "
    "이전 연구에서 밝혀졌다. ",
    "참고문헌",
    (
        "김철수, 이영희. 차의 효능. 차학회지, 2010, 12(3): 45-56.",
        "박민수. 커피의 역사. 음료, 2012, 2: 5-6.",
    ),
)
ES = Language(
    "es",
    "Inicio",
    "Revista del Té. 2021; 12(3): 45-56",
    "Efectos del té verde sobre la paciencia de los revisores",
    "Preguntamos si una taza de té verde antes de leer cambia el tiempo que los revisores"
    " dedican a "
    "la lectura. Participaron cuarenta revisores, la mitad de ellos con té. Quienes bebieron té "
    "leyeron más tiempo y escribieron informes más amables a los autores.",
    "Introducción",
    "El té se bebe desde hace mucho tiempo y se ha escrito mucho sobre él, mientras que a los "
    "revisores les falta siempre tiempo, como han mostrado otros estudios en muchos países. ",
    "Bibliografía",
    (
        "Ruiz A, Pérez J. De las virtudes del té. Rev Té. 2010;12(3):45-56.",
        "Silva M. El café y sus revisores. Bebidas. 2012;2:5-6.",
    ),
)
KYOTO_JA, SEOUL = "京都大学農学部，京都", "서울대학교 식물학과, 서울"
MADRID = "Departamento de Botánica, Universidad de Madrid, Madrid, España"
BEIJING, HANGZHOU = "中国农业大学农学院，北京 100193", "浙江大学生命科学学院，杭州 310058"
MOSCOW, KAZAN = (
    "Московский государственный университет, Москва, Россия",
    "Кафедра чая, Казанский федеральный университет, Казань",
)
NAMES = {
    "zh": [("小明", "王"), ("伟", "李")],
    "ja": [("太郎", "山田"), ("花子", "佐藤")],
    "ko": [("철수", "김"), ("영희", "이")],
    "ru": [("И. И.", "Иванов"), ("А. П.", "Петрова")],
    "es": [("Ana", "Ruiz"), ("José", "Pérez")],
}
KEYWORDS = {
    "zh": ["茶", "耐心"],
    "ja": ["茶", "忍耐"],
    "ko": ["차", "인내심"],
    "ru": ["чай", "терпение"],
    "es": ["té", "paciencia"],
}
FRONTS: dict[str, tuple[Language, str, list[str], list[tuple[str, ...]]]] = {
    "commas, a place in brackets": (
        ZH,
        f"<p>王小明，李伟</p><p>（{BEIJING}）</p><p>摘要：{ZH.abstract}</p><p>关键词：茶；耐心</p>",
        [BEIJING],
        [(BEIJING,), (BEIJING,)],
    ),
    "spaces, headings in brackets": (
        ZH,
        f"<p>王小明 李 伟</p><p>{BEIJING}</p><p>【摘要】{ZH.abstract}</p><p>【关键词】茶；耐心</p>",
        [BEIJING],
        [(BEIJING,), (BEIJING,)],
    ),
    "numbers in one line": (
        ZH,
        f"<p>王小明1，李伟2</p><p>（1. {BEIJING}；2. {HANGZHOU}）</p><h2>摘要</h2>"
        f"<p>{ZH.abstract}</p><h3>关键词</h3><p>茶 耐心</p>",
        [BEIJING, HANGZHOU],
        [(BEIJING,), (HANGZHOU,)],
    ),
    "superscripts": (
        ZH,
        f"<p>王小明<sup>1</sup>、李伟<sup>2</sup></p><p><sup>1</sup>{BEIJING}<br><sup>2</sup>"
        f"{HANGZHOU}</p><p>摘　要：{ZH.abstract}</p><p>关键词 茶；耐心</p>",
        [BEIJING, HANGZHOU],
        [(BEIJING,), (HANGZHOU,)],
    ),
    "places behind names": (
        ZH,
        f"<p>王小明（{BEIJING}），李伟（{HANGZHOU}）</p><p>摘要 {ZH.abstract}</p>"
        "<p>关键词：茶，耐心</p>",
        [BEIJING, HANGZHOU],
        [(BEIJING,), (HANGZHOU,)],
    ),
    "lines that say what they are": (
        ZH,
        f"<p>作者：王小明，李伟</p><p>单位：{BEIJING}</p><p>收稿日期：2020-01-02</p>"
        f"<p>[摘要] {ZH.abstract}</p><p>[关键词] 茶；耐心</p>",
        [BEIJING],
        [(BEIJING,), (BEIJING,)],
    ),
    "Chinese and English": (
        ZH,
        f"<p>王小明，李伟</p><p>（{BEIJING}）</p><p>摘要：{ZH.abstract}</p><p>关键词：茶；耐心</p>"
        f"{IN_ENGLISH}",
        [BEIJING],
        [(BEIJING,), (BEIJING,)],
    ),
    "names with a space": (
        JA,
        f"<p>山田 太郎，佐藤 花子</p><p>{KYOTO_JA}</p><h2>要旨</h2><p>{JA.abstract}</p>"
        "<p>キーワード：茶；忍耐</p>",
        [KYOTO_JA],
        [(KYOTO_JA,), (KYOTO_JA,)],
    ),
    "names of three syllables": (
        KO,
        f"<p>김철수, 이영희</p><p>{SEOUL}</p><h2>초록</h2><p>{KO.abstract}</p>"
        "<p>주제어: 차, 인내심</p>",
        [SEOUL],
        [(SEOUL,), (SEOUL,)],
    ),
    "a word for and": (
        ES,
        f"<p>Ana Ruiz y José Pérez</p><p>{MADRID}</p><h2>Resumen</h2><p>{ES.abstract}</p>"
        "<p>Palabras clave: té; paciencia</p>",
        [MADRID],
        [(MADRID,), (MADRID,)],
    ),
    "families first": (
        RU,
        f"<p>Иванов И. И., Петрова А. П.</p><p>{MOSCOW}</p><p>Аннотация. {RU.abstract}</p>"
        "<p>Ключевые слова: чай, терпение</p>",
        [MOSCOW],
        [(MOSCOW,), (MOSCOW,)],
    ),
    "initials first, headings": (
        RU,
        f"<p>И. И. Иванов, А. П. Петрова</p><p>{MOSCOW}</p><h3>Аннотация</h3><p>{RU.abstract}</p>"
        "<h3>Ключевые слова</h3><p>чай, терпение</p>",
        [MOSCOW],
        [(MOSCOW,), (MOSCOW,)],
    ),
    "numbers": (
        RU,
        f"<p>Авторы: Иванов И. И.1, Петрова А. П.2</p><p>1 {MOSCOW}</p><p>2 {KAZAN}</p>"
        f"<p><b>Резюме.</b> {RU.abstract}</p><p><b>Ключевые слова:</b> чай; терпение.</p>",
        [MOSCOW, KAZAN],
        [(MOSCOW,), (KAZAN,)],
    ),
    "Russian and English": (
        RU,
        f"<p>Иванов И. И., Петрова А. П.</p><p>{MOSCOW}</p><p>Поступила в редакцию 12.03.2020</p>"
        f"<p>Реферат. {RU.abstract}</p><p>Ключевые слова: чай, терпение</p>{IN_ENGLISH}",
        [MOSCOW],
        [(MOSCOW,), (MOSCOW,)],
    ),
}


def read(lay_out: LayOut, name: str, introduction: str | None = None) -> ArticleReading:
    language, front, *_ = FRONTS[name]
    return read_article(lay_out(language.page(front, introduction)))


@pytest.mark.parametrize("name", FRONTS)
def test_front_matter_is_read(lay_out: LayOut, name: str) -> None:
    language, _, located, links = FRONTS[name]
    reading = read(lay_out, name)
    assert reading.is_article
    assert reading.title is not None
    assert reading.title.text == language.title
    wanted = NAMES[language.name]
    assert [(author.given, author.family) for author in reading.authors] == wanted
    assert [place.text for place in reading.affiliations] == located
    texts = [reading.affiliations_of(author) for author in reading.authors]
    assert [tuple(place.text for place in own) for own in texts] == links


@pytest.mark.parametrize("name", FRONTS)
def test_abstract_keywords_and_references_are_read(lay_out: LayOut, name: str) -> None:
    language = FRONTS[name][0]
    reading = read(lay_out, name)
    assert reading.abstract is not None
    assert reading.abstract.text == language.abstract
    assert [keyword.text for keyword in reading.keywords] == KEYWORDS[language.name]
    assert [reference.text for reference in reading.references] == list(language.cited)


@pytest.mark.parametrize("name", ["commas, a place in brackets", "families first"])
def test_the_text_may_have_no_heading(lay_out: LayOut, name: str) -> None:
    reading = read(lay_out, name, introduction="")
    assert reading.abstract is not None
    assert len(reading.authors) == 2
    assert len(reading.affiliations) == 1


@pytest.mark.parametrize("language", [ZH, RU], ids=["Chinese", "Russian"])
def test_news_are_no_articles(lay_out: LayOut, language: Language) -> None:
    page = language.page("<p>2021-03-04</p>", "").partition("<h2>")[0]
    assert not read_article(lay_out(page)).is_article


@pytest.mark.parametrize(
    ("name", "given", "family"),
    [
        ("王小明", "小明", "王"),
        ("李伟", "伟", "李"),
        ("欧阳小明", "小明", "欧阳"),
        ("山田 太郎", "太郎", "山田"),
        ("金子轩", "子轩", "金"),
        ("田中华", "中华", "田"),
        ("高橋一郎", "一郎", "高橋"),
        ("長谷川博", "博", "長谷川"),
        ("長谷川一郎", "一郎", "長谷川"),
        ("김철수", "철수", "김"),
        ("김 철수", "철수", "김"),
        ("남궁민수", "민수", "남궁"),
        ("Иванов И. И.", "И. И.", "Иванов"),
        ("И.И. Иванов", "И.И.", "Иванов"),
        ("Иванов Иван Иванович", "Иван Иванович", "Иванов"),
        ("Анна Петровна Сидорова", "Анна Петровна", "Сидорова"),
    ],
)
def test_names_are_divided(name: str, given: str, family: str) -> None:
    assert is_name(name)
    assert divide(name) == (given, family)


@pytest.mark.parametrize("text", ["方法", "土壤问题", "中国农业大学", "王", "王小明李伟", "茶叶"])
def test_other_words_are_no_names(text: str) -> None:
    assert not is_eastern_name(text)


@pytest.mark.parametrize(
    "text",
    [
        "서울",
        "한국",
        "대한민국",
        "서론",
        "결론",
        "방법",
        "정보",
        "식물학과",
        "서울대학교 식물학과",
        "전라남도",
    ],
)
def test_other_words_are_no_names_in_korean(text: str) -> None:
    assert not is_name(text)


@pytest.mark.parametrize(
    ("names", "text", "family"),
    [
        (["金子健", "王小明"], "绿茶的研究", "金"),
        (["金子健", "佐藤健"], "", "金子"),
        (["金子健"], "緑茶の温度と香りについて", "金子"),
        (["金子健"], "本文研究绿茶温度与香气的关系，引自茶の本", "金"),
    ],
)
def test_names_are_japanese_if_others_or_the_text_are(
    names: list[str], text: str, family: str
) -> None:
    assert divide(names[0], japanese=are_japanese(names, [text]))[1] == family


def test_places_in_korean_are_no_authors() -> None:
    people = persons([NameText("김철수 · 이영희 (서울대학교), 남궁민수, 서울, 한국", 0)])
    assert [person.name for person in people] == ["김철수", "이영희", "남궁민수"]
    assert people[0].nested == ["서울대학교"]


def test_marks_leave_initials_whole() -> None:
    people = persons([NameText("Иванов И.И.1, King A.M.2, Ada King. 3", 0)])
    assert [(person.name, person.marks) for person in people] == [
        ("Иванов И.И.", ["1"]), ("King A.M.", ["2"]), ("Ada King", ["3"])
    ]  # fmt: skip


def test_a_place_in_brackets_is_that_of_all_before() -> None:
    people = persons([NameText(f"王小明，李伟（{BEIJING}），张三丰（{HANGZHOU}）", 0)])
    assert [person.nested for person in people] == [[BEIJING], [BEIJING], [HANGZHOU]]


def test_places_are_cut_at_numbers_and_semicolons() -> None:
    for text in (f"（1. {BEIJING}；2. {HANGZHOU}）", f"{BEIJING}；{HANGZHOU}"):
        assert len(cut(Institution(text, None, 0, 0))) == 2


def test_characters_are_counted_where_words_are_not_parted() -> None:
    assert size_in_words("绿茶对审稿人") == 3
    assert size_in_words("зелёный чай") == 2
    assert size_in_words("green tea, 绿茶") == 3
