import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { startCouncil } from "../harness.ts";
import { pythonWith } from "./python-environment.ts";

const run = promisify(execFile);
const script = fileURLToPath(new URL("./chat_clients.py", import.meta.url));
const WINNER = expect.stringContaining("Tabs");

describe("Python clients of /v1", () => {
  it("openai and langchain-openai get answers, streams and errors [C-ai-sdk]", async (context) => {
    const python = await pythonWith("openai", "langchain-openai");
    if (python.startsWith("skipped")) {
      console.warn(python);
      context.skip(python);
    }
    const working = await startCouncil({ behaviour: { truth: "Tabs" } });
    const failing = await startCouncil({ rules: [{ reply: { kind: "status", status: 401 } }] });
    const { stdout } = await run(python, [script, `${working.url}/v1`, `${failing.url}/v1`], {
      env: { ...process.env, PYTHONDONTWRITEBYTECODE: "" },
      timeout: 120_000,
    });
    const failure = { status: 502, code: "all_calls_failed" };
    expect(JSON.parse(stdout)).toMatchObject({
      openai: {
        models: expect.arrayContaining(["auto", "vote"]),
        model: "vote",
        plain: WINNER,
        stream: WINNER,
        tools: { status: 400, code: "invalid_request", message: expect.stringContaining("tools") },
        failure,
        stream_failure: { code: "all_calls_failed" },
      },
      langchain: { plain: WINNER, stream: WINNER, failure },
    });
  }, 600_000);
});
