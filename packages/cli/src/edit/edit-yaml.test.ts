import { expect, test } from "vitest";
import { parse } from "yaml";
import { addToYaml } from "./edit-yaml.ts";
import type { ToolsetReference } from "./reference.ts";

const only = { type: "only", value: "a,b" };

const cases: readonly [title: string, before: string, reference: ToolsetReference, after: string][] = [
  [
    "appends to a list and keeps comments, quotes, alignment and blank lines",
    "# top\nschemaVersion:   '1.0'   # version\n\ntoolsets:\n  # the first\n  - a   # is a\n\n# after\ntools: []\n",
    { name: "b" },
    "# top\nschemaVersion:   '1.0'   # version\n\ntoolsets:\n  # the first\n  - a   # is a\n  - b\n\n# after\ntools: []\n",
  ],
  [
    "appends to a list that is not indented",
    "toolsets:\n- a\nx: é\n",
    { name: "b" },
    "toolsets:\n- a\n- b\nx: é\n",
  ],
  [
    "appends after an item of several lines",
    "toolsets:\n    - name: a\n      filter: only # these\n      filterValue: x\nx: 1\n",
    { name: "b", filter: only },
    "toolsets:\n    - name: a\n      filter: only # these\n      filterValue: x\n    - name: b\n      filter: only\n      filterValue: a,b\nx: 1\n",
  ],
  ["appends inside brackets", "toolsets: [a, 'x'] # two\n", { name: "b" }, "toolsets: [a, 'x', b] # two\n"],
  [
    "fills empty brackets",
    "toolsets: []\nx: 1\n",
    { name: "b", filter: only },
    'toolsets: [{ name: b, filter: only, filterValue: "a,b" }]\nx: 1\n',
  ],
  [
    "fills a list that is not there yet",
    "toolsets: # none\nx: 1\n",
    { name: "b" },
    "toolsets: # none\n  - b\nx: 1\n",
  ],
  [
    "puts a list in the place of null",
    "toolsets: null # none\nx: 1\n",
    { name: "b" },
    "toolsets: # none\n  - b\nx: 1\n",
  ],
  [
    "puts a list in the place of a tilde at the end",
    "x: 1\ntoolsets: ~",
    { name: "b" },
    "x: 1\ntoolsets:\n  - b",
  ],
  [
    "creates the list at the end",
    "x: 1 # one\n# last",
    { name: "b" },
    "x: 1 # one\n# last\ntoolsets:\n  - b\n",
  ],
  [
    "keeps Windows line ends",
    "toolsets:\r\n  - a\r\nx: 1\r\n",
    { name: "b" },
    "toolsets:\r\n  - a\r\n  - b\r\nx: 1\r\n",
  ],
  [
    "adding a name again without a filter keeps the filter it has",
    "toolsets:\n  - name: b\n    filter: only\n    filterValue: x\n",
    { name: "b" },
    "toolsets:\n  - name: b\n    filter: only\n    filterValue: x\n",
  ],
  [
    "a new filter replaces the old one, and comments stay",
    "toolsets:\n  - name: b # mine\n    filter: tags # by tag\n    filterValue: x\n  - c\n",
    { name: "b", filter: only, prefix: "p_" },
    "toolsets:\n  - name: b # mine\n    filter: only # by tag\n    filterValue: a,b\n    prefix: p_\n  - c\n",
  ],
  [
    "a bare name becomes a mapping when there is more to say",
    "toolsets:\n  - a # bare\n  - c\n",
    { name: "a", prefix: "p_" },
    "toolsets:\n  - name: a\n    prefix: p_ # bare\n  - c\n",
  ],
  [
    "a mapping in braces stays in braces",
    "toolsets: [{ name: a }]\n",
    { name: "a", prefix: "p" },
    "toolsets: [{ name: a, prefix: p }]\n",
  ],
];

test.each(cases)("%s", (_, before, reference, after) => {
  expect(addToYaml(before, reference)).toBe(after);
});

const awkward: readonly [title: string, before: string][] = [
  ["a document in braces", '{ schemaVersion: "1.0" } # c\n'],
  ["a document with an end marker", "schemaVersion: '1.0'\n...\n"],
  ["an item that is a block scalar", "schemaVersion: '1.0'\ntoolsets:\n  - |-\n    a\n"],
  ["an indented document", "  schemaVersion: '1.0'\n"],
  ["an anchor on the list", "schemaVersion: '1.0'\ntoolsets: &l\n  - a\n"],
  ["a list after an explicit key", "? schemaVersion\n: '1.0'\n? toolsets\n:\n  - a\n"],
];

test.each(awkward)("%s is edited too, if necessary by printing the whole document again", (_, before) => {
  const { toolsets = [], ...rest } = parse(before);
  expect(parse(addToYaml(before, { name: "new", filter: only }))).toEqual({
    ...rest,
    toolsets: [...toolsets, { name: "new", filter: "only", filterValue: "a,b" }],
  });
});

test("names that look like something else are quoted", () => {
  for (const name of ["1.0", "true", "a: b", "- x", "#no"]) {
    expect(parse(addToYaml("toolsets: []\n", { name })).toolsets).toEqual([name]);
    expect(parse(addToYaml("toolsets:\n  - a\n", { name })).toolsets).toEqual(["a", name]);
  }
});

test("malformed YAML and a list that is not one are refused", () => {
  expect(() => addToYaml("a: [", { name: "a" })).toThrow(/not well-formed YAML/);
  expect(() => addToYaml("- a", { name: "a" })).toThrow(/not a YAML mapping/);
  expect(() => addToYaml("toolsets: a", { name: "b" })).toThrow(/not a list/);
});
