import { setTimeout as sleep } from "node:timers/promises";
import type { Random } from "../random.ts";
import type { Instance } from "../world/instance.ts";

/** What an instance answered. 0: no answer came. */
export interface Reply {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: the body of any endpoint
  readonly body: any;
  readonly headers: Headers;
}

export interface Sent {
  readonly method?: "GET" | "POST";
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 15_000;
const RETRY_MS = 300;

/** One request to one instance. Nothing is thrown: an instance that is gone answers with 0. */
export async function send({ url }: Instance, path: string, sent: Sent = {}): Promise<Reply> {
  try {
    const response = await fetch(`${url}${path}`, {
      method: sent.method ?? "GET",
      headers: { "content-type": "application/json", ...sent.headers },
      ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    return {
      status: response.status,
      body: text === "" ? undefined : JSON.parse(text),
      headers: response.headers,
    };
  } catch {
    return { status: 0, body: undefined, headers: new Headers() };
  }
}

/** For the checks: from whichever instance answers, however long a restart takes. */
export async function read(instances: readonly Instance[], path: string): Promise<Reply> {
  const end = performance.now() + READ_TIMEOUT_MS;
  for (let turn = 0; ; turn++) {
    const reply = await send(instances[turn % instances.length]!, path);
    if ((reply.status !== 0 && reply.status < 500) || performance.now() > end) return reply;
    await sleep(RETRY_MS);
  }
}

const READ_TIMEOUT_MS = 20_000;

/** As a client behind a load balancer without affinity: again at another instance until one answers, other than with 5xx. */
export async function sendUntilAnswered(
  instances: readonly Instance[],
  random: Random,
  path: string,
  sent: Sent = {},
  timeoutMs = 180_000,
): Promise<Reply> {
  const end = performance.now() + timeoutMs;
  for (;;) {
    const reply = await send(random.pick(instances), path, sent);
    if (reply.status !== 0 && reply.status < 500 && reply.status !== 429) return reply;
    if (performance.now() > end) return reply;
    await sleep(RETRY_MS);
  }
}
