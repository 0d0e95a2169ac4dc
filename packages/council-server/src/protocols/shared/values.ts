import { parseJson } from "@mci-ts/primitives/parse-json";

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export const asText = (value: unknown) => (typeof value === "string" ? value : undefined);

export const asNumber = (value: unknown) => (typeof value === "number" ? value : undefined);

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asRecords = (value: unknown) => asList(value).filter(isRecord);

/** Token counts of a provider; anything but a whole number from 0 counts as 0. */
export function count(value: unknown): number {
  const whole = Math.round(typeof value === "number" ? value : 0);
  return Number.isSafeInteger(whole) && whole > 0 ? whole : 0;
}

/** Arguments of an earlier call, as data where they are JSON. */
export function parseInput(text: unknown): unknown {
  if (typeof text !== "string") return text ?? {};
  const value = text.trim() === "" ? {} : parseJson(text);
  return value === undefined ? text : value;
}
