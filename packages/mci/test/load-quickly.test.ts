import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { MCIClient } from "../src/index.ts";

const project = (document: object) => temporaryFolder({ "mci.json": { schemaVersion: "1.0", ...document } });

const text = (name: string, source: string) => ({ name, execution: { type: "text", text: source } });
const dead = (mark: string) => ({
  command: "sh",
  args: ["-c", `: > ${mark}`],
});

test("a malformed template is an error of loading, or of the call that needs it", async () => {
  const file = join(
    project({ tools: [text("good", "{{props.a}}"), text("broken", "@if(props.a")] }),
    "mci.json",
  );
  await expect(MCIClient.load(file)).rejects.toMatchObject({ code: "schema_invalid" });

  await using client = await MCIClient.load(file, { parseTemplates: "call" });
  expect(client.listTools()).toEqual(["good", "broken"]);
  expect((await client.execute("good", { a: "x" })).text).toBe("x");
  const { isError, metadata } = await client.execute("broken", { a: "x" });
  expect({ isError, code: metadata.error_code }).toEqual({ isError: true, code: "template_syntax" });
});

test("[L-ask] with fetchMcpTools: false, no server is started while loading", async () => {
  const root = project({ tools: [text("own", "x")], mcp_servers: { s: dead("started") } });
  await using client = await MCIClient.load(join(root, "mci.json"), { fetchMcpTools: false });
  expect(client.listTools()).toEqual(["own"]);
  expect(client.warnings).toEqual([]);
  expect(existsSync(join(root, "started"))).toBe(false);
});

test("[L-ask] a tool that names a server reaches it all the same", async () => {
  const tool = { name: "remote", execution: { type: "mcp", serverName: "s", toolName: "x" } };
  const root = project({ tools: [tool], mcp_servers: { s: dead("started") } });
  await using client = await MCIClient.load(join(root, "mci.json"), { fetchMcpTools: false });
  const { metadata } = await client.execute("remote");
  expect(metadata.error_code).toBe("mcp_unavailable");
  expect(existsSync(join(root, "started"))).toBe(true);
});

test("[L-states] onMcpServer reports which server is being listed and how it ended", async () => {
  const root = project({ tools: [], mcp_servers: { s: dead("started") } });
  const states: string[] = [];
  await using client = await MCIClient.load(join(root, "mci.json"), {
    onMcpServer: (server, state) => states.push(`${server} ${state}`),
  });
  expect(states).toEqual(["s fetching", "s failed"]);
  expect(client.warnings).toHaveLength(1);
});
