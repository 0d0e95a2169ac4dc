import { appendFileSync } from "node:fs";
import { createInterface } from "node:readline";

// Shakes hands as the first argument says (2025 or 2026, 2025-11-25 to have no tools; else it fails), and answers every call with the
// second, or with its own argument "answer", as it stands there; <id> becomes the call's id. A call that brings a state back is
// answered with the third.

const [era, answer = "", afterwards = answer] = process.argv.slice(2);
const log = (line: string) => process.env["LOG"] && appendFileSync(process.env["LOG"], `${line}\n`);
const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);

const capabilities = era === "2025-11-25" ? {} : { tools: {} };
const about = { "io.modelcontextprotocol/serverInfo": { name: "scripted", version: "1" } };

log(`start ${process.pid}`);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === "server/discover" && era === "2026") {
    const result = { supportedVersions: ["2026-07-28"], capabilities, ttlMs: 0, cacheScope: "public" };
    send({ id, result: { resultType: "complete", _meta: about, ...result } });
  } else if (method === "initialize") {
    if (era === "refuse") return send({ id, error: { code: -32_000, message: "Not for you" } });
    const protocolVersion = era?.startsWith("20") ? params.protocolVersion : era;
    return send({
      id,
      result: { protocolVersion, capabilities, serverInfo: { name: "scripted", version: "1" } },
    });
  } else if (method === "tools/call") {
    log(`call ${params.name}`);
    if (params.requestState && afterwards === "die") process.exit(9);
    const given = params.arguments?.answer ?? answer;
    process.stdout.write((params.requestState ? afterwards : given).replaceAll("<id>", String(id)));
  } else if (id !== undefined) send({ id, error: { code: -32_601, message: "Method not found" } });
  else log(method);
});
