import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

// Does what a JSON file says at that moment: for each method a result, an error, its end, or several in turn, and messages to send before it.
// Arguments: the revision (2025 or 2026) and the file. <id>, <token> and <state> become those of the request.

interface Step {
  readonly result?: object;
  readonly error?: object;
  readonly before?: readonly object[];
  /** It ends with this code instead of a response. */
  readonly exit?: number;
  /** It sends no response at all. */
  readonly silent?: true;
}
interface Script {
  readonly about?: object;
  readonly capabilities?: object;
  readonly instructions?: string;
  readonly stderr?: string;
  readonly methods?: Readonly<Record<string, Step | readonly Step[]>>;
}

const [era, file] = process.argv.slice(2);
const counts = new Map<string, number>();
const read = (): Script => JSON.parse(readFileSync(file!, "utf8"));
const { stderr } = read();
if (stderr !== undefined) process.stderr.write(stderr);

createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const { result, error, before = [], exit, silent } = stepOf(method, params);
  if (exit !== undefined) process.exit(exit);
  const filled = (value: object) =>
    JSON.stringify(value)
      .replaceAll('"<id>"', JSON.stringify(id))
      .replaceAll('"<token>"', JSON.stringify(params?._meta?.progressToken ?? "none"));
  for (const message of before) process.stdout.write(`${filled({ jsonrpc: "2.0", ...message })}\n`);
  if (silent) return;
  process.stdout.write(`${filled({ jsonrpc: "2.0", id, ...(error ? { error } : { result }) })}\n`);
});

function stepOf(method: string, params: { protocolVersion?: string }): Step {
  const script = read();
  const { capabilities = { tools: {} }, about = { name: "puppet", version: "1" }, instructions } = script;
  const said = { capabilities, ...(instructions !== undefined && { instructions }) };
  const is2026 = era === "2026";
  const steps = script.methods?.[method];
  const count = counts.get(method) ?? 0;
  counts.set(method, count + 1);
  const step = Array.isArray(steps) ? steps[Math.min(count, steps.length - 1)] : (steps as Step | undefined);
  const meta = { "io.modelcontextprotocol/serverInfo": about };
  if (step !== undefined) {
    if (!is2026 || step.result === undefined) return step;
    const caching = method.endsWith("/call") ? {} : { ttlMs: 0, cacheScope: "private" };
    return { ...step, result: { resultType: "complete", ...caching, _meta: meta, ...step.result } };
  }
  if (method === "server/discover" && is2026)
    return {
      result: {
        ...{ resultType: "complete", supportedVersions: ["2026-07-28"], ttlMs: 0, cacheScope: "private" },
        ...said,
        _meta: meta,
      },
    };
  if (method === "initialize" && !is2026)
    return { result: { protocolVersion: params.protocolVersion, serverInfo: about, ...said } };
  return { error: { code: -32_601, message: "Method not found" } };
}
