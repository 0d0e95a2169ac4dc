import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../random.ts";
import { ANSWER_SCHEMA, nextNumber, questionFor } from "../world/model.ts";
import type { World } from "../world/world.ts";
import { type Reply, sendUntilAnswered } from "./client.ts";
import { type History, mayBeLost } from "./history.ts";

/** Asks one question after the other: half of them wait for the answer, half let the run go on in the background. */
export async function runClient(
  world: World,
  history: History,
  random: Random,
  name: string,
  weather: AbortSignal,
): Promise<void> {
  for (let n = 1; !weather.aborted; n++) {
    const key = `${name}-${n}`;
    const number = random.between(1, 1e9);
    const ask = question(key, number, random.next() < 0.5);
    const reply = await sendUntilAnswered(world.instances, random, "/mcp/model", ask);
    record(reply, key, number);
    if (reply.status === 200 && random.next() < 0.2) await askAgain(reply, ask);
    await sleep(random.between(50, 250));
  }

  function record({ status, body, headers }: Reply, key: string, number: number): void {
    if (status !== 200 && status !== 202) return;
    const id = headers.get("x-request-id") ?? body.id;
    history.runs.push({ key, id, status, acknowledgedAt: performance.now() });
    const answer = status === 200 ? body.metadata.answer?.n : undefined;
    if (answer !== undefined && answer !== nextNumber(number))
      history.violations.push({
        check: "answers",
        detail: `run ${id} answered ${answer}, not ${nextNumber(number)}`,
      });
  }

  /** The same key again: the same run, whichever instance is asked. */
  async function askAgain(first: Reply, ask: ReturnType<typeof question>): Promise<void> {
    const acknowledgedAt = performance.now();
    const again = await sendUntilAnswered(world.instances, random, "/mcp/model", ask);
    const [a, b] = [first, again].map(({ headers }) => headers.get("x-request-id"));
    if (again.status !== 200 || a === b || mayBeLost(world.losses, acknowledgedAt)) return;
    history.violations.push({ check: "keys", detail: `the same key gave run ${a}, then ${b}` });
  }
}

function question(key: string, number: number, background: boolean) {
  const body = {
    prompt: questionFor(key, number),
    intent: "validation",
    config: { k: 2, answer_schema: ANSWER_SCHEMA },
  };
  const headers: Record<string, string> = { "idempotency-key": key };
  if (background) headers["prefer"] = "respond-async";
  return { method: "POST" as const, body, headers };
}
