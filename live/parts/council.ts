import type { Part } from "../part.ts";
import { DEADLINE_MS } from "../service.ts";

/** One request for each strategy, and how routing finds it. */
const REQUESTS = [
  { strategy: "vote", intent: "validation", prompt: "What is the capital of France?" },
  { strategy: "vote, options", intent: "validation", prompt: "Is a penguin a bird or a reptile?" },
  {
    strategy: "vote, answer as an object",
    intent: "validation",
    prompt: "Extract the name and the age: Otto is 9 years old.",
    config: {
      answer_schema: {
        type: "object",
        properties: { name: { type: "string", maxLength: 40 }, age: { type: "integer" } },
        required: ["name", "age"],
      },
    },
  },
  {
    strategy: "council",
    intent: "decision",
    prompt: "Should a small team use PostgreSQL or MongoDB for invoices?",
  },
  {
    strategy: "council, peer ranking, 60 s",
    intent: "decision",
    prompt: "Should a shop accept payments in cash only?",
    config: { peer_ranking: true, deadline_ms: 60_000 },
  },
  { strategy: "decomposition", intent: "decomposition", prompt: "Break down into steps: make a cup of tea." },
  { strategy: "routed", prompt: "What is 7 + 5?" },
];

export const councilPart: Part = {
  name: "council",
  title: "Every strategy",
  about: "One request for each strategy over HTTP, with the defaults of the service and 90 seconds for each.",
  async run({ startService, progress }) {
    const service = await startService();
    const rows: string[][] = [];
    let late = 0;
    let empty = 0;
    for (const { strategy, ...request } of REQUESTS) {
      progress(strategy);
      const { status, seconds, body } = await service.ask(request);
      const { metadata, error } = body;
      const { deadline_ms = DEADLINE_MS } = (request as { config?: { deadline_ms?: number } }).config ?? {};
      if (seconds * 1000 > deadline_ms + TOLERANCE_MS) late++;
      if (!body.result) empty++;
      rows.push([
        strategy,
        String(status),
        metadata?.status ?? error?.code ?? "",
        shorten(metadata ? JSON.stringify(metadata.answer) : (error?.message ?? "")),
        String(metadata?.usage.calls ?? ""),
        `${seconds.toFixed(1)} s`,
      ]);
    }
    return [
      {
        what: "ended after the deadline",
        ours: `${late} of ${rows.length}`,
        target: "none",
        met: late === 0,
      },
      {
        what: "ended without a result",
        ours: `${empty} of ${rows.length}`,
        target: "none",
        met: empty === 0,
      },
      {
        title: "Requests",
        columns: ["strategy", "HTTP", "status", "answer", "calls", "time"],
        rows,
      },
    ];
  },
};

/** What is left to do when the time is over: the report, and the way back. */
const TOLERANCE_MS = 2000;

/** For a cell of a Markdown table. */
export function shorten(text: string, most = 60): string {
  const line = text.replace(/\s+/g, " ").replaceAll("|", "\\|");
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
}
