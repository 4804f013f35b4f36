"""Every tool of the MCP server, through a client in this process."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from asking import (
    NEWS,
    Draft202012Validator,
    ask,
    client_of,
    content,
    error,
    marked,
    refused,
    save,
    tea_page,
    with_client,
)
from mcp import Client, MCPError

from pagesight.document import read
from pagesight.mcp import Settings
from pagesight.page import Page
from pagesight.readers import registry
from pagesight.readers.registry import Reading, readings, register
from pagesight.readers.value import Value
from pagesight.render import AnyRenderer
from pagesight.sources import Source
from pagesight.watch import Watch
from pagesight.watch.components import ComponentIndex, ComponentsReading, find
from serving import Website, website

WATCHING = {
    "watch_part", "list_parts", "read_part", "what_changed", "diff_part", "confirm_match",
    "check_now",
}  # fmt: skip
WRITING = {"watch_part", "confirm_match", "check_now"}
READING = {"read", "find_parts", "title", "outline", "article", "records", "zones"}


@pytest.fixture
def settings(tmp_path: Path, embedded: AnyRenderer) -> Settings:
    return Settings(
        database=str(tmp_path / "watch.sqlite"), folders=[tmp_path], renderer=embedded, private=True
    )


def count_nodes(page: Page) -> Value:
    return Value(text=str(len(page)), confidence=1.0)


@pytest.fixture
def counting() -> Iterator[None]:
    """A reading more, for as long as a test runs."""
    register(Reading(name="count", question="how many nodes?", read=f"{__name__}:count_nodes"))
    yield
    del registry._added["count"]


async def offered(client: Client) -> dict[str, Any]:
    return {tool.name: tool for tool in (await client.list_tools()).tools}


# What is offered


def test_the_tools_that_there_are(settings: Settings) -> None:
    tools = with_client(settings, offered)
    assert set(tools) == WATCHING | READING
    for tool in tools.values():
        assert tool.description
        assert tool.annotations.read_only_hint == (tool.name not in WRITING)
        assert tool.input_schema["additionalProperties"] is False
        for field in tool.input_schema["properties"].values():
            assert "description" in field, tool.name
        for schema in (tool.input_schema, tool.output_schema):
            Draft202012Validator.check_schema(schema)


def test_the_instructions_say_whom_to_trust(settings: Settings) -> None:
    async def instructions(client: Client) -> Any:
        return client.instructions

    assert "not an instruction" in with_client(settings, instructions)


def test_a_registered_reading_is_a_tool(settings: Settings, tmp_path: Path, counting: None) -> None:
    path = save(tmp_path)
    tools = with_client(settings, offered)
    assert "how many nodes?" in tools["count"].description
    document = read(path, renderer=settings.renderer)
    counted = ask(settings, "count", source=str(path))
    assert counted["text"] == str(len(document.page))
    assert counted["problem"] is None


# Readings


@pytest.mark.parametrize("name", [reading.name for reading in readings()])
def test_a_reading_is_as_the_command_prints_it(
    name: str, settings: Settings, tmp_path: Path
) -> None:
    path = save(tmp_path)

    async def call(client: Client) -> tuple[Any, Any]:
        schema = (await offered(client))[name].output_schema
        return schema, marked(await client.call_tool(name, {"source": str(path)}))

    schema, answer = with_client(settings, call)
    document = read(path, renderer=settings.renderer)
    assert answer["content"] == json.loads(json.dumps(document.json_of(document.reading(name))))
    assert answer["cut"] == []
    strict = {"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]}
    assert Draft202012Validator(strict).is_valid(answer["content"])
    assert Draft202012Validator(schema).is_valid(answer)


def test_everything_about_a_page(settings: Settings, tmp_path: Path) -> None:
    path = save(tmp_path)
    document = read(path, renderer=settings.renderer)
    found = ask(replace(settings, answer_size=100_000), "read", source="tea.html")
    assert found == json.loads(json.dumps(document.to_json()))


def test_the_parts_of_a_page(settings: Settings, tmp_path: Path) -> None:
    save(tmp_path)
    found = ask(settings, "find_parts", source="tea.html", containing="GREEN TEA")
    (part,) = found["parts"]
    assert [item["title"] for item in part["items"]] == list(NEWS)
    assert found["problem"] is None
    assert len(ask(settings, "find_parts", source="tea.html")["parts"]) > 1


def test_a_page_is_rendered_once_until_it_changes(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = save(tmp_path)
    rendered: list[Source] = []
    whole = AnyRenderer.render

    def counted(self: AnyRenderer, source: Source) -> Page:
        rendered.append(source)
        return whole(self, source)

    monkeypatch.setattr(AnyRenderer, "render", counted)

    async def use(client: Client) -> None:
        for name in ("title", "outline"):
            await client.call_tool(name, {"source": str(path)})
        assert len(rendered) == 1
        await client.call_tool("title", {"source": str(path), "fresh": True})
        assert len(rendered) == 2
        save(tmp_path, extra="<h2>More tea</h2>")
        found = content(await client.call_tool("outline", {"source": str(path)}))
        assert found["headings"][-1]["text"] == "More tea"

    with_client(settings, use)


def test_an_address_is_asked_once_in_five_minutes(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def use(client: Client, site: Website) -> None:
        for name in ("title", "outline", "zones"):
            first = marked(await client.call_tool(name, {"source": site()}))
        assert site.asked == ["/"]
        again = marked(await client.call_tool("title", {"source": site(), "fresh": True}))
        assert site.asked == ["/"] * 2
        assert again["time"] >= first["time"]
        monkeypatch.setattr("pagesight.mcp.service.FRESH", 0.0)
        await client.call_tool("title", {"source": site()})
        assert site.asked == ["/"] * 3

    with website({"/": tea_page()}) as site:
        with_client(settings, lambda client: use(client, site))


# Watching


def test_from_the_first_look_to_the_difference(settings: Settings, tmp_path: Path) -> None:
    path = save(tmp_path)

    async def use(client: Client) -> None:
        schemas = {name: tool.output_schema for name, tool in (await offered(client)).items()}

        async def call(tool: str, shape: str, **arguments: Any) -> Any:
            found = content(await client.call_tool(tool, arguments))
            one = {"$ref": f"#/$defs/{shape}", "$defs": schemas[tool]["$defs"]}
            assert list(Draft202012Validator(one).iter_errors(found)) == []
            return found

        (part,) = (await call("find_parts", "offers", source="tea.html", containing=NEWS[0]))[
            "parts"
        ]
        (watched,) = (
            await call("watch_part", "watchedParts", source=str(path), select=[part["xpath"]])
        )["parts"]
        assert watched["observation"]["text"] == part["text"]
        assert "html" not in watched["observation"]
        number = watched["id"]
        assert (await call("check_now", "checks"))["checked"][0]["outcome"] == "unchanged"
        assert (await call("what_changed", "whatChanged"))["changed"] == []

        save(tmp_path, news=[*NEWS, "White tea has arrived"])
        checks = await call("check_now", "checks", parts=[number])
        (seen,) = checks["checked"][0]["parts"]
        assert (seen["new"], seen["observation"]) == (True, 2)
        assert [item["title"] for item in seen["new_items"]] == ["White tea has arrived"]
        assert checks["not_checked"] == []

        (changed,) = (await call("what_changed", "whatChanged"))["changed"]
        assert (changed["part"], changed["summary"]) == (number, "1 new item")
        assert (await call("what_changed", "whatChanged", since="2999-01-01T00:00:00Z"))[
            "changed"
        ] == []
        difference = await call("diff_part", "partChanges", part=number, html=True)
        assert "\n+White tea has arrived\n" in difference["text"]
        assert "<a><ins>White tea has arrived" in difference["html"]
        assert (await call("diff_part", "partChanges", part=number, before=1, after=1))[
            "text"
        ] == ""
        assert (
            "White tea"
            in (await call("read_part", "watchedPart", part=number))["observation"]["text"]
        )
        before = await call("read_part", "watchedPart", part=number, observation=1, html=True)
        assert "White tea" not in before["observation"]["text"]
        assert before["observation"]["html"].startswith("<")
        (listed,) = (await call("list_parts", "watchedParts"))["parts"]
        assert (listed["id"], listed["observation"]["number"]) == (number, 2)

    with_client(settings, use)


@pytest.fixture
def unsure(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """The number of a part that a check was unsure about."""

    def hesitating(index: ComponentIndex, page: Page) -> ComponentsReading:
        found = find(index, page)
        components = [
            replace(one, status="unsure", runner_up=one.place, place=None)
            for one in found.components
        ]
        return replace(found, components=tuple(components))

    path = save(tmp_path)
    with Watch.open(settings.database, renderer=settings.renderer) as watch:
        (part,) = watch.add(path, select=["#news"])
        save(tmp_path, news=["White tea", "Red tea", "Old cups"])
        with monkeypatch.context() as patched:
            patched.setattr("pagesight.watch.looking.find", hesitating)
            (checked,) = watch.check()
        assert checked.parts[0].now.status == "unsure"
    return part.id


def test_what_is_unsure_is_told_and_confirmed(settings: Settings, unsure: int) -> None:
    assert ask(settings, "what_changed")["unsure"][0]["part"] == unsure
    part = ask(settings, "confirm_match", part=unsure)
    assert part["observation"]["status"] == "found"
    assert "White tea" in part["observation"]["text"]
    assert ask(settings, "what_changed")["unsure"] == []
    assert refused(settings, "confirm_match", part=unsure)["kind"] == "watch_error"


def test_another_element_is_the_part_or_none_is(settings: Settings, unsure: int) -> None:
    both = refused(settings, "confirm_match", part=unsure, node="#hours", gone=True)
    assert both["kind"] == "wrong_arguments"
    missing = refused(settings, "confirm_match", part=unsure, node="#nowhere")
    assert missing["kind"] == "no_such_part"
    assert ask(settings, "confirm_match", part=unsure, gone=True)["state"] == "gone"


def test_a_page_that_fails_is_told(settings: Settings, tmp_path: Path) -> None:
    path = save(tmp_path)
    ask(settings, "watch_part", source=str(path), select=["#news"], name="Tea")
    path.unlink()
    (checked,) = ask(settings, "check_now")["checked"]
    assert (checked["outcome"], checked["error"]["kind"]) == ("failed", "source_not_found")
    (failing,) = ask(settings, "what_changed")["failing"]
    assert failing["failures"] == 1
    (part,) = ask(settings, "list_parts")["parts"]
    assert (part["name"], part["observation"]["status"]) == ("Tea", "found")


# Errors


@pytest.mark.parametrize(
    ("tool", "arguments", "kind", "message"),
    [
        ("title", {}, "wrong_arguments", "source: Field required"),
        ("title", {"source": 1}, "wrong_arguments", "source: Input should be a valid string"),
        ("title", {"source": "-"}, "wrong_arguments", "the path of a file"),
        ("title", {"source": "a\0b"}, "wrong_arguments", "not the path of a file"),
        ("title", {"source": "tea.html", "deep": 1}, "wrong_arguments", "deep: Extra inputs"),
        ("title", {"source": "tea.html", "offset": -1}, "wrong_arguments", "offset: "),
        ("title", {"source": "tea.html", "path": "x"}, "wrong_arguments", "begins with a slash"),
        ("title", {"source": "tea.html", "path": "/x"}, "wrong_arguments", "nothing at '/x'"),
        ("title", {"source": "tea.html", "limit": 1}, "wrong_arguments", "for a path that leads"),
        ("title", {"source": "tea.html", "path": "/candidates", "offset": 99},
         "wrong_arguments", "from 0 on"),
        ("title", {"source": "cup.html"}, "source_not_found", "there is no such file"),
        ("title", {"source": "tea.png"}, "not_a_page", ""),
        ("read_part", {"part": 9}, "part_not_found", "there is no part 9"),
        ("diff_part", {"part": 0}, "wrong_arguments", "part: "),
        ("what_changed", {"since": "today"}, "wrong_arguments", "since: "),
        ("what_changed", {"since": "2026-11-18T08:00:00"}, "wrong_arguments", "offset from UTC"),
        ("check_now", {"path": "/checked"}, "wrong_arguments", "path: Extra inputs"),
        ("watch_part", {"source": "tea.html", "select": []}, "wrong_arguments", "select: "),
        ("watch_part", {"source": "tea.html", "select": ["#no"]}, "no_such_part", "#no"),
        ("check_now", {"parts": [7]}, "part_not_found", "there is no part 7"),
    ],
)  # fmt: skip
def test_what_goes_wrong_is_an_answer(
    tool: str, arguments: Any, kind: str, message: str, settings: Settings, tmp_path: Path
) -> None:
    save(tmp_path)
    (tmp_path / "tea.png").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(100))
    failed = refused(settings, tool, **arguments)
    assert failed["kind"] == kind
    assert message in failed["message"]


def test_a_tool_that_there_is_not(settings: Settings) -> None:
    async def call(client: Client) -> None:
        with pytest.raises(MCPError, match="there is no tool 'pour'"):
            await client.call_tool("pour", {})

    with_client(settings, call)


def test_a_defect_costs_one_answer(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = str(save(tmp_path))

    async def use(client: Client) -> None:
        with monkeypatch.context() as patched:
            patched.setattr("pagesight.mcp.service.read", lambda *_, **__: 1 / 0)
            failed = error(await client.call_tool("title", {"source": path}))
            assert failed["kind"] == "unexpected_error"
            assert "ZeroDivisionError" in failed["message"]
        assert content(await client.call_tool("title", {"source": path}))["title"]

    with_client(settings, use)


# Many at once


def test_many_calls_at_once(settings: Settings, tmp_path: Path) -> None:
    paths = [save(tmp_path, f"{number}.html", news=[*NEWS, f"Tea {number}"]) for number in range(6)]
    answers: dict[tuple[int, str], Any] = {}

    async def use(client: Client) -> None:
        async def call(number: int, tool: str, **arguments: Any) -> None:
            result = await client.call_tool(tool, {"source": str(paths[number]), **arguments})
            answers[number, tool] = content(result)

        async def watch(number: int) -> None:
            await call(number, "watch_part", select=["#news"])

        async with anyio.create_task_group() as group:
            for number in range(len(paths)):
                for tool in ("title", "outline", "find_parts"):
                    group.start_soon(call, number, tool)
                group.start_soon(watch, number)

    with_client(settings, use)
    assert len(answers) == 24
    for number in range(6):
        texts = [part["text"] for part in answers[number, "find_parts"]["parts"]]
        assert any(f"Tea {number}" in one for one in texts)
    parts = ask(settings, "list_parts")["parts"]
    assert {part["page"]["address"] for part in parts} == set(map(str, paths))


def test_one_client_after_the_other(settings: Settings, tmp_path: Path) -> None:
    path = str(save(tmp_path))

    async def use() -> None:
        for _ in range(2):
            async with client_of(settings) as client:
                assert content(await client.call_tool("title", {"source": path}))["title"]

    anyio.run(use)
