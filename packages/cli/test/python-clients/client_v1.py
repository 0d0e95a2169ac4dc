"""The official Python client, of version 1, with `mci run`: client_v1.py MODE TARGET..., where TARGET is a URL or a command."""

import asyncio
import os
import sys

import mcp.types as types
from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client


async def elicit(_context, _params):
    return types.ElicitResult(action="accept", content={"name": "Ada", "username": "ada", "email": "ada@example.com"})


async def main(target: list[str]) -> None:
    transport = (
        streamablehttp_client(target[0])
        if target[0].startswith("http")
        else stdio_client(StdioServerParameters(command=target[0], args=target[1:], env=dict(os.environ)))
    )
    async with transport as (read, write, *_), ClientSession(read, write, elicitation_callback=elicit) as session:
        opened = await session.initialize()
        assert opened.protocolVersion < "2026", opened
        names = [tool.name for tool in (await session.list_tools()).tools]
        greeted = await session.call_tool("greet", {"name": "Ada"})
        assert greeted.content[0].text == "Hello, Ada!", greeted
        slow = await session.call_tool("slow_upstream", {"label": "x"})
        assert slow.content[0].text == "done x", slow
        asked = await session.call_tool("test_elicitation", {})
        assert not asked.isError, asked
        text = await session.read_resource("test://static-text")
        assert text.contents[0].text, text
        skill = await session.read_resource("skill://refunds/SKILL.md")
        assert "name: refunds" in skill.contents[0].text, skill
        prompt = await session.get_prompt("test_prompt_with_arguments", {"arg1": "a", "arg2": "b"})
        assert "a" in prompt.messages[0].content.text, prompt
        print(f"ok: {opened.protocolVersion}, {len(names)} tools")


asyncio.run(main(sys.argv[2:]))
