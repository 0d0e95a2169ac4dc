import { expect, test } from "vitest";
import { addToJson } from "./edit-json.ts";
import type { ToolsetReference } from "./reference.ts";

const only = { type: "only", value: "a,b" };

const cases: readonly [title: string, before: string, reference: ToolsetReference, after: string][] = [
  [
    "appends to a list, in the file's own indentation",
    '{\n    "toolsets": [\n        "a"\n    ],\n    "x": "é"\n}\n',
    { name: "b" },
    '{\n    "toolsets": [\n        "a",\n        "b"\n    ],\n    "x": "é"\n}\n',
  ],
  ["fills an empty list", '{\n  "toolsets": []\n}\n', { name: "b" }, '{\n  "toolsets": [\n    "b"\n  ]\n}\n'],
  [
    "creates the list after what is there",
    '{\n  "schemaVersion": "1.0"\n}\n',
    { name: "b", filter: only },
    '{\n  "schemaVersion": "1.0",\n  "toolsets": [\n    {\n      "name": "b",\n      "filter": "only",\n      "filterValue": "a,b"\n    }\n  ]\n}\n',
  ],
  [
    "puts a list in the place of null",
    '{\n  "toolsets": null,\n  "tools": []\n}\n',
    { name: "b" },
    '{\n  "toolsets": [\n    "b"\n  ],\n  "tools": []\n}\n',
  ],
  [
    "keeps tabs, Windows line ends, comments and odd spacing elsewhere",
    '{\r\n\t"metadata": {"name":   "ü"}, // note\r\n\t"toolsets": [\r\n\t\t"a"\r\n\t]\r\n}\r\n',
    { name: "b" },
    '{\r\n\t"metadata": {"name":   "ü"}, // note\r\n\t"toolsets": [\r\n\t\t"a",\r\n\t\t"b"\r\n\t]\r\n}\r\n',
  ],
  [
    "adding a name again without a filter keeps the filter it has",
    '{\n  "toolsets": [{ "name": "b", "filter": "only", "filterValue": "x" }]\n}\n',
    { name: "b" },
    '{\n  "toolsets": [{ "name": "b", "filter": "only", "filterValue": "x" }]\n}\n',
  ],
  [
    "adding a bare name again changes nothing",
    '{ "toolsets": ["b"] }',
    { name: "b" },
    '{ "toolsets": ["b"] }',
  ],
  [
    "a new filter replaces the old one, and other keys stay",
    '{\n  "toolsets": [\n    { "name": "b", "prefix": "p_", "filter": "tags", "filterValue": "x" }\n  ]\n}\n',
    { name: "b", filter: only },
    '{\n  "toolsets": [\n    { "name": "b", "prefix": "p_", "filter": "only", "filterValue": "a,b" }\n  ]\n}\n',
  ],
];

test.each(cases)("%s", (_, before, reference, after) => {
  expect(addToJson(before, reference)).toBe(after);
});

test("a bare name becomes an object when there is more to say", () => {
  const after = addToJson('{\n  "toolsets": [\n    "a",\n    "b"\n  ]\n}\n', { name: "a", prefix: "p_" });
  expect(JSON.parse(after)).toEqual({ toolsets: [{ name: "a", prefix: "p_" }, "b"] });
});

test("malformed JSON and a list that is not one are refused", () => {
  expect(() => addToJson('{ "toolsets": [', { name: "a" })).toThrow(/not well-formed JSON/);
  expect(() => addToJson("[]", { name: "a" })).toThrow(/not well-formed JSON/);
  expect(() => addToJson('{ "toolsets": "a" }', { name: "b" })).toThrow(/not a list/);
});
