import { closestMatch } from "@mci-ts/primitives/closest-match";
import { isObject } from "@mci-ts/primitives/is-object";
import { MCIClientError } from "./errors.ts";

/** Checks of the options that callers without TypeScript get wrong. `undefined` is as good as not given. */

/** A kind of value: its description for messages, and a predicate. */
type Kind = readonly [words: string, is: (value: unknown) => boolean];

const is = (type: string) => (value: unknown) => typeof value === type;
const OBJECT: Kind = ["an object", isObject];
const isTextOrObject = (value: unknown) => typeof value === "string" || isObject(value);
const LOCK: Kind = ["a path or a lock", isTextOrObject];
const PROXY: Kind = ["an address or an object", isTextOrObject];
const FLAG: Kind = ["true or false", is("boolean")];
const TEXT: Kind = ["a string", is("string")];
const FUNCTION: Kind = ["a function", is("function")];
const DURATION: Kind = ["a number of milliseconds", (value) => typeof value === "number" && value >= 0];
const SIGNAL: Kind = ["an AbortSignal", (value) => value instanceof AbortSignal];
const oneOf = (...words: string[]): Kind => [
  `one of ${words.map((word) => `"${word}"`).join(", ")}`,
  (value) => words.includes(value as string),
];

const LOAD = {
  env: OBJECT,
  envVars: OBJECT,
  validating: FLAG,
  filter: OBJECT,
  unknownKeys: oneOf("ignore", "warn", "error"),
  parseTemplates: oneOf("load", "call"),
  limits: OBJECT,
  strict: FLAG,
  fetchMcpTools: FLAG,
  refreshMcpTools: FLAG,
  lock: LOCK,
  proxy: PROXY,
  mcp: OBJECT,
  auth: OBJECT,
  signal: SIGNAL,
  onMcpServer: FUNCTION,
  onInput: FUNCTION,
  onMcpMessage: FUNCTION,
  traceContent: FLAG,
  baseDir: TEXT,
  source: TEXT,
};

const PROXIES = { http: TEXT, https: TEXT, noProxy: TEXT };
const AUTH = {
  ...{ store: OBJECT, onAuthorize: FUNCTION, redirectUrl: TEXT, clientMetadataUrl: TEXT },
  loginCommand: FUNCTION,
};
const MCP = {
  ...{ connectTimeoutMs: DURATION, idleTimeoutMs: DURATION },
  ...{ extensions: OBJECT, asksForInput: FLAG },
};
const COUNT: Kind = ["a whole number above 0", (value) => Number.isInteger(value) && (value as number) > 0];
const SEARCH = { limit: COUNT, filter: OBJECT, embed: FUNCTION };
const EXECUTE = {
  signal: SIGNAL,
  onProgress: FUNCTION,
  onExchange: FUNCTION,
  noteIgnored: FLAG,
  idempotencyKey: TEXT,
  caller: OBJECT,
  onInput: FUNCTION,
  inputGroup: TEXT,
  pauseOnInput: FLAG,
  resume: OBJECT,
  meta: OBJECT,
};

export function checkLoadOptions(options: unknown): void {
  check(options, LOAD);
  const { mcp, proxy, auth } = options as { mcp?: unknown; proxy?: unknown; auth?: unknown };
  if (typeof proxy === "object" && !(proxy instanceof URL)) check(proxy, PROXIES, "options.proxy");
  if (mcp !== undefined) check(mcp, MCP, "options.mcp");
  if (auth !== undefined) check(auth, AUTH, "options.auth");
}

export function checkSearch(query: unknown, options: unknown): void {
  expect("query", query, TEXT);
  check(options, SEARCH);
}

export const checkExecuteOptions = (options: unknown): void => check(options, EXECUTE);

function check(options: unknown, kinds: Readonly<Record<string, Kind>>, place = "options"): void {
  expect(place, options, OBJECT);
  const values = options as Readonly<Record<string, unknown>>;
  for (const name in kinds)
    if (values[name] !== undefined) expect(`${place}.${name}`, values[name], kinds[name]!);
  for (const name in values) if (!Object.hasOwn(kinds, name)) refuseMisspelling(name, kinds, place);
}

/** An unknown option may belong to a caller's own code; but with `filters` in place of `filter` every tool would be there. */
function refuseMisspelling(name: string, kinds: Readonly<Record<string, Kind>>, place: string): void {
  const meant = closestMatch(name, Object.keys(kinds));
  if (meant !== undefined)
    throw new MCIClientError("invalid_argument", `${place} has no '${name}'. Did you mean '${meant}'?`);
}

function expect(name: string, value: unknown, kind: Kind): void {
  const [words, is] = kind;
  if (is(value)) return;
  throw new MCIClientError("invalid_argument", `${name} must be ${words}, but is ${found(value, kind)}.`);
}

function found(value: unknown, kind: Kind): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  // It is of the right type, and still cannot be used.
  if (kind === DURATION && typeof value === "number") return String(value);
  return `of type ${typeof value}`;
}
