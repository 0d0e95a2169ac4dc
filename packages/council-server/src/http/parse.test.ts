import { describe, expect, it } from "vitest";
import { ModelRequest } from "../api/api-schemas.ts";
import type { ServiceError } from "../service-error.ts";
import { parse } from "./parse.ts";

const problems = (value: unknown) => {
  try {
    parse(ModelRequest, value);
    return [];
  } catch (error) {
    return (error as ServiceError).details.map(({ path }) => path);
  }
};

describe("a request", () => {
  it.each<[unknown, string[]]>([
    [{ prompt: "hi" }, []],
    [{ prompt: "hi", config: { k: "auto", num_voters: 25 } }, []],
    [{ prompt: "hi", context: { code: "x", anything: { nested: true } } }, []],
    [undefined, [""]],
    [[], [""]],
    [{}, ["prompt"]],
    [{ query: "hi" }, []],
    [{ query: "hi", prompt: "hello" }, ["query", "prompt"]],
    [{ prompt: "a\0b", context: { notes: ["ok", "\ud800 alone"] } }, ["prompt", "context.notes[1]"]],
    [{ prompt: "hi", context: { "a\0": 1 } }, ["context"]],
    [{ prompt: "hi \u{1F600}", context: { notes: "\uFFFD" } }, []],
    [{ prompt: "  " }, ["prompt"]],
    [{ prompt: 7, intent: "guess" }, ["prompt", "intent"]],
    [{ prompt: "hi", config: { num_voters: 26 } }, ["config.num_voters"]],
    [{ prompt: "hi", config: { num_voters: 0, k: 0 } }, ["config.num_voters", "config.k"]],
    [{ prompt: "hi", config: { k: 26 } }, ["config.k"]],
    [{ prompt: "hi", config: { k: 2.5 } }, ["config.k"]],
    [{ prompt: "hi", config: { max_call: 3 } }, ["config.max_call"]],
    [{ prompt: "hi", context: { history: "none" } }, ["context.history"]],
  ])("%o has problems at %o", (value, paths) => {
    expect(problems(value)).toEqual(paths);
  });
});
