"""Replays conformance cases on mci-py: a task in each line of standard input, what was observed in each line of output.

Tasks and observations are described in conformance/run/adapter.ts.
"""

import json
import os
import tempfile
from typing import Any

from mcipy import MCIClient
from mcipy.client import MCIClientError

FILTERS = ("only", "without", "tags", "withoutTags", "toolsets")


def observe(task: dict[str, Any]) -> dict[str, Any]:
    try:
        client = MCIClient(
            schema_file_path=task["file"],
            env_vars=task["env"],
            validating=task["load"].get("validating", False),
        )
    except MCIClientError as error:
        return {"failure": {"message": str(error)}}
    calls = [call(client, each["tool"], each["properties"]) for each in task["calls"]]
    return {
        "listed": [tool.name for tool in listed(client, {**task["load"].get("filter", {}), **task["filter"]})],
        "tools": [plain(tool) for tool in client.tools()],
        "warnings": [],
        "calls": calls,
    }


def call(client: MCIClient, tool: str, properties: dict[str, Any]) -> dict[str, Any]:
    try:
        result = plain(client.execute(tool_name=tool, properties=properties).result)
    except MCIClientError as error:
        return {"thrown": {"message": str(error)}}
    return {"result": {**result, "metadata": result.get("metadata") or {}}}


def listed(client: MCIClient, filters: dict[str, list[str]]) -> list[Any]:
    """One filter at a time: of several, a tool must pass all."""
    tools = client.tools()
    for name in FILTERS:
        if name in filters:
            passing = [id(tool) for tool in getattr(client, name)(filters[name])]
            tools = [tool for tool in tools if id(tool) in passing]
    return tools


def plain(model: Any) -> dict[str, Any]:
    return json.loads(model.model_dump_json(by_alias=True, exclude_none=True))


def main() -> None:
    # What tools print must not end up between the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    tasks = os.fdopen(os.dup(0), "r", encoding="utf-8")
    leak = tempfile.TemporaryFile()
    leak.write(b"leaked")
    leak.flush()
    os.dup2(leak.fileno(), 0)
    for line in tasks:
        os.lseek(0, 0, os.SEEK_SET)
        try:
            observed: dict[str, Any] = observe(json.loads(line))
        except Exception as error:  # not its own exception: a crash, which the case may not expect
            observed = {"crash": f"{type(error).__name__}: {error}"}
        answers.write(json.dumps(observed) + "\n")
        answers.flush()


main()
