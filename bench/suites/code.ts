import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { MCIClient } from "../../packages/mci/src/client.ts";
import { codeTool } from "../../packages/mci/src/code/index.ts";
import { micro, type Row, type Suite } from "../suite.ts";

const CALLS = 100;
/** What a tool takes that does a little work. */
const TOOL_MS = 5;

export const suite: Suite = {
  title: "Code that calls tools",
  about: `Bare is ${CALLS} calls of \`client.call\`, one after the other; ours is the same loop in \`run_code\`. The tool is an HTTP request to a server in the same process that responds after ${TOOL_MS} ms. A warm start is \`return 1\` when the next sandbox is ready; the first one also compiles QuickJS.`,
  async run() {
    const server = createServer(async (_, response) => {
      await sleep(TOOL_MS);
      response.setHeader("content-type", "application/json").end('{"ok":true}');
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const client = await MCIClient.fromObject({
      schemaVersion: "1.0",
      tools: [{ name: "get", annotations: { readOnlyHint: true }, execution: { type: "http", url } }],
    });
    const code = codeTool(client, { writes: "refuse" });
    const run = async (text: string) => {
      const began = performance.now();
      const { isError, text: output } = await code.call("run_code", { code: text });
      if (isError) throw new Error(output);
      return performance.now() - began;
    };
    try {
      const first = await run("return 1");
      const warm: number[] = [];
      for (let round = 0; round < 20; round++) {
        await sleep(500);
        warm.push(await run("return 1"));
      }
      const [bare, ours]: [number[], number[]] = [[], []];
      for (let round = 0; round < 7; round++) {
        const began = performance.now();
        for (let call = 0; call < CALLS; call++) await client.call("get", {});
        bare.push(performance.now() - began);
        await sleep(500);
        ours.push(await run(`for (let call = 0; call < ${CALLS}; call++) await tools.get({})`));
      }
      const start = median(warm);
      const rows: Row[] = [
        { what: "first start", ours: micro(first * 1000) },
        { what: "warm start", ours: micro(start * 1000), target: "under 30 ms", met: start < 30 },
        {
          what: `${CALLS} calls`,
          bare: micro(median(bare) * 1000),
          ours: micro(median(ours) * 1000),
          ratio: median(ours) / median(bare),
          target: 1.2,
        },
      ];
      return rows;
    } finally {
      await client.close();
      server.close();
    }
  },
};

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
