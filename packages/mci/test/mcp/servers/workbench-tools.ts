import { appendFileSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Arguments, type Call, protocolError } from "../../../../../test/programs/serve-lines.ts";

// One tool for each thing a client must cope with. What happens is written to the file LOG names.

type Handler = (args: Arguments, call: Call) => Promise<object> | object;

const text = (text: string) => ({ content: [{ type: "text", text }] });

/** Every kind of content. */
export const MEDIA = [
  { type: "text", text: "all kinds" },
  { type: "image", data: "aW1hZ2U=", mimeType: "image/png", annotations: { audience: ["user"] } },
  { type: "audio", data: "c291bmQ=", mimeType: "audio/wav" },
  { type: "resource", resource: { uri: "memo://1", mimeType: "text/plain", text: "Grüße" } },
  { type: "resource", resource: { uri: "memo://2", mimeType: "application/zip", blob: "emlw" } },
  {
    type: "resource_link",
    uri: "memo://3",
    name: "third",
    description: "elsewhere",
    mimeType: "text/plain",
  },
];

/** Returns how many lines there are now. */
export function log(line: string): number {
  const file = process.env["LOG"];
  if (file === undefined) return 0;
  appendFileSync(file, `${line}\n`);
  return readFileSync(file, "utf8").split("\n").length - 1;
}

const TOOLS: Record<string, Handler> = {
  echo: ({ text: given }) => text(String(given)),
  greet: ({ name }) => text(`Hello ${name}`),
  pid: () => text(String(process.pid)),
  environment: () => text(JSON.stringify(process.env)),
  async wait({ ms }, { signal }) {
    try {
      await sleep(Number(ms), undefined, { signal });
      return text("waited");
    } catch {
      log("cancelled");
      return text("cancelled");
    }
  },
  steps({ count }, { progress }) {
    const total = Number(count);
    for (let step = 1; step <= total; step++) progress({ progress: step, total, message: `step ${step}` });
    return text("done");
  },
  media: () => ({ content: MEDIA }),
  structured: () => ({
    ...text('{"sum":3}'),
    structuredContent: { sum: 3 },
    _meta: { "example.com/cost": 7 },
  }),
  misfit: () => ({ ...text("text only") }),
  fail: () => ({ ...text("The disk is full"), isError: true }),
  refuse: () => {
    throw protocolError(-32_000, "Not on a Sunday");
  },
  crash: () => {
    log("crash");
    process.stderr.write("out of cheese\n");
    process.exit(3);
  },
};

const ANNOTATIONS: Record<string, object> = {
  echo: { title: "Echo", readOnlyHint: true, idempotentHint: true, destructiveHint: false },
  crash: { destructiveHint: true, openWorldHint: true, audience: ["user", "assistant"] },
};

const INPUT = {
  type: "object",
  properties: { text: { type: "string", default: "…" }, ms: {}, count: {}, name: {} },
  "x-note": "as it is",
};

export const listTools = () => ({
  tools: Object.keys(TOOLS).map((name) => ({
    name,
    description: `Tool ${name}`,
    inputSchema: INPUT,
    ...(ANNOTATIONS[name] ? { annotations: ANNOTATIONS[name] } : {}),
    ...(name === "misfit" ? { outputSchema: { type: "object", required: ["sum"] } } : {}),
  })),
});

export async function callTool(name: string, args: Arguments, call: Call): Promise<object> {
  log(`call ${name}`);
  const handler = TOOLS[name];
  if (handler === undefined) throw protocolError(-32_602, `Tool ${name} not found`);
  return handler(args, call);
}
