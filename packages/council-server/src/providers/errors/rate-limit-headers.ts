import type { Headers } from "../dialects/dialect.ts";
import { durationMs } from "./error-body.ts";

/**
 * How long to hold all calls after a response that says that little is left: `x-ratelimit-*` (OpenAI, Groq and others; resets as
 * durations or seconds) and `anthropic-ratelimit-*` (resets as times). `tokens`: what one call takes.
 */
export function holdAfter(headers: Headers, tokens: number, now?: number): number {
  return Math.max(...NAMES.map((names) => waitMs(headers, names, names.of === "requests" ? 1 : tokens, now)));
}

const NAMES = (["requests", "tokens"] as const).flatMap((of) => [
  {
    ...{ of, limit: `x-ratelimit-limit-${of}` },
    ...{ remaining: `x-ratelimit-remaining-${of}`, reset: `x-ratelimit-reset-${of}` },
  },
  {
    ...{ of, limit: `anthropic-ratelimit-${of}-limit` },
    ...{ remaining: `anthropic-ratelimit-${of}-remaining`, reset: `anthropic-ratelimit-${of}-reset` },
  },
]);

/** The time of the response by the clock of the provider, whose times are given by it, too; without one, that of this machine. */
export function dateOf(header: string | null | undefined): number {
  const at = Date.parse(header ?? "");
  return Number.isNaN(at) ? Date.now() : at;
}

function waitMs(headers: Headers, names: (typeof NAMES)[number], needed: number, now?: number): number {
  const number = (name: string) => Number(headers.get(name) ?? Number.NaN);
  const remaining = number(names.remaining);
  // Nearly every response: the other headers are not looked at.
  if (!(remaining < needed)) return 0;
  const limit = number(names.limit);
  const reset = resetMs(headers.get(names.reset), now ?? dateOf(headers.get("date")));
  // A call that is larger than the whole limit waits for all of it.
  if (reset === undefined || !(limit > remaining)) return 0;
  return reset * Math.min(1, (needed - remaining) / (limit - remaining));
}

function resetMs(text: string | null | undefined, now: number): number | undefined {
  if (!text) return undefined;
  const ms = durationMs(text) ?? (/^[\d.]+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now);
  // A longer wait is not a pause but an outage; the next refusal says so itself.
  return Number.isFinite(ms) && ms <= MAX_HOLD_MS ? Math.max(0, ms) : undefined;
}

const MAX_HOLD_MS = 120_000;
