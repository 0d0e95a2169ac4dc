"""The work on mci-py: a question in each line of standard input, an answer in each line of output (speed/worker.ts)."""

import json
import os
import resource
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

from mcipy import MCIClient

PLACE = json.loads(sys.argv[1])
Work = Callable[[], Any]


def load(count: int) -> Work:
    def once() -> None:
        client = MCIClient(schema_file_path=f"{PLACE['dir']}/tools-{count}.mci.json")
        if len(client.list_tools()) != count:
            raise RuntimeError("tools are missing")

    return once


def call(file: str, tool: str, properties: dict[str, Any]) -> Work:
    client = MCIClient(schema_file_path=f"{PLACE['dir']}/{file}")

    def once() -> None:
        result = client.execute(tool_name=tool, properties=properties).result
        if result.isError:
            raise RuntimeError(result.content[0].text)

    return once


def render() -> Work:
    with open(f"{PLACE['dir']}/rows.json", encoding="utf-8") as file:
        return call("kinds.mci.json", "render", {"rows": json.load(file)})


SETUPS: dict[str, Callable[[], Work]] = {
    "load-10": lambda: load(10),
    "load-1000": lambda: load(1000),
    "load-10000": lambda: load(10_000),
    "render": render,
    "text": lambda: call("kinds.mci.json", "text", {"name": "Ada", "age": 36}),
    "file": lambda: call("kinds.mci.json", "file", {}),
    "cli": lambda: call("kinds.mci.json", "cli", {}),
    "http": lambda: call("kinds.mci.json", "http", {}),
    "mcp": lambda: call("mcp-mci-py.mci.json", "greet", {"who": "Ada"}),
    "oauth": lambda: call("oauth-mci-py.mci.json", "alone", {}),
    "oauth-50": lambda: call("oauth-mci-py.mci.json", "together", {}),
}


def measure(once: Work, calls: int, concurrency: int, milliseconds: float) -> float:
    """Microseconds for one call. Its calls block, so those side by side are in threads."""
    begun = concurrency  # every lane makes one call at least
    failures: list[Exception] = []
    start = time.perf_counter()

    def lane() -> None:
        nonlocal begun
        while True:
            try:
                once()
            except Exception as error:
                failures.append(error)
                return
            if begun >= calls or (time.perf_counter() - start) * 1000 >= milliseconds:
                return
            begun += 1

    threads = [threading.Thread(target=lane) for _ in range(concurrency - 1)]
    for thread in threads:
        thread.start()
    lane()
    for thread in threads:
        thread.join()
    elapsed = time.perf_counter() - start
    if failures:
        raise failures[0]
    return elapsed * 1e6 / begun


def main() -> None:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    ready: dict[str, Work] = {}
    for line in sys.stdin:
        question = json.loads(line)
        answer: dict[str, Any] = {}
        try:
            work = question.pop("work")
            if work not in SETUPS:
                raise RuntimeError("not supported")
            if work not in ready:
                ready[work] = SETUPS[work]()
            answer["microseconds"] = measure(ready[work], **question)
        except Exception as error:
            answer["error"] = str(error)
        answer["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


main()
