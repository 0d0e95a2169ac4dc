import type { StoreRecord } from "./records.ts";

/**
 * A record as every store takes it. Names and counts of a run come from a provider and may be anything; a column refuses fractions
 * and what is too large, and with one record everything else of its batch.
 */
export function toStorableRecord(record: StoreRecord): StoreRecord {
  if (record.kind !== "ended") return record;
  const { tool, model, answer, calls, inputTokens, outputTokens, agreed, votes } = record;
  return {
    ...record,
    tool: shorten(tool),
    model: shorten(model),
    ...(answer === undefined
      ? {}
      : { answer: answer.slice(0, MAX_NAME_CHARS).replaceAll("\0", "").toWellFormed() }),
    calls: toWhole(calls, MAX_INTEGER),
    inputTokens: toWhole(inputTokens, Number.MAX_SAFE_INTEGER),
    outputTokens: toWhole(outputTokens, Number.MAX_SAFE_INTEGER),
    agreed: toWhole(agreed, MAX_INTEGER),
    votes: toWhole(votes, MAX_INTEGER),
  };
}

const MAX_INTEGER = 2 ** 31 - 1;
/** PostgreSQL indexes no more than a third of a page. */
const MAX_NAME_CHARS = 500;

const shorten = (name: string | undefined) => name?.slice(0, MAX_NAME_CHARS);

function toWhole(value: number | undefined, max: number): number | undefined {
  if (value === undefined || Number.isNaN(value)) return undefined;
  return Math.max(-max, Math.min(max, Math.round(value)));
}
