/*
 * Integers whose digits a JavaScript number does not hold (above 2^53) are bigint between reading and writing, so that
 * a long id stays the same id. All other numbers are numbers.
 */

/** Like JSON.parse, but for long integers. */
export function parseExact(text: string): unknown {
  if (!LONG_INTEGER.test(text)) return JSON.parse(text);
  try {
    return JSON.parse(text, reviveInteger as Reviver);
  } catch {
    // Not JSON, or nested deeper than a reviver can go.
    return JSON.parse(text);
  }
}

/** A JSON-RPC message whose tool arguments are exact. The protocol itself wants numbers, for instance as ids. */
export function parseMessage(text: string): unknown {
  const message = JSON.parse(text);
  if (!LONG_INTEGER.test(text) || message?.params?.arguments === undefined) return message;
  const exact = parseExact(text) as typeof message;
  message.params.arguments = exact.params.arguments;
  return message;
}

/** The same for a server, one message or several: what it has to repeat is exact as well. */
export function parseRequest(text: string): unknown {
  const message = JSON.parse(text);
  if (!LONG_INTEGER.test(text)) return message;
  const exact = parseExact(text);
  if (Array.isArray(message))
    for (const [index, one] of message.entries()) restoreExact(one, (exact as unknown[])[index]);
  else restoreExact(message, exact);
  return message;
}

interface Repeated {
  id?: unknown;
  params?: { arguments?: unknown; _meta?: { progressToken?: unknown } };
}

function restoreExact(message: Repeated | null, exact: unknown): void {
  const { id, params } = (exact ?? {}) as Repeated;
  if (typeof id === "bigint") message!.id = id;
  if (params?.arguments !== undefined) message!.params!.arguments = params.arguments;
  const token = params?._meta?.progressToken;
  if (typeof token === "bigint") message!.params!._meta!.progressToken = token;
}

/**
 * Why a server cannot take a request: it would have to repeat a number that it does not hold, and the client would not know what
 * the response is for. Undefined for all others.
 */
export function roundedNumber({ id, params }: Repeated): string | undefined {
  const token = params?._meta?.progressToken;
  const name = isRounded(id) ? '"id"' : isRounded(token) ? '"progressToken"' : undefined;
  return name && `${name} is a number above 2^53, which is not held exactly: send a smaller one, or a string`;
}

function isRounded(value: unknown): boolean {
  return typeof value === "bigint" || (Number.isInteger(value) && !Number.isSafeInteger(value));
}

/** Like JSON.stringify, which refuses bigint. */
export function stringifyExact(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch {
    return JSON.stringify(value, writeInteger);
  }
}

/** For code that calls JSON.stringify itself: a value that it writes exactly. */
export function toRawJson<Value>(value: Value): Value {
  return replaceIntegers(value, rawJSON);
}

/** For code that does not know bigint. */
export function integersAsText<Value>(value: Value): Value {
  return replaceIntegers(value, (digits) => digits);
}

function replaceIntegers<Value>(value: Value, replace: (digits: string) => unknown): Value {
  if (typeof value !== "object" || value === null || longIntegers(value).length === 0) return value;
  const revive = (_: string, item: unknown, { source = "" }: Source) =>
    typeof item === "number" && exactInteger(source) !== undefined ? replace(source) : item;
  return JSON.parse(stringifyExact(value), revive as Reviver);
}

/** The integer that decimal digits spell, unless a number prints them as well; undefined then, and for what is not an integer. */
export function exactInteger(digits: string): bigint | undefined {
  if (!/^[-+]?\d{16,400}$/.test(digits)) return undefined;
  const exact = BigInt(digits.replace("+", ""));
  return typeof shortest(exact) === "bigint" ? exact : undefined;
}

/** A number, where it has the same digits. */
export function shortest(value: bigint): number | bigint {
  return String(Number(value)) === String(value) ? Number(value) : value;
}

/** Replaces the long integers inside a value by the nearest numbers, in place. The result puts them back. */
export function roundIntegers(root: object): () => void {
  const found = longIntegers(root);
  for (const { holder, key, value } of found) holder[key] = Number(value);
  return () => {
    for (const { holder, key, value } of found) holder[key] = value;
  };
}

interface Found {
  readonly holder: Record<string | number, unknown>;
  readonly key: string | number;
  readonly value: bigint;
}

/** On every call, so it is written to be fast; a list instead of recursion, so that depth costs no stack. */
function longIntegers(root: object): Found[] {
  const found: Found[] = [];
  const pending = [root as Found["holder"]];
  const visit = (holder: Found["holder"], key: string | number) => {
    const value = holder[key];
    if (typeof value === "object" && value !== null) pending.push(value as Found["holder"]);
    else if (typeof value === "bigint") found.push({ holder, key, value });
  };
  for (let holder = pending.pop(); holder !== undefined; holder = pending.pop()) {
    if (Array.isArray(holder))
      for (let index = 0; index < holder.length; index++) visit(holder as never, index);
    else for (const key of Object.keys(holder)) visit(holder, key);
  }
  return found;
}

/** Digits that may be too many; also inside of strings, which costs time but no correctness. */
const LONG_INTEGER = /\d{16}/;

/** The types of TypeScript do not know the source text of values yet, nor JSON.rawJSON. */
type Reviver = (key: string, value: unknown) => unknown;
interface Source {
  readonly source?: string;
}
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

function reviveInteger(_: string, value: unknown, { source = "" }: Source): unknown {
  return typeof value === "number" ? (exactInteger(source) ?? value) : value;
}

/** For `JSON.stringify`, which refuses bigint. */
export function writeInteger(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? rawJSON(String(value)) : value;
}
