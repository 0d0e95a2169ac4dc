import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Model } from "@mci-ts/council";
import { expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { withHash } from "../questions/questions.ts";
import { describeJudge } from "../report/table.ts";
import { ATTACKS, measureJudge } from "./judge.ts";
import { JudgementsFile } from "./judgements-file.ts";

/** Finds an answer right that mentions the sky, and believes whoever says that a verdict is true. */
const credulous: Model = {
  async complete({ messages }) {
    const text = messages.map(({ content }) => content).join("\n");
    const right = /scatter/.test(text.split("answer").slice(1).join("")) || /verdict is right/.test(text);
    const object = { rationale: "", answer: { verdict: right ? "right" : "wrong" } };
    const usage = { inputTokens: 1, outputTokens: 1 };
    return { text: JSON.stringify(object), object, finishReason: "stop", usage, latencyMs: 1 };
  },
};

const question = withHash({
  id: "sky",
  prompt: "Why is the sky blue?",
  rubric: "Names the physical reason.",
  labels: [
    { answer: "Air scatters blue light more than red.", correct: true },
    { answer: "Because of Rayleigh.", correct: true },
    { answer: "Paint.", correct: false },
    { answer: "It reflects the sea.", correct: false },
  ],
});

it("the judge is measured against people, and against answers that give it orders [E-judge]", async () => {
  const report = await measureJudge(
    [question],
    "m",
    { concurrency: 2, attack: true },
    { model: () => credulous, models: { voter: "m" }, price: () => 0.01 },
  );
  expect(report).toMatchObject({
    ...{ labels: 4, failed: 0, agreement: 0.75, kappa: 0.5 },
    false_accepts: { count: 0, of: 2 },
    false_rejects: { count: 1, of: 2 },
  });
  expect(report.calls).toBe(4 + 2 * ATTACKS.length);
  expect(report.cost_usd).toBeCloseTo(report.calls * 0.01);
  const succeeded = report.attacks!.filter(({ succeeded: { count } }) => count > 0);
  expect(succeeded).toEqual([{ attack: "order", succeeded: { count: 2, of: 2 } }]);
  expect(report.attacks!.length).toBe(ATTACKS.length);
});

it("a judge that finds everything right is not a judge, and the report says so [E-judge]", async () => {
  const object = { rationale: "", answer: { verdict: "right" } };
  const usage = { inputTokens: 1, outputTokens: 1 };
  const kind: Model = {
    async complete() {
      return { text: JSON.stringify(object), object, finishReason: "stop", usage, latencyMs: 1 };
    },
  };
  const options = { model: () => kind, models: { voter: "m" } };
  const report = await measureJudge([question], "m", { concurrency: 4, attack: true }, options);
  expect(report).toMatchObject({ agreement: 0.5, kappa: 0, false_accepts: { count: 2, of: 2 } });
  expect(report.attacks!.every(({ succeeded }) => succeeded.of === 0)).toBe(true);
  expect(describeJudge(report)).toContain("hardly better than chance");
  expect(describeJudge({ ...report, kappa: 0.5 })).not.toContain("chance");
});

it("a judge that gives no verdict is said to have failed, and its answers are left out", async () => {
  const broken: Model = { complete: () => Promise.reject(new Error("down")) };
  const options = { model: () => broken, models: { voter: "m" }, budget: { deadline_ms: 50 } };
  const report = await measureJudge([question], "m", { concurrency: 4, attack: false }, options);
  expect(report).toMatchObject({ labels: 4, failed: 4, agreement: 0 });
  expect(report.attacks).toBeUndefined();
});

it("an attack without a verdict counts for nothing", async () => {
  const silent: Model = {
    complete: (request, signal) =>
      /rubric has changed/.test(JSON.stringify(request.messages))
        ? Promise.reject(new Error("down"))
        : credulous.complete(request, signal),
  };
  const options = { model: () => silent, models: { voter: "m" }, budget: { deadline_ms: 50 } };
  const report = await measureJudge([question], "m", { concurrency: 4, attack: true }, options);
  expect(report.attacks!.find(({ attack }) => attack === "end of the material")!.succeeded.of).toBe(0);
  expect(report.attacks!.find(({ attack }) => attack === "plea")!.succeeded.of).toBe(2);
});

it("judgements stay: those that a file has are not asked for again, and a cut line is [E-resume]", async () => {
  const path = join(temporaryFolder(), "judgements.jsonl");
  const measure = (model: Model) =>
    measureJudge(
      [question],
      "m",
      { concurrency: 2, attack: true, judgements: new JudgementsFile(path) },
      { model: () => model, models: { voter: "m" } },
    );
  const whole = await measure(credulous);
  const lines = readFileSync(path, "utf8").trim().split("\n");
  expect(lines.length).toBe(whole.calls);
  let asked = 0;
  const counting: Model = {
    complete(request, signal) {
      asked++;
      return credulous.complete(request, signal);
    },
  };
  // Killed while it wrote the last line.
  writeFileSync(path, `${lines.slice(0, -1).join("\n")}\n${lines.at(-1)!.slice(0, 20)}`);
  expect(await measure(counting)).toEqual(whole);
  expect(asked).toBe(1);
});

it("prompts about one question begin alike, so that a server reads it once; another question has another mark", async () => {
  const seen: string[] = [];
  const watching: Model = {
    complete(request, signal) {
      seen.push(request.messages.map(({ content }) => content).join("\n"));
      return credulous.complete(request, signal);
    },
  };
  const { rubric } = question;
  const other = withHash({ id: "sea", prompt: question.prompt, rubric, labels: question.labels });
  const options = { model: () => watching, models: { voter: "m" } };
  await measureJudge([question, other], "m", { concurrency: 1, attack: false }, options);
  const beginnings = seen.map((text) => text.slice(0, text.indexOf("context answer")));
  expect(beginnings[0]).toContain("<<< context question");
  expect(new Set(beginnings.slice(0, 4)).size).toBe(1);
  expect(new Set(beginnings).size).toBe(2);
});
