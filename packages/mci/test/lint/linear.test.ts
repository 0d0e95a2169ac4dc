import { explainUnusable, isNeverUsable } from "@mci-ts/primitives/linear-pattern";
import { expect, test } from "vitest";
import { cpuMs } from "../../../../test/cpu-time.ts";
import { commandLineWarnings } from "../../src/lint/rules/command-line.ts";
import { credentialLeak } from "../../src/lint/rules/credential-leak.ts";
import { analyzeTemplate } from "../../src/lint/template-use.ts";
import { templateWarnings } from "../../src/lint/template-warnings.ts";
import { parseSource } from "../../src/load/parse/parse.ts";
import { validateDocument } from "../../src/load/validate/document.ts";
import { splitArguments } from "../../src/load/validate/split-command-line.ts";

const LONG = 50_000;
/** Quadratic work on this length takes longer, linear work less than a third. */
const MAX_MS = 500;
const UNITS = [
  "{{",
  "{",
  "@{{ ",
  "|",
  "{{a}}",
  "[",
  "(?<=",
  "\\1",
  " ",
  "_",
  "'",
  '"',
  "{!!",
  "1",
  ",1.0",
  "- ",
];

const load = async (text: string, format: "json" | "yaml") => {
  const parsed = await parseSource({ file: "x", path: "/x", format, text });
  return validateDocument(parsed, { unknownKeys: "warn" });
};
const documentWith = (pattern: string) =>
  JSON.stringify({
    schemaVersion: "1.0",
    tools: [
      {
        name: "t",
        inputSchema: { properties: { a: { pattern } } },
        execution: { type: "cli", command: pattern, args: pattern, flags: { "--x": pattern } },
      },
    ],
  });

const READERS: Readonly<Record<string, (text: string) => unknown>> = {
  commandLineWarnings: (text) => commandLineWarnings(`a ${text}`, []),
  splitArguments,
  credentialLeak: (text) =>
    credentialLeak({ type: "http", url: text, headers: { a: "{{env.A}}" } }, [], undefined),
  templateWarnings: (text) => templateWarnings(text, "template", {}),
  analyzeTemplate: (text) =>
    analyzeTemplate({ source: text, language: "text", consumer: { usedBy: "main" }, locationOf: () => ({}) }),
  isNeverUsable,
  explainUnusable,
  "a JSON document": (text) => load(documentWith(text), "json"),
  "a JSON text": (text) => load(`{"a": ${text}`, "json"),
  "a YAML text": (text) => load(`a: ${text.slice(0, 10_000)}`, "yaml"),
};

test.each(Object.keys(READERS).flatMap((name) => UNITS.map((unit) => [name, unit] as const)))(
  "[I-linear] %s reads %j again and again in linear time",
  async (name, unit) => {
    const text = `${unit.repeat(Math.ceil(LONG / unit.length))}x`;
    const start = cpuMs();
    await Promise.resolve(text)
      .then(READERS[name]!)
      .catch(() => undefined);
    expect(cpuMs() - start).toBeLessThan(MAX_MS);
  },
);
