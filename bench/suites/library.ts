import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { Ajv2020 } from "ajv/dist/2020.js";
import { MCIClient } from "mci-ts";
import { Agent, request } from "undici";
import { compare, measure } from "../measure.ts";
import { sampleTool } from "../sample-tools.ts";
import { micro, type Row, type Suite } from "../suite.ts";

export const suite: Suite = {
  title: "The library",
  about:
    "Bare is: `JSON.parse` plus a compiled JSON Schema check for loading; `readFile`, `child_process.execFile` and an undici `request` " +
    "on a keep-alive agent, with the body read, for executing. One call at a time, and 50 at once.",
  async run() {
    const directory = mkdtempSync(join(tmpdir(), "mci-bench-"));
    try {
      return [
        ...(await loading(directory)),
        ...(await templates()),
        ...(await executing(directory)),
        ...(await memory()),
      ];
    } finally {
      rmSync(directory, { recursive: true });
    }
  },
};

async function loading(directory: string): Promise<Row[]> {
  const file = join(directory, "many.mci.json");
  writeFileSync(
    file,
    JSON.stringify(
      { schemaVersion: "1.0", tools: Array.from({ length: 10_000 }, (_, index) => sampleTool(index)) },
      null,
      2,
    ),
  );
  const schema = JSON.parse(
    readFileSync(new URL("../../packages/mci/mci.schema.json", import.meta.url), "utf8"),
  );
  const check = new Ajv2020({ strict: false, allErrors: true }).compile(schema);
  const { bare, ours, ratio } = await compare(
    async () => {
      if (!check(JSON.parse(await readFile(file, "utf8"))))
        throw new Error("the schema refuses the document");
    },
    async () => {
      const client = await MCIClient.load(file);
      if (client.listTools().length !== 10_000) throw new Error("tools are missing");
    },
    { calls: 1, rounds: 9 },
  );
  return [
    {
      what: "load and list 10,000 tools",
      bare: micro(bare.median),
      ours: micro(ours.median),
      ratio,
      target: 3,
    },
  ];
}

async function templates(): Promise<Row[]> {
  const rows = Array.from({ length: 2000 }, (_, index) => ({
    name: `row ${index}`,
    value: index,
    on: index % 2 === 0,
  }));
  const client = await MCIClient.fromObject({
    schemaVersion: "1.0",
    tools: [
      { name: "small", execution: { type: "text", text: "Hello {{props.name}}, you are {{props.age}}." } },
      {
        name: "large",
        execution: {
          type: "text",
          text: "@foreach(row in props.rows)\n{{row.name}}: @if(row.on){{row.value}}@else-@endif\n@endforeach",
        },
      },
    ],
  });
  const small = await measure(() => client.execute("small", { name: "Ada", age: 36 }), {
    calls: 1000,
    rounds: 15,
  });
  const large = await compare(
    () => rows.map((row) => `${row.name}: ${row.on ? row.value : "-"}\n`).join(""),
    () => client.execute("large", { rows }),
    { calls: 50 },
  );
  return [
    {
      what: "text tool, small template, whole call",
      ours: micro(small.median),
      note: `target under 20 µs: ${small.median < 20 ? "met" : "MISSED"}`,
    },
    {
      what: "render a 2,000-row template",
      bare: micro(large.bare.median),
      ours: micro(large.ours.median),
      ratio: large.ratio,
      note: "bare: a JavaScript template literal, the floor no engine reaches",
    },
  ];
}

async function executing(directory: string): Promise<Row[]> {
  const file = join(directory, "plain.txt");
  writeFileSync(file, "line of text\n".repeat(200));
  const server = createServer((_request, response) => {
    response.setHeader("content-type", "text/plain");
    response.end("pong".repeat(64));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ping`;
  const client = await MCIClient.fromObject(
    {
      schemaVersion: "1.0",
      tools: [
        { name: "file", execution: { type: "file", path: "plain.txt", enableTemplating: false } },
        { name: "cli", execution: { type: "cli", command: "true" } },
        { name: "http", execution: { type: "http", url } },
      ],
    },
    { baseDir: directory },
  );
  const agent = new Agent();
  const run = async (name: string) => {
    const result = await client.execute(name);
    if (result.isError) throw new Error(result.error);
  };
  const sides: [what: string, bare: () => unknown, tool: string, target: number, calls: number][] = [
    ["file: read 2.6 kB", () => readFile(file, "utf8"), "file", 1.3, 1000],
    [
      "cli: run `true`",
      () => new Promise<void>((done, fail) => execFile("true", (error) => (error ? fail(error) : done()))),
      "cli",
      1.1,
      200,
    ],
    [
      "http: GET on loopback",
      async () => (await request(url, { dispatcher: agent })).body.text(),
      "http",
      1.3,
      1000,
    ],
  ];
  const rows: Row[] = [];
  for (const [what, bare, tool, target, calls] of sides) {
    for (const concurrency of [1, 50]) {
      const result = await compare(bare, () => run(tool), { calls, concurrency });
      rows.push({
        what: concurrency === 1 ? what : `${what}, 50 at once`,
        bare: micro(result.bare.median),
        ours: micro(result.ours.median),
        ratio: result.ratio,
        target,
      });
    }
  }
  await client.close();
  await agent.close();
  server.close();
  return rows;
}

/** Heap after a first tenth of the calls, and after all of them. */
async function memory(): Promise<Row[]> {
  const client = await MCIClient.fromObject({
    schemaVersion: "1.0",
    tools: [
      {
        name: "t",
        inputSchema: { type: "object", properties: { n: { type: "integer" } }, required: ["n"] },
        execution: { type: "text", text: "n = {{props.n}}" },
      },
    ],
  });
  const heap = async (calls: number) => {
    for (let n = 0; n < calls; n++)
      await client.execute("t", { n }, { signal: new AbortController().signal });
    // Signals are let go of between turns of the event loop, not within one.
    await setTimeout(50);
    globalThis.gc?.();
    return process.memoryUsage().heapUsed / 2 ** 20;
  };
  const first = await heap(10_000);
  const last = await heap(90_000);
  const exposed = globalThis.gc ? "" : " (without --expose-gc: rough)";
  return [
    {
      what: `heap after 10,000 and 100,000 calls${exposed}`,
      bare: `${first.toFixed(1)} MiB`,
      ours: `${last.toFixed(1)} MiB`,
      ratio: last / first,
      target: 1.1,
    },
  ];
}
