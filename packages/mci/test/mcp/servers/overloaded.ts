import { appendFileSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";

// Does not read for a while, so that calls pile up in its pipe; then does some of them, and is killed. Its second life
// is a quiet one.

const log = (line: string) => appendFileSync(process.env["LOG"]!, `${line}\n`);
log(`start ${process.pid}`);
const isFirst = readFileSync(process.env["LOG"]!, "utf8").split("\n").length === 2;

let done = 0;
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const send = (message: object) =>
    process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...message })}\n`);
  if (method === "initialize") {
    const { protocolVersion } = params;
    send({
      result: { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "o", version: "1" } },
    });
  } else if (method === "tools/call") {
    log(`did ${params.arguments.n}`);
    if (params.arguments.n === "pause") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500);
    done += 1;
    if (isFirst && done === 9) process.kill(process.pid, "SIGKILL");
    send({ result: { content: [] } });
  } else if (id !== undefined) send({ error: { code: -32_601, message: "Method not found" } });
});
