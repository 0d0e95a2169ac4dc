import { exactInteger } from "@mci-ts/primitives/exact-json";

/** The number a value is, or the number a text spells; undefined for everything else. A long integer is exact. */
export function toNumber(value: unknown): number | bigint | undefined {
  if (typeof value === "bigint") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : undefined;
  if (typeof value !== "string" || value.length > MAX_NUMBER_LENGTH || !NUMBER.test(value)) return undefined;
  const number = Number(value);
  return Number.isFinite(number) ? (exactInteger(value.trim()) ?? number) : undefined;
}

export function isNumber(value: unknown): value is number | bigint {
  return typeof value === "number" || typeof value === "bigint";
}

/** No number needs more characters; a longer text need not be looked at. */
const MAX_NUMBER_LENGTH = 400;
const NUMBER = /^\s*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?\s*$/;
