import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { startService } from "./servers.ts";

const QUESTIONS = [
  { id: "capital", prompt: "What is the capital of Australia?", answer: "Canberra", wrong: "Sydney" },
  { id: "legs", prompt: "How many legs does a spider have?", answer: "8", wrong: "6" },
  { id: "product", prompt: "What is 17 * 23? Answer with the number only.", answer: "391", wrong: "381" },
  {
    id: "tomato",
    prompt: "Is a tomato a fruit or a vegetable, in botany?",
    answer: "fruit",
    wrong: "vegetable",
  },
  { id: "planet", prompt: "Which planet has the most moons?", answer: "Saturn", wrong: "Jupiter" },
  { id: "metal", prompt: "Which metal is liquid at room temperature?", answer: "mercury", wrong: "gallium" },
];

/** What the models of the demonstration say. Scripted: it shows what a matrix looks like, not what models answer. */
const RULES = QUESTIONS.flatMap(({ prompt, answer, wrong }, index) => [
  // The small model errs for good on one question, and now and then on others.
  ...(index === 4
    ? [{ contains: prompt, model: "small-model", reply: { kind: "answer" as const, answer: wrong } }]
    : []),
  ...(index % 2 === 0
    ? [
        {
          contains: prompt,
          model: "small-model",
          times: 1,
          delay_ms: 0,
          reply: { kind: "answer" as const, answer: wrong },
        },
      ]
    : []),
  { contains: prompt, reply: { kind: "answer" as const, answer } },
]);

/** A service with prices, on whose page an evaluation of three configurations has run. */
export async function startMatrix(page: Page): Promise<{ url: string }> {
  const dir = mkdtempSync(join(tmpdir(), "console-matrix-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const prices = join(dir, "prices.json");
  writeFileSync(
    prices,
    JSON.stringify({ "small-model": { input: 0.1, output: 0.4 }, "large-model": { input: 2.5, output: 10 } }),
  );
  const { url } = await startService({ MCI_PRICES: prices, MAKER_API_MODEL: "small-model" }, {
    rules: RULES,
    behaviour: { latency: { median_ms: 30, sigma: 0.4 } },
  } as never);
  await page.goto(`${url}/#/evaluate`);
  await page.getByRole("button", { name: "New evaluation" }).click();
  await page.getByLabel("Name of the evaluation").fill("Small facts");
  const lines = QUESTIONS.map(({ wrong: _, ...line }) => JSON.stringify(line));
  await page.getByRole("textbox", { name: "Questions", exact: true }).fill(lines.join("\n"));
  await page.getByRole("button", { name: "Copy 1" }).click();
  await page.getByRole("group", { name: /^2\./ }).getByLabel("Model").fill("large-model");
  return { url };
}

/** Asks its questions, and waits for the answers. */
export async function runMatrix(page: Page): Promise<void> {
  // Of both models, also of the one that the settings do not name.
  await page.getByText(/^30 to about \d+ model calls, about \$0\.\d+ to \$0\.\d+/).waitFor();
  await page.getByRole("button", { name: /^Start: / }).click();
  await page.getByRole("button", { name: "Ask them" }).click();
  await expect.poll(() => page.locator(".run-counts").innerText(), { timeout: 60_000 }).toMatch(/^18 of 18/);
}
