import { describe, expect, test } from "vitest";
import type { Observed, ObservedCall } from "./adapter.ts";
import type { Expectation } from "./case.ts";
import { judge } from "./judge.ts";

const success = (text: string, more: object = {}): ObservedCall => ({
  result: { content: [{ type: "text", text }], isError: false, metadata: {}, ...more },
});
const error = (text: string, code?: string): ObservedCall =>
  success(text, { isError: true, metadata: { error_code: code } });

const judgeCall = (expected: Expectation, call: ObservedCall) =>
  judge({ expect: {}, expectCalls: [expected] }, { calls: [call] });
const judgeLoad = (expected: Expectation, observed: Observed) =>
  judge({ expect: expected, expectCalls: [] }, observed);

const account = JSON.stringify({ path: "/a", query: [], headers: { "x-a": "1", host: "h" } });

// Each row: what is expected, what meets it, what does not.
describe("a call is judged by", () => {
  test.each<[string, Expectation, ObservedCall, ObservedCall]>([
    ["its text", { text: "a" }, success("a"), success("b")],
    ["a part of its text", { textContains: ["a", "b"] }, success("ab"), success("a")],
    ["what its text must not hold", { textLacks: "a" }, success("b"), success("ba")],
    ["a pattern", { textMatches: "^a+$" }, success("aa"), success("ab")],
    ["its content", { content: [{ type: "text", text: "a" }] }, success("a"), success("b")],
    [
      "its structured content",
      { structuredContent: { a: 1 } },
      success("", { structuredContent: { a: 1 } }),
      success("", { structuredContent: { a: 1, b: 2 } }),
    ],
    ["having none", { structuredContent: null }, success(""), success("", { structuredContent: {} })],
    [
      "some of its metadata",
      { metadata: { n: 1 } },
      success("", { metadata: { n: 1, m: 2 } }),
      success("", { metadata: { m: 2 } }),
    ],
    [
      "the types of its metadata",
      { metadataTypes: { n: "number" } },
      success("", { metadata: { n: 1 } }),
      success("", { metadata: { n: "1" } }),
    ],
    [
      "what must be nowhere in it",
      { text: "a", nowhere: ["secret"] },
      success("a"),
      success("a", { metadata: { x: ["a secret"] } }),
    ],
    ["being no error", { metadata: {} }, success(""), error("it broke")],
    ["being an error", { error: {} }, error("x"), success("x")],
    ["the code of its error", { error: { code: "a" } }, error("x", "a"), error("x", "b")],
    ["the words of its error", { error: { contains: "a", lacks: "b" } }, error("a"), error("ab")],
    ["throwing", { throws: {} }, { thrown: { message: "x" } }, success("x")],
    ["not throwing", { metadata: {} }, success("x"), { thrown: { message: "x" } }],
    [
      "the code of what it throws",
      { throws: { code: "a" } },
      { thrown: { message: "x", code: "a" } },
      { thrown: { message: "x", code: "b" } },
    ],
    ["what was received", { request: { path: "/a" } }, success(account), success('{"path":"/b"}')],
    ["JSON having been received", { report: { argv: [] } }, success('{"argv":[]}'), success("no JSON")],
    ["a header", { request: { headers: { "x-a": "1" } } }, success(account), success('{"headers":{}}')],
    [
      "the lack of a header",
      { request: { headers: { "x-b": null } } },
      success(account),
      success('{"headers":{"x-b":""}}'),
    ],
    ["there being one", { text: "a" }, success("a"), {}],
  ])("%s", (_title, expected, good, bad) => {
    expect(judgeCall(expected, good)).toEqual([]);
    expect(judgeCall(expected, bad)).not.toEqual([]);
  });
});

describe("loading is judged by", () => {
  const failure = (more: object = {}): Observed => ({ failure: { message: "a", ...more } });
  const problem = { message: "m", path: "p", line: 3, hint: "h" };
  test.each<[string, Expectation, Observed, Observed]>([
    ["succeeding", { tools: [] }, { listed: [] }, failure()],
    ["failing", { loadFails: {} }, failure(), { listed: [] }],
    [
      "how it fails",
      { loadFails: { code: "c", contains: "a" } },
      failure({ code: "c" }),
      failure({ code: "d" }),
    ],
    [
      "the problems it finds, among others",
      { loadFails: { problems: [{ path: "p", line: 3, contains: ["m", "h"] }] } },
      failure({ problems: [{ message: "other" }, problem] }),
      failure({ problems: [{ ...problem, line: 4 }] }),
    ],
    ["its warnings", { warnings: [{ path: "p" }] }, { warnings: [problem] }, { warnings: [] }],
    ["the tools, in order", { tools: ["a", "b"] }, { listed: ["a", "b"] }, { listed: ["b", "a"] }],
    [
      "fields of a tool, at any depth",
      { toolFields: { a: { execution: { args: ["x"] } } } },
      { tools: [{ name: "a", execution: { type: "cli", args: ["x"] } }] },
      { tools: [{ name: "a", execution: { args: ["x", "y"] } }] },
    ],
    [
      "the tool being there",
      { toolFields: { a: { tags: [] } } },
      { tools: [{ name: "a", tags: [] }] },
      { tools: [] },
    ],
  ])("%s", (_title, expected, good, bad) => {
    expect(judgeLoad(expected, good)).toEqual([]);
    expect(judgeLoad(expected, bad)).not.toEqual([]);
  });
});

test("every call is judged, and a difference says which one it is about", () => {
  const expectCalls = [{ text: "a" }, { text: "b" }];
  expect(judge({ expect: {}, expectCalls }, { calls: [success("a"), success("x")] })).toEqual([
    'call 2: text is "x", not "b"',
  ]);
});

test("codes are compared only where they are this library's", () => {
  const expectCalls = [{ error: { code: "a" } }];
  expect(judge({ expect: {}, expectCalls }, { calls: [error("x")] }, { codes: false })).toEqual([]);
});
