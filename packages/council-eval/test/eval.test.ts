import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { chanceRight } from "@mci-ts/council";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { evaluate as runEval } from "../../council-server/src/command/eval.ts";
import { eventually } from "../../council-server/test/eventually.ts";
import { launch } from "../../council-server/test/process.ts";
import { type FakeProviderOptions, startFakeProvider } from "../../fake-provider/src/server.ts";
import { readQuestions } from "../src/questions/questions.ts";
import type { Summary } from "../src/statistics/summary.ts";
import type { Theory } from "../src/statistics/theory.ts";

const folder = temporaryFolder({}, afterAll);

async function evalWith(
  sim: FakeProviderOptions,
  file: string,
  ...more: (string | Record<string, string>)[]
) {
  const args = more.filter((one) => typeof one === "string");
  const settings = Object.assign({}, ...more.filter((one) => typeof one !== "string"));
  const provider = await startFakeProvider(sim);
  let printed = "";
  let progress = "";
  const env = { MAKER_API_URL: provider.url, MAKER_API_MODEL: "sim", ...settings };
  const passed = await runEval([file, ...args], env, {
    write: (text) => {
      printed += text;
    },
    progress: {
      write: (text) => {
        progress += text;
      },
      isTerminal: false,
    },
  });
  const { arrivals, peak_in_flight: peak } = provider.stats;
  const requests = provider.log.map(({ body }) => body);
  await provider.close();
  return { printed, progress, arrivals, peak, passed, requests };
}

const summaryIn = (out: string) =>
  JSON.parse(readFileSync(join(out, "summary.json"), "utf8")) as { summaries: Summary[]; theory: Theory[] };

const questionFile = (name: string, lines: readonly string[]) => {
  const file = join(folder, name);
  writeFileSync(file, lines.join("\n"));
  return file;
};

describe("mci-council eval [E-eval]", () => {
  it("fails below the share of right answers that --fail-under names, and says which method", async () => {
    const lines = ["yes", "no"].map((answer, i) => JSON.stringify({ prompt: `Is ${i} fine?`, answer }));
    const file = questionFile("under.jsonl", lines);
    const args = ["--out", join(folder, "under"), "--methods", "single"];
    const sim = { behaviour: { truth: "yes" } };
    const low = await evalWith(sim, file, ...args, "--fail-under", "0.8");
    expect(low.passed).toBe(false);
    expect(low.progress).toContain("Failed: single with sim is right in 0.500, below 0.8.");
    expect((await evalWith(sim, file, ...args, "--fail-under", "0.5")).passed).toBe(true);
    await expect(evalWith(sim, file, ...args, "--fail-under", "80")).rejects.toThrow(
      "must be a share from 0 to 1",
    );
  });

  const P = 0.8;
  const N = 40;

  it("recovers the accuracy of the simulated provider and the error rates that theory gives [E-theory] [E-time]", async () => {
    const lines = Array.from({ length: N }, (_, i) =>
      JSON.stringify({ prompt: `Is ${i} fine?`, answer: "yes" }),
    );
    const file = questionFile("truth.jsonl", lines);
    const out = join(folder, "truth");
    const sim = { behaviour: { accuracy: P, truth: "yes", wrong: ["no"], seed: 5 } };
    const args = ["--out", out, "--methods", "single,vote-3", "--concurrency", "16"];
    const { printed, progress } = await evalWith(sim, file, ...args);
    const { summaries, theory } = summaryIn(out);
    // Four standard deviations, or one question.
    const near = (share: number, count = N) => 4 * Math.sqrt((share * (1 - share)) / count) + 1 / N;
    const of = (name: string) => summaries.find(({ method }) => method === name)!;
    expect(Math.abs(of("single").accuracy - P)).toBeLessThan(near(P));
    const right = chanceRight(P, 3);
    expect(Math.abs(of("vote-3").accuracy - right)).toBeLessThan(near(right));
    expect(Math.abs(theory[0]!.p - P)).toBeLessThan(near(P, theory[0]!.votes));
    expect(of("single").calls).toBe(1);
    expect(progress).toContain(`${4 * N} to about`);
    expect(progress).toContain(`${2 * N}/${2 * N}`);
    expect(progress).toMatch(/Time about \d+ s \(assumed: 2\.0 s for a call, 16 at a time\)/);
    expect(progress).toMatch(/Time left about \d+ s \(measured: /);
    expect(printed).toContain("vote-3 with single");
    expect(printed).toContain("exact McNemar");
    expect(printed).toMatch(/vote-3 +sim +40 +\d/);
    expect(printed).toContain("one vote is right with p = 0.");
    expect(printed).toMatch(
      /two votes on one question depend on each other by 0\.\d\d .* \(40 questions\)\.\n/,
    );
  });

  it("asks no more questions at a time than it may [E-concurrency]", async () => {
    const file = questionFile(
      "few.jsonl",
      [1, 2, 3, 4, 5, 6].map((n) => JSON.stringify({ prompt: `Is ${n} fine?`, answer: "yes" })),
    );
    const args = ["--out", join(folder, "few"), "--methods", "single", "--concurrency", "2"];
    const { peak } = await evalWith({ behaviour: { latency: { median_ms: 20 } } }, file, ...args);
    expect(peak).toBe(2);
  });

  it("puts its questions as the settings of the service say [E-eval]", async () => {
    const file = questionFile("short.jsonl", ['{"prompt": "Is it fine?", "answer": "yes"}']);
    const ask = async (name: string, settings: Record<string, string>) => {
      const args = ["--out", join(folder, name), "--methods", "single"];
      const { requests } = await evalWith({ recordBodies: true }, file, ...args, settings);
      return JSON.stringify(requests);
    };
    const ofSmallModels = "Answer in a sentence, then in a few words.";
    expect(await ask("compact", { MCI_PROMPTS: "compact" })).toContain(ofSmallModels);
    expect(await ask("full", {})).not.toContain(ofSmallModels);
  });

  it("survives kill -9: what is on disk is not asked again [E-resume]", async () => {
    const provider = await startFakeProvider({ behaviour: { latency: { median_ms: 40 } } });
    onTestFinished(() => provider.close());
    const lines = Array.from({ length: 12 }, (_, i) =>
      JSON.stringify({ prompt: `Is ${i} fine?`, answer: "yes" }),
    );
    const out = join(folder, "killed");
    const file = questionFile("killed.jsonl", lines);
    const args = ["eval", file, "--out", out, "--methods", "single", "--concurrency", "2"];
    const env = { MAKER_API_URL: provider.url, MAKER_API_MODEL: "sim" };
    const first = launch(env, args);
    const results = () => readFileSync(join(out, "results.jsonl"), "utf8").split("\n").length - 1;
    await eventually(() => existsSync(join(out, "results.jsonl")) && results()).toBeGreaterThan(2);
    first.child.kill("SIGKILL");
    await first.exited;
    const done = results();
    const second = launch(env, args);
    expect(await second.exited, second.output()).toBe(0);
    expect(results()).toBe(12);
    expect(done).toBeLessThan(12);
    // Two questions were in flight at most.
    expect(provider.stats.arrivals).toBeLessThanOrEqual(14);
    expect(summaryIn(out).summaries).toMatchObject([{ questions: 12, accuracy: 1 }]);
  });

  it("asks again what failed, and what has changed", async () => {
    const file = questionFile("again.jsonl", [JSON.stringify({ id: "a", prompt: "Is it?", answer: "yes" })]);
    const args = ["--out", join(folder, "again"), "--methods", "single"];
    const failing = await evalWith({ rules: [{ reply: { kind: "status", status: 401 } }] }, file, ...args);
    expect(failing.printed).toContain("1 (1 failed)");
    expect((await evalWith({}, file, ...args)).arrivals).toBe(1);
    expect((await evalWith({}, file, ...args)).arrivals).toBe(0);
    questionFile("again.jsonl", [JSON.stringify({ id: "a", prompt: "Is it not?", answer: "yes" })]);
    expect((await evalWith({}, file, ...args)).arrivals).toBe(1);
  });

  it("--dry-run says what it would cost and asks nothing", async () => {
    const prices = join(folder, "prices.json");
    writeFileSync(prices, JSON.stringify({ sim: { input: 1, output: 2 } }));
    const { progress, arrivals } = await evalWith({}, "--sample", { MCI_PRICES: prices }, "--dry-run");
    expect(progress).toMatch(
      /20 questions, 5 methods, 1 models: 370 to about \d+ model calls, about \$0\.\d+ to \$0\.\d+/,
    );
    expect(arrivals).toBe(0);
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
    for (const title of ["Accuracy with 95 % intervals", "Calls per question", "Seconds per question"])
      expect(report).toContain(`aria-label="${title}"`);
    expect(report).toContain('aria-label="Reliability diagram of council, sim"');
    expect(report).toContain("2 of 2 wrong");
    expect(report).toContain("Expected: fine");
  });

  it("objects are compared by their schema, rubrics by a model", async () => {
    const schema = { type: "object", properties: { n: { type: "integer" } }, required: ["n"] };
    const file = questionFile("kinds.jsonl", [
      JSON.stringify({ id: "object", prompt: "How many?", schema, answer: { n: 1 } }),
      JSON.stringify({ id: "rubric", prompt: "Why?", rubric: "Says yes." }),
    ]);
    const out = join(folder, "kinds");
    await evalWith({}, file, "--out", out, "--methods", "single");
    const [summary] = summaryIn(out).summaries;
    // Two answers and one verdict: the calls of the grader are counted.
    expect(summary).toMatchObject({ accuracy: 1, calls: 1.5, grading_calls: 0.5 });
  });

  it("--judge-only asks the judge and answers no question; again, it asks nothing [E-judge]", async () => {
    const labels = [
      { answer: "Air scatters blue light.", correct: true },
      { answer: "Paint.", correct: false },
    ];
    const line = { prompt: "Why is the sky blue?", rubric: "Names scattering." };
    const file = questionFile("labels.jsonl", [JSON.stringify({ ...line, labels })]);
    const out = join(folder, "labels");
    const args = ["--out", out, "--judge-only", "--attack-judge"];
    const first = await evalWith({}, file, ...args);
    expect(first.arrivals).toBe(2);
    expect(first.printed).toContain("The judge sim agrees with people on 50.0 % of 2 answers");
    expect(first.printed).not.toContain("accuracy");
    expect(readFileSync(join(out, "judgements.jsonl"), "utf8").trim().split("\n").length).toBe(2);
    expect(readFileSync(join(out, "report.html"), "utf8")).toContain("The judge sim agrees");
    const second = await evalWith({}, file, ...args);
    expect(second.arrivals).toBe(0);
    expect(second.printed).toBe(first.printed);

    const without = questionFile("no-labels.jsonl", [JSON.stringify(line)]);
    await expect(evalWith({}, without, "--judge-only")).rejects.toThrow("no question has labels");
  });

  it.each<[string[], string]>([
    [["--models", ""], "--models names nothing"],
    [["--models", ",a"], '--models has an empty name, a comma too many: ",a"'],
    [["--models", "a, a"], '--models names "a" twice'],
    [["--methods", ""], "--methods names nothing"],
    [["--methods", "single,single"], '--methods names "single" twice'],
    [["--variant", 'single=vote-3 {"k": 2}'], '"single" is the name of another method'],
    [["--variant", "a=vote-3 {}", "--variant", "a=vote-5 {}"], '"a" is the name of another method'],
    [["--runs", ""], '--runs must be a whole number from 1 to 100; it is ""'],
    [["--runs", "0x2"], "--runs must be a whole number"],
    [["--concurrency", "1e2"], "--concurrency must be a whole number"],
    [["--limit=-1"], "--limit must be a whole number from 1 to 1000000000"],
    [["--fail-under", ""], "--fail-under must be a share from 0 to 1"],
    [["--fail-under", "NaN"], "--fail-under must be a share from 0 to 1"],
    [["--out", ""], "--out must name a folder"],
    [["--attack-judge"], "--attack-judge: no question has labels"],
    [["--judge-only", "--fail-under", "0.9"], "--fail-under says how questions are answered"],
    [["--judge-only", "--methods", "single"], "--methods says how questions are answered"],
  ])("refuses %o before a call", async (args, message) => {
    const file = questionFile("refused.jsonl", ['{"prompt": "Is it?", "answer": "yes"}']);
    await expect(evalWith({}, file, "--dry-run", ...args)).rejects.toThrow(message);
  });

  it("a folder that cannot be made, and runs that all fail, do not pass", async () => {
    const file = questionFile("all-fail.jsonl", ['{"prompt": "Is it?", "answer": "yes"}']);
    await expect(evalWith({}, file, "--out", join(file, "out"))).rejects.toThrow("cannot be made a folder");
    const args = ["--out", join(folder, "all-fail"), "--methods", "single"];
    const failed = await evalWith({ rules: [{ reply: { kind: "status", status: 401 } }] }, file, ...args);
    expect(failed.passed).toBe(false);
    expect(failed.progress).toContain("Failed: no run brought an answer");
  });

  it("names and reasons that are not ours do not steer the terminal", async () => {
    const file = questionFile("steer.jsonl", ['{"prompt": "Is it?", "answer": "yes"}']);
    const args = ["--out", join(folder, "steer"), "--methods", "single", "--models", "a\x1b[2J\u202eb"];
    const { printed, progress } = await evalWith({}, file, ...args, "--fail-under", "1");
    for (const text of [printed, progress])
      for (const steering of ["\x1b", "\u202e"]) expect(text).not.toContain(steering);
    expect(printed).toContain("a\\u001b[2J\\u202eb");
  });

  it("a variant with other settings under the same name is asked again", async () => {
    const file = questionFile("settings.jsonl", ['{"prompt": "Is it?", "answer": "yes"}']);
    const args = ["--out", join(folder, "settings"), "--methods", "", "--variant"];
    const arrivals = async (variant: string) => (await evalWith({}, file, ...args, variant)).arrivals;
    expect(await arrivals('a=vote-3 {"k": 2}')).toBe(2);
    expect(await arrivals('a=vote-3 {"k": 2}')).toBe(0);
    expect(await arrivals('a=vote-3 {"k": 4}')).toBe(4);
  });

  it("mistakes are reported with their lines, before any call", async () => {
    const file = questionFile("bad.jsonl", ['{"prompt": "x"}', "{", '{"prompt": "y", "anwser": "z"}']);
    expect(() => readQuestions(file)).toThrow(
      /bad\.jsonl:1: .*rubric[\s\S]*bad\.jsonl:2:[\s\S]*bad\.jsonl:3: anwser is not a field/,
    );
    await expect(evalWith({}, file, "--methods", "guess")).rejects.toThrow(
      '"guess" is not one of plain, single, self-consistency-N, vote-K',
    );
  });
});
