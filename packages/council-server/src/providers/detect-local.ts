import { boundedFetch } from "./fetch.ts";

/** A model server that runs on this machine. */
export interface LocalServer {
  readonly name: string;
  readonly url: string;
  readonly models: readonly [string, ...string[]];
}

export const LOCAL_SERVERS = [
  { name: "Ollama", url: "http://127.0.0.1:11434/v1" },
  { name: "LM Studio", url: "http://127.0.0.1:1234/v1" },
] as const;

/** Looks for a local model server that has a chat model loaded; the first one found in the order of the list. */
export async function detectLocal(
  candidates: readonly { readonly name: string; readonly url: string }[] = LOCAL_SERVERS,
  timeoutMs = 500,
): Promise<LocalServer | undefined> {
  const found = await Promise.all(candidates.map((candidate) => probe(candidate, timeoutMs)));
  return found.find((server) => server !== undefined);
}

/** Any program may listen there: its response is bounded. */
const fetch = boundedFetch(1024 * 1024);

async function probe(
  candidate: { name: string; url: string },
  timeoutMs: number,
): Promise<LocalServer | undefined> {
  try {
    const response = await fetch(`${candidate.url}/models`, {
      signal: AbortSignal.timeout(timeoutMs),
      redirect: "error",
    });
    const body = (await response.json()) as { data?: readonly { id?: unknown }[] };
    const ids = (body.data ?? []).map((model) => model.id).filter((id) => typeof id === "string");
    const [first, ...rest] = ids.filter((id) => !/embed|rerank|whisper/i.test(id));
    return response.ok && first !== undefined ? { ...candidate, models: [first, ...rest] } : undefined;
  } catch {
    // Nothing listens there, or no model server does: the search goes on.
    return undefined;
  }
}
