import type { CouncilRequest } from "@mci-ts/council";
import type { ModelResponse } from "../../api/api-schemas.ts";
import type { Config } from "../../config/config.ts";
import type { Models } from "../../providers/models.ts";
import type { Store } from "../../store/store.ts";
import { VERSION } from "../../version.ts";
import { fingerprint } from "../idempotency.ts";
import type { Submission } from "../submission.ts";
import type { OutputFormat } from "./format-result.ts";

/**
 * Equal for runs whose responses a cache may exchange: the same question to the same models with the same settings,
 * under the same token and of the same subject.
 */
export function cacheKeyOf(
  request: CouncilRequest,
  format: OutputFormat | undefined,
  { http, voting, presets, seatTools }: Pick<Config, "http" | "voting" | "presets" | "seatTools">,
  { names, description, providerName }: Pick<Models, "names" | "description" | "providerName">,
  subject?: string,
): string {
  const { model, models = [], judge_model, preset } = request.config ?? {};
  const named = [model, ...models, judge_model].filter((id) => id !== undefined);
  return fingerprint({
    request,
    format: format?.jsonSchema,
    models: { names, description, providers: named.map(providerName) },
    voting,
    // What a preset stands for may have changed.
    preset: preset === undefined ? undefined : presets[preset],
    tools: seatTools && { file: seatTools.file, allow: seatTools.allow, filter: seatTools.filter },
    token: http.token,
    subject,
    version: VERSION,
  });
}

/** The response of an equal request in the history, labelled as such; undefined when there is none or it cannot be read. */
export async function fromCache(
  store: Pick<Store, "findCached">,
  key: string,
  { maxAgeMs, requireAnswer }: { readonly maxAgeMs: number; readonly requireAnswer?: boolean | undefined },
  now = Date.now(),
): Promise<Submission | undefined> {
  const found = await store.findCached(key, now - maxAgeMs).catch(() => undefined);
  if (!found) return undefined;
  const { id, endedAt, response } = found;
  const { result, metadata } = JSON.parse(response) as ModelResponse;
  if (requireAnswer && metadata.answer === null) return undefined;
  const age_seconds = Math.max(0, Math.round((now - endedAt) / 1000));
  const body = { result, metadata: { ...metadata, cached: { run: id, age_seconds } } };
  return { id, cached: true, response: Promise.resolve({ body, ageSeconds: age_seconds }) };
}
