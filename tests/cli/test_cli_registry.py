"""The registry of readings."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import installed, lines, run_program, save_small_page, small_page

from pagesight.document import Document
from pagesight.lazy import imported, offered
from pagesight.page import Page
from pagesight.readers import registry
from pagesight.readers.registry import Reading, reading_named, readings, register
from pagesight.readers.value import Value

HEAVY = ("numpy", "pagesight.page", "pagesight.segment", "pagesight.models", "rich", "PIL")


def count_nodes(page: Page) -> Value:
    return Value(text=str(len(page)), confidence=1.0)


COUNT = Reading(name="count", question="how many nodes?", read=f"{__name__}:count_nodes")


@pytest.fixture
def counting() -> Iterator[Reading]:
    """A reading more, for as long as a test runs."""
    yield register(COUNT)
    del registry._added["count"]


def test_the_readings_that_there_are() -> None:
    assert [reading.name for reading in readings()] == [
        "zones",
        "title",
        "outline",
        "article",
        "records",
    ]


@pytest.mark.parametrize("reading", readings(), ids=lambda reading: reading.name)
def test_everything_that_a_reading_names_is_there(reading: Reading) -> None:
    paths = [reading.read, reading.glance, reading.lines, reading.train, reading.evaluate]
    for path in [*filter(None, paths), *(layer.marks for layer in reading.layers)]:
        assert callable(imported(path)), path
    assert reading.question.endswith("?")


def test_layers_have_names_of_their_own() -> None:
    names = [layer.name for reading in readings() for layer in reading.layers]
    assert names == ["blocks", "xycut", "vips", "headings", "article", "records"]


def test_declaring_readings_imports_nothing_heavy() -> None:
    program = f"""
import sys
import pagesight.readers.article, pagesight.readers.title
from pagesight.readers.registry import readings
readings()
print([name for name in {HEAVY!r} if name in sys.modules])"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert done.stdout.strip() == b"[]"


def test_a_registered_reading_is_one_of_the_document(counting: Reading) -> None:
    document = Document("tea", small_page())
    assert document.reading("count").text == str(len(document.page))
    assert document.count is document.reading("count")  # type: ignore[attr-defined]
    assert document.to_json()["readings"]["count"]["text"] == document.reading("count").text
    assert "count" in dir(document)
    assert reading_named("count") is counting


def test_a_name_is_taken_once(counting: Reading) -> None:
    with pytest.raises(ValueError, match="there is a reading 'count' already"):
        register(COUNT)


@pytest.mark.parametrize("name", ["page", "problem", "to_json", "two words"])
def test_a_reading_hides_nothing_of_a_document(name: str) -> None:
    with pytest.raises(ValueError, match="cannot be the name of an attribute"):
        register(Reading(name=name, question="?", read="pagesight.lazy:imported"))


def test_a_name_must_be_one_of_an_attribute() -> None:
    with pytest.raises(ValueError, match="'my reading' cannot be"):
        register(Reading(name="my reading", question="?", read=COUNT.read))


def test_a_reading_that_is_not_there() -> None:
    document = Document("tea", small_page())
    with pytest.raises(KeyError):
        document.reading("coffee")
    with pytest.raises(AttributeError, match="no 'coffee', and there is no such reading"):
        document.coffee  # type: ignore[attr-defined] # noqa: B018


def test_a_package_that_is_broken_is_left_out(tmp_path: Path) -> None:
    path = installed(tmp_path, "broken", "no_such_module:READING")
    program = "from pagesight.readers.registry import readings; print(len(readings()))"
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, check=True, env={"PYTHONPATH": path}
    )
    assert done.stdout.strip() == b"5"
    assert b"the reading 'broken' cannot be used" in done.stderr


def test_names_that_a_package_offers_are_imported_on_first_use() -> None:
    find = offered("pagesight.page", ["Box", "Bix"], "columns", "style")
    from pagesight.page.style import Box

    assert find("Box") is Box
    for name in ("Bix", "Style"):  # one that is in no module, one that is not offered
        with pytest.raises(AttributeError, match=f"has no attribute '{name}'"):
            find(name)


# A reading of another package: nothing of ours is edited for it.

TOY = {
    "__init__": """
from pagesight.readers.registry import LayerSpec, Reading

READING = Reading(
    name="shouting",
    question="does the page shout?",
    read="toy.reader:read",
    lines="toy.screen:lines",
    layers=(LayerSpec(name="shouts", title="Shouts", marks="toy.screen:marks"),),
    train="toy.learning:train",
    evaluate="toy.learning:evaluate",
)
""",
    "reader": """
from dataclasses import dataclass
from pagesight.readers.value import Result, Value

@dataclass(frozen=True, repr=False)
class ShoutingReading(Result):
    shouts: tuple[Value, ...] = ()

def share(text):
    letters = [letter for letter in text if letter.isalpha()]
    return sum(map(str.isupper, letters)) / max(len(letters), 1)

def read(page, least=0.1):
    headings = page.find("h1", "h2")
    return ShoutingReading(tuple(
        Value(text=node.text, confidence=share(node.text), place=node, box=node.box)
        for node in headings if share(node.text) >= least
    ))
""",
    "screen": """
from pagesight.output.inspector import Mark

def lines(reading, width):
    yield f"shouting    {len(reading.shouts)} shouts"

def marks(page, reading):
    for number, shout in enumerate(reading.shouts):
        yield Mark(number, shout, "shout")
""",
    "learning": """
import json
from pathlib import Path
from toy.reader import share

def labelled(corpora):
    for line in (corpora.folder / "shouts.jsonl").read_text().splitlines():
        row = json.loads(line)
        yield share(row["text"]), row["shouts"]

def train(corpora, *, output):
    least = min(feature for feature, label in labelled(corpora) if label)
    corpora.advance()
    Path(output).write_text(json.dumps({"least": least}))

def evaluate(corpora, *, worst):
    right = [(feature >= 0.1) == label for feature, label in labelled(corpora)]
    print(f"accuracy {sum(right) / len(right):.2f}")
""",
}


Toy = tuple[Path, str]


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Toy:
    """A folder with a page and a corpus, and the path by which the toy is found."""
    folder = tmp_path_factory.mktemp("toy")
    (folder / "toy").mkdir()
    for name, code in TOY.items():
        (folder / "toy" / f"{name}.py").write_text(code)
    rows = '{"text": "TEA", "shouts": true}\n{"text": "tea", "shouts": false}\n'
    (folder / "shouts.jsonl").write_text(rows + '{"text": "Tea TEA", "shouts": false}\n')
    save_small_page(folder)
    return folder, installed(folder, "toy", "toy:READING")


def test_a_toy_is_read_as_json(toy: Toy) -> None:
    folder, path = toy
    (fields,) = lines(
        run_program("read", "--json", folder / "tea.pagesight", PYTHONPATH=path).stdout
    )
    assert list(fields["readings"])[-1] == "shouting"
    (shout,) = fields["readings"]["shouting"]["shouts"]
    assert (shout["text"], shout["confidence"]) == ("Green tea", 0.125)
    assert shout["xpath"] == "/html/body/h1"


def test_a_toy_is_on_the_screen(toy: Toy) -> None:
    folder, path = toy
    screen = run_program("read", folder / "tea.pagesight", PYTHONPATH=path).stdout.decode()
    assert "\nshouting    1 shouts\n" in screen


def test_a_toy_is_trained(toy: Toy) -> None:
    folder, path = toy
    weights = folder / "weights.json"
    done = run_program("train", "shouting", "--corpora", folder, "-o", weights, PYTHONPATH=path)
    assert (done.returncode, done.stderr) == (0, b"")
    assert weights.read_text() == '{"least": 1.0}'


def test_a_toy_is_evaluated(toy: Toy) -> None:
    folder, path = toy
    done = run_program("evaluate", "shouting", "--corpora", folder, PYTHONPATH=path)
    assert done.stdout.split() == [b"accuracy", b"0.67"]
    wrong = run_program("evaluate", "shouting", "--folds", "4", PYTHONPATH=path)
    assert b"--folds is not for 'shouting'" in wrong.stderr


def test_a_toy_is_a_layer_of_the_inspector(toy: Toy) -> None:
    folder, path = toy
    report = folder / "report.html"
    command = ("inspect", "--json", "--layer", "shouts", "-o", report, folder / "tea.pagesight")
    (fields,) = lines(run_program(*command, PYTHONPATH=path).stdout)
    assert fields["layers"]["shouts"] == 1
    assert next(iter(fields["layers"])) == "shouts"
    assert '"title":"Shouts"' in report.read_text()


def test_a_toy_is_completed_in_the_shell(toy: Toy) -> None:
    environment = {
        "_PAGESIGHT_COMPLETE": "complete_bash",
        "COMP_WORDS": "pagesight train ",
        "COMP_CWORD": "2",
    }
    done = subprocess.run(
        [sys.executable, "-c", "from pagesight.cli import main; main()"],
        capture_output=True, check=False, env={"PYTHONPATH": toy[1]} | environment,
    )  # fmt: skip
    assert b"shouting" in done.stdout.split()
