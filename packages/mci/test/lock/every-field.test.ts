import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { generateSchema } from "../../scripts/generate-schema.ts";
import { loadDocument } from "../../src/load/load.ts";
import { lockTools } from "../../src/load/lock/lock.ts";
import { type FieldChange, FieldChanges } from "./field-changes.ts";

/** Fields that say nothing about what a call does, each with the reason. */
const NOT_LOCKED: Readonly<Record<string, string>> = {
  $schema: "for editors",
  schemaVersion: "all supported versions mean the same",
  "metadata.name": "informational",
  "metadata.version": "informational",
  "metadata.license": "informational",
  "metadata.authors": "informational",
  libraryDir: "the tools that are found there are locked one by one",
  expiresAt: "of cached tool lists, whose tools are locked",
  "mcp_servers.*.config.expDays": "how long a list is cached; its tools are locked",
  "mcp_servers.*.resources": "which resources are passed on; they are locked one by one",
  "mcp_servers.*.skills": "which skills are passed on; they are locked one by one",
  "mcp_servers.*.instructions": "whether instructions are passed on; their text is locked",
  skills: "whether the folder beside the file is offered; like every file that is read, it is not locked",
  "mcp_servers.*.prompts": "which prompts are passed on; they are locked one by one",
  "mcp_servers.*.overrides.*.pagination": "only http tools have pages",
};

const text = (content: string) => ({ type: "text", text: content });

/** The fields of the whole format, from the schema that files are checked by: a new field is tested without being listed here. */
const schema = JSON.parse(generateSchema());
const fields = new FieldChanges(schema, {
  values: {
    schemaVersion: ["1.0", "1.0.1"],
    "flags.*.from": ["props.a", "props.b"],
    filterValue: ["x", "t"],
    // They are those of tools, whose fields are all tried.
    "prompts.*.execution": [text("a"), text("b")],
    "resources.*.execution": [text("a"), text("b")],
    "resources.*.uri": ["docs://a", "docs://b"],
    "resources.*.uriTemplate": ["docs://{a}", "docs://{b}"],
  },
  keys: { overrides: "t", properties: "p", mcp_servers: "web" },
  beside: {
    // Flows with a person need it; for other types of auth it is an unknown key.
    "execution.auth": { issuer: "https://auth.example.com" },
    "execution.pathParams": { url: "a/{k}" },
    "execution.paramStyles": {
      ...{ url: "a/{k}", pathParams: { k: 1 }, params: { k: 1 }, headers: { k: 1 }, cookies: { k: 1 } },
    },
    "toolsets.*.filter": { filterValue: "x" },
    "toolsets.*.filterValue": { filter: "only" },
    "config.filter": { filterValue: "x" },
    "config.filterValue": { filter: "only" },
    ...Object.fromEntries(
      ["name", "title", "description", "mimeType", "execution", "icons", "_meta"].map((field) => [
        `resources.*.${field}`,
        { uri: "docs://a" },
      ]),
    ),
  },
});
const changes = [...fields.of(schema)];
const isNotLocked = ({ path }: FieldChange) => Object.keys(NOT_LOCKED).some((name) => isBelow(path, name));
const isBelow = (path: string, name: string) => path === name || path.startsWith(`${name}.`);

const tools = (execution: object) => [
  { name: "t", tags: ["x"], inputSchema: { properties: { p: {} } }, execution },
  { name: "x", execution },
  { name: "u", execution },
];
const http = { type: "http", url: "http://127.0.0.1:9" };
const mcp = { type: "mcp", serverName: "web", toolName: "t" };
const folder = temporaryFolder({}, afterAll);

beforeAll(() => {
  mkdirSync(join(folder, "mci/mcp"), { recursive: true });
  for (const name of ["a", "b"]) write(name, { schemaVersion: "1.0", tools: tools(http) });
  // The servers below do not exist; their tools are those of an older list.
  write("mcp/web", { schemaVersion: "1.0", tools: tools(mcp) });
});

describe("[LOCK-fields] a change of any field of the format changes the lock", () => {
  const groups = Object.groupBy(
    changes.filter((change) => !isNotLocked(change)),
    ({ path }) => path.split(".").slice(0, 4).join("."),
  );
  test.each(Object.entries(groups))("%s", async (_, group = []) => {
    for (const { path, before, after } of group) {
      const [old, now] = [await lockOf(before as object), await lockOf(after as object)];
      expect(now, `${path} is not in the lock: ${JSON.stringify(after)}`).not.toEqual(old);
    }
  });

  test("also in a toolset file", async () => {
    // What a toolset says about itself is not passed on.
    const own = ["tools", "toolsets", "mcp_servers", "prompts", "resources", "metadata"];
    const ofFile = changes.filter(
      (change) => !isNotLocked(change) && !own.includes(change.path.split(".")[0]!),
    );
    expect(ofFile.length).toBeGreaterThan(3);
    const lockOfToolset = (document: unknown) => {
      write("changed", { ...(document as object), tools: tools(http) });
      return lockOf({ schemaVersion: "1.0", toolsets: ["changed"] });
    };
    for (const { path, before, after } of ofFile)
      expect(await lockOfToolset(after), path).not.toEqual(await lockOfToolset(before));
  });

  test("and every field that is left out exists", () => {
    for (const name of Object.keys(NOT_LOCKED))
      expect(
        changes.filter(({ path }) => isBelow(path, name)),
        name,
      ).not.toEqual([]);
  });
});

async function lockOf(document: object): Promise<unknown> {
  const calls = { name: "calls", execution: mcp };
  const {
    tools,
    servers,
    content,
    metadata,
    mcp: pool,
  } = await loadDocument({ tools: [calls], ...document }, { baseDir: folder });
  await pool?.close();
  return lockTools(tools, servers, content, metadata);
}

function write(name: string, document: object): void {
  writeFileSync(join(folder, "mci", `${name}.mci.json`), JSON.stringify(document));
}
