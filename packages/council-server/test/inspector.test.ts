import { describe, expect, it } from "vitest";
import { inspect } from "../../../test/inspector/inspect.ts";
import { program } from "../../../test/programs/programs.ts";
import { startService } from "./harness.ts";

// The official Inspector, from the command line, as a client of the council.

const STDIO = [process.execPath, program("packages/council-server", "main.js"), "--stdio"];

const LIST = ["--method", "tools/list", "--strict"];
const CALL = [
  ...["--method", "tools/call", "--tool-name", "solve_with_voting"],
  ...["--tool-arg", "query=Tabs or spaces?", "--tool-arg", "k=2"],
];

describe("the Inspector", () => {
  it("accepts the tools, and calls them, over HTTP and stdio, by both protocols [P-http]", async () => {
    const { url } = await startService();
    const http = (era: string) => ["--protocol-era", era, "--server-url", `${url}/mcp`];
    const stdio = (era: string) => ["--protocol-era", era, "-e", "MCI_DETECT_LOCAL=0"];
    // Each method over each transport and by each protocol: which tools there are, and what they do, depends on neither.
    const { results } = await inspect(
      [
        { options: [...http("modern"), ...LIST] },
        { options: [...stdio("legacy"), ...LIST], server: STDIO },
        { options: [...http("legacy"), ...CALL] },
        { options: [...stdio("modern"), ...CALL], server: STDIO },
      ],
      { env: { HOME: process.env["HOME"] ?? "", MCI_DETECT_LOCAL: "0" } },
    );
    expect(results).toHaveLength(4);
    for (const { tools } of results.slice(0, 2)) {
      expect(tools.map(({ name }: { name: string }) => name)).toEqual([
        "query",
        "consult_council",
        "solve_with_voting",
        "decompose_task",
        "start_task",
        "get_task",
      ]);
    }
    for (const { content, structuredContent } of results.slice(2)) {
      expect(content[0].text).toMatch(/^# First-to-ahead-by-2 Voting Result\n\n## Winning Answer\n\n/);
      expect(structuredContent.metadata).toMatchObject({
        tool_used: "solve_with_voting",
        model: "simulated",
      });
    }
  });
});
