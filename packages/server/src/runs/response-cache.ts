import type { ModelResponse } from "../http/api-schemas.ts";
import type { Store } from "../store/store.ts";
import type { Submission } from "./submission.ts";

/** The response of an equal request in the history, labelled as such; undefined when there is none or it cannot be read. */
export async function fromCache(
  store: Pick<Store, "findCached">,
  key: string,
  maxAgeMs: number,
  now = Date.now(),
): Promise<Submission | undefined> {
  const found = await store.findCached(key, now - maxAgeMs).catch(() => undefined);
  if (!found) return undefined;
  const { id, endedAt, response } = found;
  const { result, metadata } = JSON.parse(response) as ModelResponse;
  const age_seconds = Math.max(0, Math.round((now - endedAt) / 1000));
  const body = { result, metadata: { ...metadata, cached: { run: id, age_seconds } } };
  const headers = { age: String(age_seconds) };
  return { id, cached: true, outcome: Promise.resolve({ status: 200, body, headers }) };
}
