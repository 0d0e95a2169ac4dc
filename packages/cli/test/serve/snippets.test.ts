import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import manifest from "../../package.json" with { type: "json" };
import { folder } from "../mci.ts";
import { file, text } from "./file.ts";
import { connect, connectTo, serveHttp } from "./support.ts";

// The client configurations in docs/guides/serve.md: of the shape each client takes, and with them a client gets the tools.

const root = fileURLToPath(new URL("../../../..", import.meta.url));

/** The JSON under a heading of the third level. */
function snippet(heading: string): unknown {
  const section =
    readFileSync(join(root, "docs/guides/serve.md"), "utf8")
      .split(/^### /m)
      .find((part) => part.startsWith(`${heading}\n`)) ?? "";
  const [, json = ""] = /```json\n([\s\S]*?)```/.exec(section) ?? [];
  return JSON.parse(json);
}

const strings = z.record(z.string(), z.string());
const started = z.strictObject({ command: z.string(), args: z.array(z.string()), env: strings.optional() });
const reached = z.strictObject({ url: z.url(), headers: strings.optional() });
const inputs = z.array(
  z.strictObject({
    type: z.literal("promptString"),
    id: z.string(),
    description: z.string(),
    password: z.boolean().optional(),
  }),
);
const one = (key: string, server: z.ZodType) =>
  z.strictObject({
    [key]: z.strictObject({ tools: server }),
    ...(key === "servers" && { inputs: inputs.optional() }),
  });
const typed = (type: "stdio" | "http", server: typeof started | typeof reached) =>
  z.strictObject({ type: z.literal(type), ...server.shape });

/** What each client's documentation says its file looks like. */
const SHAPES = {
  "Claude Desktop": one("mcpServers", started),
  "Claude Code": one("mcpServers", typed("stdio", started)),
  "VS Code": one("servers", typed("stdio", started)),
  Cursor: one("mcpServers", started),
  "Claude Code over HTTP": one("mcpServers", typed("http", reached)),
  "VS Code over HTTP": one("servers", typed("http", reached)),
  "Cursor over HTTP": one("mcpServers", reached),
};

interface Server {
  readonly command?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

describe.each(Object.entries(SHAPES))("the snippet for %s", (heading, shape) => {
  const configuration = snippet(heading) as Record<string, Record<string, Server>>;
  const { tools: server = {} } = configuration.mcpServers ?? configuration.servers ?? {};

  test("is valid configuration [RUN-snippets]", () => {
    expect(shape.safeParse(configuration).error?.message).toBeUndefined();
    // Every input that is used is asked for.
    const asked =
      (configuration.inputs as unknown as { id: string }[] | undefined)?.map(({ id }) => id) ?? [];
    const used = [...JSON.stringify(configuration).matchAll(/\$\{input:([^}]+)\}/g)].map(([, id]) => id);
    expect(used).toEqual(asked);
  });

  test("serves the tools to a client that does what it says [RUN-snippets]", async () => {
    const cwd = folder({ "mci.json": file(text("key", "{{env.API_KEY | 'none'}}")) });
    if (server.url !== undefined) {
      const { url } = await serveHttp({ cwd, env: { MCI_TOKEN: "s3cret" } });
      expect(new URL(server.url).pathname).toBe(new URL(url).pathname);
      const headers = Object.entries(server.headers ?? {}).map(([name, value]) => [
        name,
        filled(value, "s3cret"),
      ]);
      const client = await connectTo(url, "legacy", {}, Object.fromEntries(headers));
      expect((await client.listTools()).tools).toHaveLength(1);
      return;
    }
    const [command, path = ""] = server.args ?? [];
    expect([server.command, command]).toEqual([Object.keys(manifest.bin)[0], "run"]);
    const given = path.replace("/path/to", cwd).replace(/\$\{[^}]+\}/, cwd);
    expect(given === "mci.json" || given === join(cwd, "mci.json")).toBe(true);
    const env = Object.fromEntries(
      Object.entries(server.env ?? {}).map(([key, value]) => [key, filled(value, "your key")]),
    );
    const { client } = await connect("stdio", "legacy", { cwd, args: [given], env });
    expect((await client.callTool({ name: "key" })).content).toEqual([{ type: "text", text: "your key" }]);
  });
});

/** What a client puts in the place of its variables. */
function filled(value: string, secret: string): string {
  return value.replace(/\$\{(input:|env:)?[\w-]+\}/, secret);
}
