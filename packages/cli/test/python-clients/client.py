"""The official Python client, of version 2, with `mci run`: client.py MODE TARGET..., where TARGET is a URL or a command."""

import asyncio
import os
import sys

import mcp_types as types
from mcp import Client
from mcp.client.stdio import StdioServerParameters
from pydantic import BaseModel, ConfigDict


class SkillsResult(BaseModel):
    model_config = ConfigDict(extra="allow")
    skills: list[dict]


async def elicit(_context, params):
    return types.ElicitResult(action="accept", content={"name": "Ada", "username": "ada", "email": "ada@example.com"})


async def main(mode: str, target: list[str]) -> None:
    server = target[0] if target[0].startswith("http") else StdioServerParameters(command=target[0], args=target[1:], env=dict(os.environ))
    async with Client(server, mode=mode, elicitation_callback=elicit, read_timeout_seconds=60) as client:
        assert (client.protocol_version >= "2026-07-28") == (mode != "legacy"), client.protocol_version
        names = [tool.name for tool in (await client.list_tools()).tools]
        assert "greet" in names and "slow_upstream" in names, names
        greeted = await client.call_tool("greet", {"name": "Ada"})
        assert greeted.content[0].text == "Hello, Ada!", greeted
        progress: list[float] = []

        async def on_progress(value, total=None, message=None):
            progress.append(value)

        await client.call_tool("test_tool_with_progress", {}, progress_callback=on_progress)
        assert progress == [0, 50, 100], progress
        failed = await client.call_tool("test_error_handling", {})
        assert failed.is_error, failed
        # A server behind makes a task of it; this client does not know tasks, and gets the result.
        slow = await client.call_tool("slow_upstream", {"label": "x"})
        assert slow.content[0].text == "done x", slow
        text = await client.read_resource("test://static-text")
        assert text.contents[0].text, text
        prompts = [prompt.name for prompt in (await client.list_prompts()).prompts]
        assert "test_simple_prompt" in prompts, prompts
        prompt = await client.get_prompt("test_prompt_with_arguments", {"arg1": "a", "arg2": "b"})
        assert "a" in prompt.messages[0].content.text, prompt
        asked = await client.call_tool(
            "test_elicitation" if mode == "legacy" else "test_input_required_result_elicitation", {}
        )
        assert not asked.is_error, asked
        request = types.Request(method="skills/list", params={})
        listed = await client.session.send_request(request, SkillsResult)
        uris = [skill["uri"] for skill in listed.skills]
        assert "skill://pdf-processing/SKILL.md" in uris and "skill://refunds/SKILL.md" in uris, uris
        skill = await client.read_resource("skill://refunds/SKILL.md")
        assert "name: refunds" in skill.contents[0].text, skill
        print(f"ok: {client.protocol_version}, {len(names)} tools, {len(uris)} skills")


asyncio.run(main(sys.argv[1], sys.argv[2:]))
