import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { startService } from "./servers.ts";

const QUICKSTART = new URL("../../../../examples/quickstart/tools.mci.json", import.meta.url).pathname;

const reply = (value: object) => ({ kind: "text" as const, text: JSON.stringify(value) });

const SEATS = [
  [
    "Stay with one deployment",
    "Keep **one deployment**, with modules whose borders are checked.\n\n- Five people cannot be on call for six services.\n- A function call becomes a network call that can fail halfway.",
  ],
  [
    "Stay with one deployment",
    "Split **later**. Today the cost is a pipeline, a registry and a dashboard for each service; the gain is independent releases that a team of five does not need.",
  ],
  [
    "Split off billing first",
    "Split off **billing**, the part with other rules and other people. Leave the rest until it hurts.",
  ],
] as const;

const VERDICT = {
  consensus: ["A full split costs more than it brings at this size."],
  contradictions: ["Whether billing should leave now."],
  gaps: ["What the release process costs today was not measured."],
  dissent: ["One member would split off billing, because its rules and its readers differ."],
  decision:
    "Stay with one deployment. Draw borders between modules and check them in CI; look again when two teams wait for each other's releases.",
  answer: "Stay with one deployment",
};

const PLAN = {
  task: "Move a PostgreSQL database to a new region without downtime",
  steps: [
    { id: 1, action: "Measure size, write rate and the slowest queries", dependencies: [] },
    { id: 2, action: "Create the instance in the new region", dependencies: [] },
    { id: 3, action: "Start logical replication and let it catch up", dependencies: [1, 2] },
    { id: 4, action: "Compare row counts and checksums", dependencies: [3] },
    { id: 5, action: "Rehearse the switch on a copy", dependencies: [3] },
    { id: 6, action: "Switch the writers, then the readers", dependencies: [4, 5] },
  ],
  total_steps: 6,
};

const INVOICE = (total: number, reason: string) => ({
  rationale: reason,
  answer: { invoice: "R-17", total, reason },
});

export const INVOICE_SCHEMA = {
  type: "object",
  properties: {
    invoice: { type: "string" },
    total: { type: "number" },
    reason: { type: "string", "x-vote": false },
  },
  required: ["invoice", "total", "reason"],
  additionalProperties: false,
};

/** What the models of the demonstration say. Scripted: they show what a run looks like, not what models answer. */
const RULES = [
  ...SEATS.map(([answer, proposal]) => ({
    contains: "You hold one seat",
    times: 1,
    reply: reply({ proposal, answer }),
  })),
  { contains: "You are the judge", reply: reply(VERDICT) },
  { contains: "Decompose the task", reply: reply(PLAN) },
  { contains: "total of the invoice", times: 1, reply: reply(INVOICE(120.5, "Stated in the last line.")) },
  { contains: "total of the invoice", times: 1, reply: reply(INVOICE(101.26, "The sum of the lines.")) },
  { contains: "total of the invoice", reply: reply(INVOICE(120.5, "The last line includes the tax.")) },
  { contains: "'moment.js' or", times: 2, reply: { kind: "refusal" as const } },
];

/** A service with a run of each method, asked of a provider whose votes are contested. */
export async function startDemo() {
  const dir = mkdtempSync(join(tmpdir(), "console-demo-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const prices = join(dir, "prices.json");
  writeFileSync(prices, JSON.stringify({ "demo-model": { input: 0.4, output: 1.6 } }));
  const { url } = await startService(
    { MCI_TOOLS: QUICKSTART, MAKER_K: "4", MCI_PRICES: prices, MAKER_API_MODEL: "demo-model" },
    {
      rules: RULES,
      behaviour: { seed: 7, accuracy: 0.62, truth: "date-fns", wrong: ["moment.js"] },
    } as never,
  );
  const vote = await ask(url, {
    prompt: "For dates in a new project, is 'moment.js' or 'date-fns' better?",
    intent: "validation",
  });
  const objects = await ask(url, {
    prompt: "Which number and which total of the invoice does this text state?",
    intent: "validation",
    config: { answer_schema: INVOICE_SCHEMA, k: 3 },
  });
  const plan = await ask(url, {
    prompt: "Break down the move of a PostgreSQL database to a new region without downtime.",
    intent: "decomposition",
  });
  const council = await ask(url, {
    prompt: "Should a team of five split its monolith into services?",
    intent: "decision",
    config: { peer_ranking: true },
  });
  return { url, vote, objects, council, plan };
}

/** Runs a question to its end; gives the run's id. */
export async function ask(url: string, body: object): Promise<string> {
  const response = await fetch(`${url}/mcp/model`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  await response.text();
  return response.headers.get("x-request-id")!;
}
