import { MCIClientError } from "./errors.ts";

/** Checks of the options that callers without TypeScript get wrong. `undefined` is as good as not given. */

/** What a value must be, in words, and whether it is. */
type Kind = readonly [words: string, is: (value: unknown) => boolean];

const is = (type: string) => (value: unknown) => typeof value === type;
const OBJECT: Kind = ["an object", (value) => is("object")(value) && value !== null && !Array.isArray(value)];
const FLAG: Kind = ["true or false", is("boolean")];
const TEXT: Kind = ["a string", is("string")];
const FUNCTION: Kind = ["a function", is("function")];
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
  askMcpServers: FLAG,
  mcp: OBJECT,
  signal: SIGNAL,
  onMcpServer: FUNCTION,
  baseDir: TEXT,
};

const EXECUTE = { signal: SIGNAL, onProgress: FUNCTION };

export const checkLoadOptions = (options: unknown): void => check(options, LOAD);

export const checkExecuteOptions = (options: unknown): void => check(options, EXECUTE);

function check(options: unknown, kinds: Readonly<Record<string, Kind>>): void {
  expect("options", options, OBJECT);
  const given = options as Readonly<Record<string, unknown>>;
  for (const name in kinds)
    if (given[name] !== undefined) expect(`options.${name}`, given[name], kinds[name]!);
}

function expect(name: string, value: unknown, [words, is]: Kind): void {
  if (is(value)) return;
  const found = value === null ? "null" : Array.isArray(value) ? "a list" : `of type ${typeof value}`;
  throw new MCIClientError("invalid_argument", `${name} must be ${words}, but is ${found}.`);
}
