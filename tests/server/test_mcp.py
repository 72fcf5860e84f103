"""The installed command as an MCP server, tested with the client of the official SDK."""

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters

from dehusk.render.writing import OPTIONS

COMMAND = Path(sys.executable).with_name("dehusk")

Sent = dict[str, str]
Call = Callable[..., Coroutine[None, None, tuple[bool, str]]]


@pytest.fixture
def session(tmp_path: Path) -> Callable[[Callable[[Client, Call], Coroutine[None, None, None]]], None]:
    """Runs a test with a client of a new server."""
    parameters = StdioServerParameters(
        command=str(COMMAND), args=["mcp"], env={**os.environ, "XDG_DATA_HOME": str(tmp_path)}
    )

    def run(test: Callable[[Client, Call], Coroutine[None, None, None]]) -> None:
        async def connected() -> None:
            async with Client(parameters) as client:

                async def call(tool: str, **arguments: Any) -> tuple[bool, str]:
                    """Whether a tool succeeded, and its answer."""
                    result = await client.call_tool(tool, arguments)
                    return not result.is_error, "".join(one.text for one in result.content if one.type == "text")

                await test(client, call)

        asyncio.run(connected())

    return run


def test_an_agent_learns_a_site_and_reads_its_pages(session: Any, pages: list[Sent], lantern: Sent) -> None:
    async def test(client: Client, call: Call) -> None:
        tools = (await client.list_tools()).tools
        assert [tool.name for tool in tools] == ["clean", "learn", "diff"]
        assert all(tool.description for tool in tools)
        told = {"html", "url", "format", *(option.name for option in OPTIONS)}
        assert set(tools[0].input_schema["properties"]) == told

        ok, alone = await call("clean", **lantern)
        assert ok
        assert "note: cleaned without a template of its site" in alone

        assert await call("learn", pages=pages) == (True, "tidewater.example: learned from 28 of 30 pages")
        ok, content = await call("clean", **lantern)
        head, _, text = content.partition("\n\n")
        assert (ok, head) == (True, "title: Pier Lantern")
        assert "The lantern that hangs on every third post" in text
        assert "newsletter" not in text
        assert "Journal" in (await call("clean", **lantern, format="text", keep=["navigation"]))[1]

        new = lantern["html"].replace("</h1>", "</h1><p>Sold out until the ferry comes back.</p>", 1)
        ok, changes = await call("diff", old=lantern["html"], new=new, url=lantern["url"])
        assert ok
        assert changes.splitlines() == [
            "verdict: content",
            "changes: 1 of content, 0 of the template",
            "",
            "added:",
            "Sold out until the ferry comes back.",
        ]

    session(test)


def test_invalid_calls_are_an_error_of_one_line(session: Any) -> None:
    async def test(_: Client, call: Call) -> None:
        wrong: dict[str, dict[str, Any]] = {
            "a PDF, not HTML": {"html": "%PDF-1.7"},
            "keep.0": {"html": "<p>a", "keep": ["menus"]},
            "url": {"html": "<p>a", "url": "with a space"},
            "not an http or https URL": {"html": "<p>a", "base_url": "docs/"},
        }
        for words, arguments in wrong.items():
            ok, said = await call("clean", **arguments)
            assert (ok, said.count("\n")) == (False, 0)
            assert words in said

    session(test)
