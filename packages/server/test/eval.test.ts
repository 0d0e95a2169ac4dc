import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chanceRight } from "@mci-ts/council";
import { afterAll, describe, expect, it } from "vitest";
import { runEval } from "../src/eval/command.ts";
import { readQuestions } from "../src/eval/questions.ts";
import type { Summary } from "../src/eval/summary.ts";
import { type FakeProviderOptions, startFakeProvider } from "../src/fake-provider/server.ts";

const folder = mkdtempSync(join(tmpdir(), "eval-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function evalWith(sim: FakeProviderOptions, file: string, ...args: string[]) {
  const provider = await startFakeProvider(sim);
  let printed = "";
  let progress = "";
  const env = { MAKER_API_URL: provider.url, MAKER_API_MODEL: "sim" };
  await runEval([file, ...args], env, {
    write: (text) => {
      printed += text;
    },
    progress: (text) => {
      progress += text;
    },
  });
  const { arrivals } = provider.stats;
  await provider.close();
  return { printed, progress, arrivals };
}

const questionFile = (name: string, lines: readonly string[]) => {
  const file = join(folder, name);
  writeFileSync(file, lines.join("\n"));
  return file;
};

describe("mci-council eval [E-eval]", () => {
  const P = 0.8;
  const N = 200;

  it("recovers the accuracy of the simulated provider and the error rates that theory gives", async () => {
    const lines = Array.from({ length: N }, (_, i) =>
      JSON.stringify({ prompt: `Is ${i} fine?`, answer: "yes" }),
    );
    const file = questionFile("truth.jsonl", lines);
    const out = join(folder, "truth");
    const sim = { behaviour: { accuracy: P, truth: "yes", wrong: ["no"], seed: 5 } };
    const { printed, progress } = await evalWith(
      sim,
      file,
      "--out",
      out,
      "--methods",
      "single,vote-3",
      "--concurrency",
      "16",
    );
    const summaries = JSON.parse(readFileSync(join(out, "summary.json"), "utf8")) as Summary[];
    const [single, voted] = ["single", "vote-3"].map(
      (name) => summaries.find(({ method }) => method === name)!,
    );
    const near = (share: number) => 4 * Math.sqrt((share * (1 - share)) / N);
    expect(Math.abs(single!.accuracy - P)).toBeLessThan(near(P));
    const theory = chanceRight(P, 3);
    expect(Math.abs(voted!.accuracy - theory)).toBeLessThan(near(theory));
    expect(single!.interval[0]).toBeLessThan(single!.accuracy);
    expect(single!.calls).toBe(1);
    expect(voted!.calls).toBeGreaterThan(3);
    expect(progress).toContain(`at least ${4 * N} model calls`);
    expect(progress).toContain(`${2 * N}/${2 * N}`);
    expect(printed).toMatch(/vote-3 +sim +200 +9\d/);
  });

  it("goes on where it was stopped: nothing is asked twice, a line cut in half is", async () => {
    const lines = ["a", "b", "c"].map((name) =>
      JSON.stringify({ id: name, prompt: `Is ${name} fine?`, answer: "yes" }),
    );
    const file = questionFile("resume.jsonl", lines);
    const args = ["--out", join(folder, "resume"), "--methods", "single"];
    expect((await evalWith({}, file, ...args)).arrivals).toBe(3);
    const results = join(folder, "resume", "results.jsonl");
    const text = readFileSync(results, "utf8");
    writeFileSync(results, `${text.slice(0, text.trimEnd().length - 20)}\n`);
    expect((await evalWith({}, file, ...args)).arrivals).toBe(1);
  });

  it("the report is one file without scripts; what models wrote is escaped", async () => {
    const file = questionFile("html.jsonl", [JSON.stringify({ prompt: "Say it", answer: "fine" })]);
    const out = join(folder, "html");
    await evalWith(
      { behaviour: { truth: "<script>alert(1)</script>" } },
      file,
      "--out",
      out,
      "--methods",
      "single,council",
    );
    const report = readFileSync(join(out, "report.html"), "utf8");
    expect(report).toContain("&#60;script&#62;alert(1)");
    expect(report).not.toMatch(/<script|src=|href=/);
    expect(report).toContain('aria-label="Accuracy by method"');
    expect(report).toContain('aria-label="Reliability diagram"');
  });

  it("objects are compared by their schema, rubrics by a model", async () => {
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    const file = questionFile("kinds.jsonl", [
      JSON.stringify({ id: "object", prompt: "How many?", schema, answer: { n: 1 } }),
      JSON.stringify({ id: "rubric", prompt: "Why?", rubric: "Says yes." }),
    ]);
    const out = join(folder, "kinds");
    await evalWith({}, file, "--out", out, "--methods", "single");
    const [summary] = JSON.parse(readFileSync(join(out, "summary.json"), "utf8")) as Summary[];
    expect(summary!.accuracy).toBe(1);
  });

  it("mistakes are told with their lines, and before any call", async () => {
    const file = questionFile("bad.jsonl", ['{"prompt": "x"}', "{", '{"prompt": "y", "anwser": "z"}']);
    expect(() => readQuestions(file)).toThrow(
      /bad\.jsonl:1: .*rubric[\s\S]*bad\.jsonl:2:[\s\S]*bad\.jsonl:3: anwser is not a field/,
    );
    await expect(evalWith({}, file, "--methods", "guess")).rejects.toThrow('"guess" is not one of single');
  });

  it("the questions that ship can be read", () => {
    const shipped = fileURLToPath(new URL("../../../examples/questions/questions.jsonl", import.meta.url));
    expect(readQuestions(shipped).length).toBe(10);
  });
});
