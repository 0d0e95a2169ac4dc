import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * The model provider. Every question has one right answer, which depends on the one before (`nextNumber`): a step that is lost,
 * repeated or wrong shows in all that follow. One answer in twenty is wrong, and each differently.
 */
export interface Model {
  readonly url: string;
  /** What every call gets instead of an answer; undefined: answers. */
  weather: "429" | "500" | "hang" | undefined;
  /** Calls that were answered, by the name of the task or run that asked. */
  readonly answered: ReadonlyMap<string, number>;
  readonly refused: number;
  close(): Promise<void>;
}

export const nextNumber = (n: number) => (n * 48_271 + 11) % 2_147_483_647;

/** The question as tasks and runs ask it. `n` may be a template. */
export const questionFor = (name: string, n: string | number) =>
  `[${name}] The number is ${n}. Which number follows by the rule?`;

export const ANSWER_SCHEMA = {
  type: "object",
  properties: { n: { type: "integer" } },
  required: ["n"],
  additionalProperties: false,
} as const;

const QUESTION = /\[([\w-]+)\] The number is (\d+)/;
const LATENCY_MS = 15;
const WRONG_EVERY = 20;

export async function startModel(): Promise<Model> {
  const answered = new Map<string, number>();
  let calls = 0;
  let refused = 0;

  const server = createServer(async (incoming, outgoing) => {
    try {
      await reply(incoming, outgoing);
    } catch {
      outgoing.destroy();
    }
  });

  async function reply(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await text(incoming);
    if (incoming.method !== "POST")
      return send(outgoing, 200, { object: "list", data: [{ id: "sim", object: "model" }] });
    const weather = model.weather;
    if (weather === "hang") return;
    if (weather !== undefined) {
      refused++;
      const headers: Record<string, string> = weather === "429" ? { "retry-after": "1" } : {};
      return send(
        outgoing,
        Number(weather),
        { error: { message: "busy", type: "chaos", code: weather } },
        headers,
      );
    }
    const call = ++calls;
    await sleep(LATENCY_MS);
    const { messages } = JSON.parse(body) as { messages: unknown };
    const [, name = "unknown", n = "0"] = QUESTION.exec(JSON.stringify(messages)) ?? [];
    answered.set(name, (answered.get(name) ?? 0) + 1);
    const right = nextNumber(Number(n));
    const answer = call % WRONG_EVERY === 0 ? (right + call) % 2_147_483_647 : right;
    send(outgoing, 200, completion(JSON.stringify({ rationale: "By the rule.", answer: { n: answer } })));
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const model: Model = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    weather: undefined,
    answered,
    get refused() {
      return refused;
    },
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return model;
}

async function text(incoming: IncomingMessage): Promise<string> {
  let body = "";
  for await (const chunk of incoming) body += chunk;
  return body;
}

function send(
  outgoing: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): void {
  outgoing.writeHead(status, { "content-type": "application/json", ...headers });
  outgoing.end(JSON.stringify(body));
}

function completion(content: string): unknown {
  return {
    id: "chatcmpl-chaos",
    object: "chat.completion",
    created: 0,
    model: "sim",
    choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
    usage: { prompt_tokens: 20, completion_tokens: 5, total_tokens: 25 },
  };
}
