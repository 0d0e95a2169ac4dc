import { isDeepStrictEqual } from "node:util";
import { isObject } from "@mci-ts/primitives/is-object";
import type { Observed, ObservedCall, ObservedFailure, ObservedProblem } from "./adapter.ts";
import type { Expectation, ExpectedFailure, ExpectedProblem, Substrings } from "./case.ts";
import type { Staged } from "./stage.ts";

export interface JudgeOptions {
  /** Compare error codes; they are this library's own. Default true. */
  readonly codes?: boolean;
}

/** What is not as the case expects it, in words. Empty if everything is. */
export function judge(
  { expect, expectCalls }: Pick<Staged, "expect" | "expectCalls">,
  observed: Observed,
  { codes = true }: JudgeOptions = {},
): string[] {
  const differences = [...judgeLoad(expect, observed, codes)];
  if (observed.failure !== undefined) return differences;
  for (const [index, expected] of expectCalls.entries()) {
    const about = expectCalls.length === 1 ? "" : `call ${index + 1}: `;
    const call = observed.calls?.[index] ?? {};
    differences.push(...[...judgeCall(expected, call, codes)].map((difference) => about + difference));
  }
  return differences;
}

function* judgeLoad(expect: Expectation, observed: Observed, codes: boolean): Generator<string> {
  const { failure, tools = [] } = observed;
  yield* judgeFailure("loading", expect.loadFails, failure, codes);
  yield* judgeProblems("problem", expect.loadFails?.problems, failure?.problems);
  yield* judgeProblems("warning", expect.warnings, observed.warnings);
  if (expect.tools !== undefined) yield* equal("tools", expect.tools, observed.listed);
  for (const [name, fields] of Object.entries(expect.toolFields ?? {})) {
    const tool = tools.find((candidate) => candidate.name === name);
    yield* within(`tool ${name}`, fields, tool);
  }
}

function* judgeCall(
  expect: Expectation,
  { thrown, result }: ObservedCall,
  codes: boolean,
): Generator<string> {
  yield* judgeFailure("the call", expect.throws, thrown, codes);
  if (result === undefined) {
    if (thrown === undefined) yield "nothing came of the call";
    return;
  }
  const { content, isError, metadata, structuredContent } = result;
  const text = content.flatMap((item) => (item.type === "text" ? [String(item.text)] : [])).join("\n");
  const failed = isError ? { message: text, code: metadata.error_code as string | undefined } : undefined;
  yield* judgeFailure("the result", expect.error, failed, codes);
  if (isError && expect.error === undefined) return;

  if (expect.text !== undefined) yield* equal("text", expect.text, text);
  yield* words("text", { contains: expect.textContains, lacks: expect.textLacks }, text);
  if (expect.textMatches !== undefined && !new RegExp(expect.textMatches, "u").test(text))
    yield `text does not match ${expect.textMatches}: ${show(text)}`;
  if (expect.content !== undefined) yield* equal("content", expect.content, content);
  if (expect.structuredContent !== undefined)
    yield* equal("structuredContent", expect.structuredContent, structuredContent ?? null);
  yield* subset("metadata", expect.metadata ?? {}, metadata);
  for (const [name, type] of Object.entries(expect.metadataTypes ?? {}))
    yield* equal(`type of metadata ${name}`, type, typeof metadata[name]);
  for (const secret of expect.nowhere ?? [])
    if (JSON.stringify(result).includes(secret)) yield `the result holds ${show(secret)}`;
  yield* judgeJson("request", expect.request, text);
  yield* judgeJson("report", expect.report, text);
}

/** That something failed, or did not, and in which words. */
function* judgeFailure(
  what: string,
  expected: ExpectedFailure | undefined,
  observed: ObservedFailure | undefined,
  codes: boolean,
): Generator<string> {
  if (expected === undefined) {
    if (observed !== undefined) yield `${what} failed: ${observed.message}`;
    return;
  }
  if (observed === undefined) {
    yield `${what} did not fail`;
    return;
  }
  if (codes && expected.code !== undefined) yield* equal("error code", expected.code, observed.code);
  yield* words("error", expected, observed.message);
}

function* words(
  what: string,
  { contains, lacks }: { contains?: Substrings; lacks?: Substrings },
  text: string,
): Generator<string> {
  for (const part of [contains ?? []].flat())
    if (!text.includes(part)) yield `${what} lacks ${show(part)}: ${show(text)}`;
  for (const part of [lacks ?? []].flat())
    if (text.includes(part)) yield `${what} holds ${show(part)}: ${show(text)}`;
}

/** Each expected problem must be among those found. */
function* judgeProblems(
  kind: string,
  expected: readonly ExpectedProblem[] = [],
  observed: readonly ObservedProblem[] = [],
): Generator<string> {
  for (const { contains, ...place } of expected) {
    const isIt = (problem: ObservedProblem) =>
      [...subset("", place, problem)].length === 0 &&
      [...words("", { contains }, `${problem.message} — ${problem.hint ?? ""}`)].length === 0;
    if (!observed.some(isIt)) yield `no ${kind} ${show({ ...place, contains })} among ${show(observed)}`;
  }
}

/** The account of the echo server or the probe. Of `headers` only those named count; null means there is none. */
function* judgeJson(what: string, expected: Expectation["request"], text: string): Generator<string> {
  if (expected === undefined) return;
  const account = parse(text);
  if (account === undefined) {
    yield `${what}: not JSON: ${show(text)}`;
    return;
  }
  const { headers, ...rest } = expected;
  yield* subset(what, rest, account);
  const received = (account.headers ?? {}) as Record<string, unknown>;
  for (const [name, value] of Object.entries((headers ?? {}) as object))
    yield* equal(`${what} header ${name}`, value, received[name] ?? null);
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Every field named must be there and equal; there may be others. */
function* subset(what: string, expected: object, actual: unknown): Generator<string> {
  const fields = (actual ?? {}) as Record<string, unknown>;
  for (const [name, value] of Object.entries(expected)) yield* equal(`${what} ${name}`, value, fields[name]);
}

/** The same at any depth: adapters may write out defaults that the file leaves out. Arrays must be equal. */
function* within(what: string, expected: unknown, actual: unknown): Generator<string> {
  if (!isObject(expected) || !isObject(actual)) return yield* equal(what, expected, actual);
  for (const [name, value] of Object.entries(expected)) yield* within(`${what} ${name}`, value, actual[name]);
}

function* equal(what: string, expected: unknown, actual: unknown): Generator<string> {
  // Through JSON, so that what an adapter leaves undefined is as if it were not there.
  const plain = actual === undefined ? undefined : JSON.parse(JSON.stringify(actual));
  if (!isDeepStrictEqual(plain, expected)) yield `${what} is ${show(plain)}, not ${show(expected)}`;
}

function show(value: unknown): string {
  return JSON.stringify(value) ?? "missing";
}
