import { spawn } from "node:child_process";
import { text as readAll } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { COMPILE_CACHE } from "../../../../test/programs/programs.ts";
import { folder, mciCommand } from "../mci.ts";
import { file, text } from "./file.ts";
import { ERAS, serveHttp } from "./support.ts";

// The official Inspector, from the command line, as a client of `mci run`.

const INSPECTOR = fileURLToPath(
  new URL(
    "../../../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js",
    import.meta.url,
  ),
);

const TOOLS = {
  "mci.json": file(
    text("greet", "Hello {{props.who}}", {
      title: "Greet",
      description: "Greets someone",
      inputSchema: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
    }),
  ),
};

async function inspect(cwd: string, args: readonly string[], target: readonly string[]) {
  const all = [INSPECTOR, "--cli", ...args, "--format", "json", "--quiet", "--", ...target];
  const child = spawn(process.execPath, all, {
    cwd,
    env: { PATH: process.env.PATH, HOME: cwd, ...COMPILE_CACHE },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [stdout, stderr, code] = await Promise.all([readAll(child.stdout), readAll(child.stderr), ended]);
  return { stdout, stderr, code };
}

/** The command line of a server on stdio. */
function stdio(cwd: string): string[] {
  const [command, args] = mciCommand(["run"], { cwd });
  return [command, ...args];
}

describe.each(ERAS)("the Inspector, %s protocol", (era) => {
  test("lists tools over stdio, has nothing to say against their schemas, and calls them over HTTP [RUN-inspector]", async () => {
    const cwd = folder(TOOLS);
    const listed = await inspect(
      cwd,
      ["--method", "tools/list", "--strict", "--protocol-era", era],
      stdio(cwd),
    );
    expect(listed).toMatchObject({ code: 0, stderr: "" });
    expect(JSON.parse(listed.stdout).result.tools).toMatchObject([
      { name: "greet", title: "Greet", description: "Greets someone", inputSchema: { required: ["who"] } },
    ]);

    const { url } = await serveHttp({ cwd });
    const call = ["--method", "tools/call", "--tool-name", "greet", "--protocol-era", era];
    const remote = await inspect(cwd, [...call, "--tool-arg", "who=Bob", "--server-url", url], []);
    expect(JSON.parse(remote.stdout).result.content).toEqual([{ type: "text", text: "Hello Bob" }]);
  });
});
