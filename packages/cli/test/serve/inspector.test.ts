import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { inspect } from "../../../../test/inspector/inspect.ts";
import { folder, mciCommand } from "../mci.ts";
import { file, text } from "./file.ts";
import { ERAS, serveHttp } from "./support.ts";

// The official Inspector, from the command line, as a client of `mci run`.

const TOOLS = {
  "mci.json": file(
    text("greet", "Hello {{props.who}}", {
      title: "Greet",
      description: "Greets someone",
      inputSchema: { type: "object", properties: { who: { type: "string" } }, required: ["who"] },
    }),
  ),
};

const LIST = ["--method", "tools/list", "--strict"];
const CALL = ["--method", "tools/call", "--tool-name", "greet", "--tool-arg", "who=Bob"];

test("the Inspector lists tools over stdio, has nothing to say against their schemas, and calls them over HTTP, by both protocols [RUN-inspector]", async () => {
  const cwd = folder(TOOLS);
  const [command, args] = mciCommand(["run"], { cwd });
  const { url } = await serveHttp({ cwd });
  const { results, warnings } = await inspect(
    ERAS.flatMap((era) => [
      { options: [...LIST, "--protocol-era", era], server: [command, ...args] },
      { options: [...CALL, "--protocol-era", era, "--server-url", url] },
    ]),
    { cwd, env: { HOME: cwd } },
  );
  expect(warnings).toBe("");
  expect(results).toHaveLength(2 * ERAS.length);
  for (const [index, era] of ERAS.entries()) {
    const [listed, called] = results.slice(2 * index);
    expect(listed.tools, era).toMatchObject([
      { name: "greet", title: "Greet", description: "Greets someone", inputSchema: { required: ["who"] } },
    ]);
    expect(called.content, era).toEqual([{ type: "text", text: "Hello Bob" }]);
  }
});

test("server-everything behind mci run is to the Inspector what it is alone [RUN-inspector]", async () => {
  const program = fileURLToPath(
    new URL(
      "../../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js",
      import.meta.url,
    ),
  );
  const everything = { command: process.execPath, args: [program, "stdio"] };
  const cwd = folder({ "mci.json": { schemaVersion: "1.0", mcp_servers: { everything } } });
  const [command, args] = mciCommand(["run"], { cwd });
  const methods = [
    ["resources/read", "--uri", "demo://resource/static/document/features.md"],
    ["prompts/get", "--prompt-name", "args-prompt", "--prompt-args", "city=Lima", "state=Peru"],
    ["tools/call", "--tool-name", "get-resource-links", "--tool-arg", "count=3"],
  ];
  const { results } = await inspect(
    methods.flatMap((method) => {
      const options = ["--method", ...method, "--protocol-era", "legacy"];
      return [
        { options, server: [process.execPath, program, "stdio"] },
        { options, server: [command, ...args] },
      ];
    }),
    { cwd, env: { HOME: cwd } },
  );
  for (const [index, method] of methods.entries()) {
    const [alone, through] = results.slice(2 * index);
    expect(Object.keys(alone), method.join(" ")).not.toEqual([]);
    expect(through, method.join(" ")).toEqual(alone);
  }
});
