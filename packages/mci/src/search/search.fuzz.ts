import fc from "fast-check";
import { Cases } from "../../../../test/cases.ts";
import { withinCpuMs } from "../../../../test/cpu-time.ts";
import type { Tool } from "../schema/tool.ts";
import { ToolIndex } from "./tool-index.ts";

/** Far above what bounded work takes on a busy machine. */
const MAX_MS = 2000;

/** Few are long: one of them takes as long as hundreds of the others. */
const text = fc.oneof(
  { weight: 20, arbitrary: fc.string({ unit: "binary", maxLength: 60 }) },
  {
    weight: 20,
    arbitrary: fc.constantFrom(
      ...["__proto__", "constructor", "toString", "get a user", "İstanbul", "ﬀ", "\ud800"],
    ),
  },
  { weight: 1, arbitrary: fc.nat(20_000).map((length) => "aB".repeat(length)) },
  { weight: 1, arbitrary: fc.nat(20_000).map((length) => "s".repeat(length)) },
);
const tool = fc.record(
  {
    name: text,
    description: text,
    tags: fc.array(text, { maxLength: 3 }),
    toolsetSource: text,
    annotations: fc.record({ title: text, readOnlyHint: fc.boolean() }, { requiredKeys: [] }),
    inputSchema: fc.constantFrom(
      {},
      { properties: null },
      { properties: { __proto__: 1, a: true } },
      { properties: 5 },
    ),
  },
  { requiredKeys: ["name"] },
);

const cases = new Cases();

export default [
  {
    cases,
    name: "search: any tools and any query give every tool at most once, with a finite score, soon",
    property: fc.property(
      fc.array(tool, { maxLength: 20 }),
      fc.array(text, { minLength: 1, maxLength: 20 }),
      (tools, queries) => {
        const index = withinCpuMs(MAX_MS, () => new ToolIndex(tools as unknown as Tool[]));
        // Also by words of the tools themselves, and by both together.
        const own = tools
          .flatMap(({ name, description = "" }) => [name, description])
          .map((text) => text.slice(0, 40));
        const both = own.flatMap((words) => queries.map((query) => `${query.slice(0, 60)} ${words}`));
        for (const query of cases.of([...queries, ...own, ...both])) {
          const found = withinCpuMs(MAX_MS, () => index.search(query));
          if (new Set(found.map(({ index }) => index)).size !== found.length) throw new Error("a tool twice");
          for (const { index, score } of found) {
            if (!(index in tools)) throw new Error("an index of no tool");
            if (!Number.isFinite(score) || score <= 0) throw new Error(`the score ${score}`);
          }
          const scores = found.map(({ score }) => score);
          if (scores.some((score, index) => index > 0 && score > scores[index - 1]!))
            throw new Error("not in order");
        }
      },
    ),
  },
];
