import { createOpenAI } from "@ai-sdk/openai";
import { generateText, isStepCount, jsonSchema, tool } from "ai";
import { readConfig } from "../../packages/council-server/src/config/config.ts";
import { serve } from "../../packages/council-server/src/server.ts";
import { startFakeProvider } from "../../packages/fake-provider/src/server.ts";
import type { Suite, Table } from "../suite.ts";

const STEPS = 60;
const TOOLS = ["move", "rename", "archive"];
/** Tasks of each cell; `--tasks=1000` for more. */
const TASKS = Number(process.argv.find((arg) => arg.startsWith("--tasks="))?.slice("--tasks=".length) ?? 100);
const SIDE_BY_SIDE = 10;
/** US dollars per million tokens, for the column of costs: about those of a small hosted model. */
const PRICE = { input: 0.25, output: 2 };
const CELLS = [0.9, 0.95, 0.97, 0.98].flatMap((p) => [1, 2, 3, 4].map((k) => ({ p, k })));

const ACTIONS = Array.from({ length: STEPS }, (_, step) => ({
  tool: TOOLS[step % TOOLS.length]!,
  input: { id: 100 + step, place: `shelf ${step % 7}` },
}));

export const suite: Suite = {
  title: "Whole tasks of an agent",
  about: `${TASKS} tasks of ${STEPS} dependent tool calls in each cell, with the AI SDK's own loop against the service, which it knows by its base URL alone. The provider is simulated: it chooses a wrong tool or a wrong argument with probability 1 - p, independently in each call. A task is done right if all ${STEPS} calls were the right ones. k = 1 is the model alone. Real models repeat their mistakes, so that a vote gains less with them. Costs are of the tokens that the service reports, at $${PRICE.input} per million read and $${PRICE.output} per million written, without any discount for cached ones; what a task that went wrong has cost is part of the price of those that were done right.`,
  async run() {
    const rows: string[][] = [];
    for (const cell of CELLS) rows.push(await measure(cell));
    const table: Table = {
      title: `Tasks of ${STEPS} tool calls that were done right`,
      about:
        "Theory: p^60 for the model alone, (1 / (1 + ((1 - p) / p)^k))^60 for the vote, as if all wrong actions were the same one. They are not, so that the vote does better.",
      columns: [
        ...["p", "k", "right", "theory", "wrong", "asked instead", "calls per step", "calls per whole task"],
        ...["cost per task", "cost per task done right"],
      ],
      rows,
    };
    return [table];
  },
};

async function measure({ p, k }: { p: number; k: number }): Promise<string[]> {
  const provider = await startFakeProvider({
    key: "key",
    behaviour: {
      seed: Math.round(p * 1000) + k,
      agent: { steps: ACTIONS.map((action) => ({ calls: [action] })), accuracy: p, reply: "Done." },
    },
  });
  const env = {
    MAKER_API_URL: provider.url,
    MAKER_API_KEY: "key",
    MAKER_API_MODEL: "fake",
    MAKER_K: String(k),
  };
  const server = await serve(readConfig({ PORT: "0", MCI_DETECT_LOCAL: "0", MCI_RATE_LIMIT: "0", ...env }), {
    log: () => {},
  });
  try {
    const ends = { right: 0, wrong: 0, asked: 0, steps: 0, usd: 0 };
    let left = TASKS;
    const work = async () => {
      while (left-- > 0) {
        const { end, steps, usd } = await runTask(`${server.url}/v1`);
        ends[end]++;
        ends.steps += steps;
        ends.usd += usd;
      }
    };
    await Promise.all(Array.from({ length: SIDE_BY_SIDE }, work));
    const calls = provider.stats.answered / ends.steps;
    const r = (1 - p) / p;
    const theory = (k === 1 ? p : 1 / (1 + r ** k)) ** STEPS;
    const share = (count: number) => `${((100 * count) / TASKS).toFixed(TASKS >= 1000 ? 1 : 0)} %`;
    return [
      ...[String(p), k === 1 ? "1 (alone)" : String(k)],
      ...[share(ends.right), `${(100 * theory).toFixed(1)} %`, share(ends.wrong), share(ends.asked)],
      ...[calls.toFixed(2), Math.round(calls * STEPS).toString()],
      ...[dollars(ends.usd / TASKS), ends.right === 0 ? "none was" : dollars(ends.usd / ends.right)],
    ];
  } finally {
    await server.close();
    await provider.close();
  }
}

interface Task {
  readonly end: "right" | "wrong" | "asked";
  readonly steps: number;
  readonly usd: number;
}

const dollars = (usd: number) => `$${usd.toFixed(4)}`;

/** One task with the SDK's loop. It ends with the first wrong action: nothing after it can be right. */
async function runTask(baseURL: string): Promise<Task> {
  let done = 0;
  let isWrong = false;
  const execute = (name: string) => async (input: { id: number; place: string }) => {
    const expected = ACTIONS[done++];
    isWrong ||= expected?.tool !== name || JSON.stringify(expected.input) !== JSON.stringify(input);
    return "done";
  };
  const inputSchema = jsonSchema<{ id: number; place: string }>({
    type: "object",
    properties: {
      id: { type: "integer" },
      place: { type: "string", enum: [0, 1, 2, 3, 4, 5, 6].map((n) => `shelf ${n}`) },
    },
    required: ["id", "place"],
    additionalProperties: false,
  });
  const tools = Object.fromEntries(
    TOOLS.map((name) => [
      name,
      tool({ description: `${name} an item`, inputSchema, execute: execute(name) }),
    ]),
  );
  const { totalUsage } = await generateText({
    model: createOpenAI({ baseURL, apiKey: "unused" }).chat("act"),
    prompt: "Put everything in its place.",
    tools,
    stopWhen: [isStepCount(STEPS + 2), () => isWrong],
  });
  const { inputTokens = 0, outputTokens = 0 } = totalUsage;
  const usd = (inputTokens * PRICE.input + outputTokens * PRICE.output) / 1_000_000;
  return { end: isWrong ? "wrong" : done === STEPS ? "right" : "asked", steps: Math.max(1, done), usd };
}
