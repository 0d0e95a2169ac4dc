import { appendFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MCIClient } from "mci-ts";
import { serve } from "../../../../test/servers.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";

/** One pixel. */
export const PNG =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

/** Sleeps; one file tells that it has started, another its process id. */
const NAP = `
  const { appendFileSync, writeFileSync } = require("node:fs");
  writeFileSync(process.argv[1] + ".pid", String(process.pid));
  appendFileSync(process.argv[1], "started\\n");
  setTimeout(() => appendFileSync(process.argv[1], "finished\\n"), Number(process.argv[2]));`;

const schema = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: "object",
  properties,
  required,
});

/** A file with everything that a provider may reject. */
export const DOCUMENT = {
  schemaVersion: "1.0",
  enableAnyPaths: true,
  tools: [
    {
      name: "weather.get",
      description: "Weather of a city",
      annotations: { readOnlyHint: true },
      inputSchema: schema(
        { city: { type: "string" }, "filter[unit]": { type: "string", enum: ["c", "f"] } },
        ["city"],
      ),
      execution: { type: "text", text: "{{props.city}}: 21 {{props['filter[unit]'] | 'c'}}" },
    },
    {
      name: "nap",
      description: "Sleeps",
      annotations: { readOnlyHint: true },
      inputSchema: schema({ ms: { type: "integer", minimum: 0 } }),
      execution: { type: "cli", command: process.execPath, args: ["-e", NAP, "{{env.LOG}}", "{{props.ms}}"] },
    },
    {
      name: "slow_page",
      description: "A page that takes its time",
      annotations: { readOnlyHint: true },
      inputSchema: schema({ ms: { type: "integer", minimum: 0 } }),
      execution: { type: "http", url: "{{env.SITE}}/{{props.ms}}" },
    },
    {
      name: "fail",
      description: "Reads a file that is not there",
      annotations: { readOnlyHint: true },
      execution: { type: "file", path: "no-such-file.txt" },
    },
    {
      name: "picture",
      annotations: { readOnlyHint: true },
      execution: { type: "file", path: "{{env.PICTURE}}" },
    },
    {
      name: "delete-note",
      description: "Deletes a note",
      inputSchema: schema({ id: { type: "integer" } }),
      execution: { type: "text", text: "deleted {{props.id}}" },
    },
    {
      name: "odd-schema",
      description: "x".repeat(2000),
      annotations: { readOnlyHint: true },
      inputSchema: {
        $schema: "http://json-schema.org/draft-07/schema#",
        oneOf: [
          schema({ kind: { const: "a" }, when: { type: "string", format: "uri", nullable: true } }, ["kind"]),
          schema({ kind: { const: "b" }, tree: { $ref: "#/definitions/tree" } }),
        ],
        definitions: {
          tree: {
            type: "object",
            properties: {
              name: { type: "string", pattern: "^(?!x)" },
              any: true,
              list: { type: "array" },
              pair: { type: "array", items: [{ type: "string" }, { type: "number" }] },
              level: { type: "integer", enum: [1, 2, 2], exclusiveMinimum: 0 },
              children: { type: "array", items: { $ref: "#/definitions/tree" } },
            },
            required: ["name", "name"],
          },
        },
      },
      execution: { type: "text", text: "kind {{props.kind}}" },
    },
  ],
};

export interface TestClient {
  readonly client: MCIClient;
  /** What has started and what has finished, of processes and requests. */
  readonly log: string;
  close(): Promise<void>;
}

export async function openTestClient(): Promise<TestClient> {
  const ends: (() => void)[] = [];
  const later = (end: () => void) => ends.push(end);
  const dir = temporaryFolder({}, later);
  const [log, picture] = [join(dir, "log.txt"), join(dir, "pixel.png")];
  writeFileSync(log, "");
  writeFileSync(picture, Buffer.from(PNG, "base64"));
  const site = await startSite(log, later);
  const env = { LOG: log, PICTURE: picture, SITE: site.url };
  const client = await MCIClient.fromObject(DOCUMENT, { env, baseDir: dir });
  const close = async () => {
    await client.close();
    for (const end of ends) end();
  };
  return { client, log, close };
}

/** Its path says after how many milliseconds a page comes. */
function startSite(log: string, cleanUp: (end: () => void) => unknown) {
  return serve(async ({ url }, response) => {
    const ms = Number(url!.slice(1));
    appendFileSync(log, "started\n");
    await sleep(ms);
    appendFileSync(log, "finished\n");
    response.end(`took ${ms}`);
  }, cleanUp);
}
