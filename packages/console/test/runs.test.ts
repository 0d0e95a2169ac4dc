import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { openDatabase } from "../../council-server/src/store/database.ts";
import { takeAgentPictures } from "./support/agent-pictures.ts";
import {
  LAYOUT_RULES,
  openPage,
  overflowsSideways,
  PICTURES,
  picture,
  violations,
} from "./support/browser.ts";
import { ask } from "./support/demo.ts";
import { startService } from "./support/servers.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 90_000 });

const HOSTILE = '</script><script>window.hacked=1</script><img src=x onerror="window.hacked=1">';
const BCRYPT = `Is it safe to store passwords with bcrypt? ${HOSTILE}`;
const text = (value: object) => ({ kind: "text" as const, text: JSON.stringify(value) });
const vote = (answer: string) => ({ ...text({ rationale: `Because of ${answer}. ${HOSTILE}`, answer }) });

/** A history with a run that its process did not survive. */
function fillInterrupted(dir: string): void {
  const db = openDatabase({ dir, maxMegabytes: 100 }, "filler");
  const now = Date.now() - 60_000;
  const events = [
    { type: "run.started", prompt_chars: 9, budget: {} },
    { type: "vote.started", k: 3, options: [] },
    { type: "call.started", call: 1, purpose: "vote", model: "sim", temperature: 0 },
    { type: "call.started", call: 2, purpose: "vote", model: "sim", temperature: 0.1 },
    {
      type: "call.finished",
      call: 1,
      finish_reason: "stop",
      input_tokens: 9,
      output_tokens: 9,
      latency_ms: 20,
      cost_usd: 0.002,
    },
    { type: "sample.accepted", call: 1, answer: "yes" },
    {
      type: "vote.counted",
      call: 1,
      answer: "yes",
      leader: "yes",
      leader_votes: 1,
      runner_up_votes: 0,
      need: 2,
    },
  ];
  db.prepare(
    `INSERT INTO runs (id, owner, channel, status, started_at, ended_at, prompt, request, fingerprint, session)
     VALUES ('lost', 'filler', 'http', 'interrupted', ?, ?, 'Was it lost?', '{"prompt":"Was it lost?"}', '', 'agent-0')`,
  ).run(now, now + 900);
  const insert = db.prepare("INSERT INTO events (run_id, seq, at, type, data) VALUES ('lost', ?, ?, ?, ?)");
  for (const [index, event] of events.entries()) {
    const seq = index + 1;
    const ts = new Date(now + seq * 100).toISOString();
    insert.run(
      seq,
      now + seq * 100,
      event.type,
      JSON.stringify({ v: 1, request_id: "lost", seq, ts, ...event }),
    );
  }
  db.close();
}

async function saved(page: Page, item: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: item }).click(),
  ]);
  return readFileSync((await file.path())!, "utf8");
}

test("calls are opened, a vote is decided again, judged, shared as one file, found, and compared [UI-calls-opened] [UI-what-if] [UI-verdict] [UI-share] [UI-history] [UI-compare] [UI-interrupted]", async () => {
  const dir = folder();
  fillInterrupted(dir);
  const { url } = await startService({ MCI_DATA_DIR: dir }, {
    rules: [
      {
        contains: "bcrypt",
        times: 1,
        delay_ms: 0,
        reply: { kind: "text", text: `no JSON at all ${HOSTILE}` },
      },
      { contains: "bcrypt", times: 1, delay_ms: 10, reply: vote("no") },
      { contains: "bcrypt", reply: vote("yes"), delay_ms: 40 },
      { contains: "tea", reply: vote("coffee") },
    ],
  } as never);
  const config = { k: 3, models: ["sim", "other"] };
  const first = await ask(url, { prompt: BCRYPT, intent: "validation", config });
  const { page } = await openPage({ viewport: { width: 1100, height: 900 } });
  await page.goto(`${url}/#/runs/${first}`);
  await page.getByText(/won: 4 to 1/).waitFor();

  // Every call: what was sent, what came back, and why it was discarded.
  const flagged = page.locator(".call-row.discarded").getByRole("button");
  await flagged.click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText("Discarded, not counted").waitFor();
  await dialog.getByText(`no JSON at all ${HOSTILE}`).waitFor();
  await dialog.getByText("Is it safe to store passwords with bcrypt?").first().waitFor();
  for (const fact of ["Temperature", "Finish reason", "Tokens in", "Tokens out", "Time", "Model"])
    await dialog.getByText(fact, { exact: true }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  expect(await page.evaluate<string>("document.activeElement.getAttribute('aria-label')")).toMatch(
    /^Open call/,
  );
  expect(await page.locator(".timeline-row").count()).toBe(6);
  // Each list is one stop of the Tab key.
  const stops = (list: string) => page.locator(`${list} button:not([tabindex="-1"])`).count();
  expect([await stops(".timeline-rows"), await stops(".call-rows")]).toEqual([1, 1]);
  await page.locator(".timeline-row").first().focus();
  await page.keyboard.press("End");
  expect(await page.evaluate<string>("document.activeElement.title")).toMatch(/^Call 6,/);

  // What if: the first vote alone would have decided otherwise; without one model the others decide.
  await page.locator("summary", { hasText: "What if" }).click();
  const again = page.getByRole("region", { name: "Decided again" });
  await again.getByText("“yes” wins after 5 votes, as it did.").waitFor();
  await page.getByRole("slider", { name: /^k = / }).fill("1");
  await again.getByText("“no” wins after 1 vote: another answer than the run's.").waitFor();
  await page.getByRole("slider", { name: /^k = / }).fill("9");
  await again
    .getByText(/Undecided after 5 votes: votes exhausted\. A real run would ask for at least 6 more/)
    .waitFor();
  await page.getByLabel("Rule").selectOption("majority");
  await page.getByRole("slider", { name: /^k = / }).fill("2");
  await again.getByText("Undecided after 2 votes: tie.").waitFor();
  await page.getByRole("checkbox", { name: /^other/ }).uncheck();
  await expect.poll(() => again.innerText()).not.toContain("5 votes");
  expect(await violations(page)).toEqual([]);

  // A person's verdict.
  await page.getByText("A confidence needs 20 outcomes").waitFor();
  await page.getByRole("button", { name: "Wrong", exact: true }).click();
  await page.getByLabel("The right answer, if it is known").fill("no");
  await page.getByRole("button", { name: "Mark as wrong" }).click();
  await page.getByText("Marked wrong by a person.").waitFor();

  // A moment of the replay has an address.
  await page.goto(`${url}/#/ask`);
  await page.goto(`${url}/#/runs/${first}?at=4`);
  const slider = page.getByRole("slider", { name: "Event" });
  await expect.poll(() => slider.inputValue()).toBe("4");
  await page.getByRole("button", { name: "One event on" }).click();
  expect(page.url()).toContain("at=5");

  // One file that replays the run without a service, without a network, without script of others.
  await page.getByText("Share", { exact: true }).click();
  await page.getByRole("button", { name: "Copy link to this moment" }).waitFor();
  const html = await saved(page, "Share as one HTML file");
  expect(await saved(page, "Export as Markdown")).toContain("| yes | 4 |");
  expect(JSON.parse(await saved(page, "Export as JSON")).id).toBe(first);
  expect(JSON.parse(await saved(page, "Export as capsule")).calls).toHaveLength(6);
  await page.keyboard.press("Escape");
  expect(await page.getByRole("button", { name: "Copy link" }).isVisible()).toBe(false);
  await openShared(html, dir);

  // The history names what was decided, sorts, counts, and hears of new runs without asking again.
  await page.getByRole("link", { name: "History" }).click();
  await page.getByText("2 runs").waitFor();
  const second = await ask(url, {
    prompt: "Is tea better than coffee?",
    intent: "validation",
    config: { k: 2 },
  });
  await page.getByText("Is tea better than coffee?").waitFor();
  await page.getByText("3 runs").waitFor();
  await page.locator(".run-winner", { hasText: "coffee" }).waitFor();
  await page.getByLabel("Order").selectOption("oldest");
  await expect.poll(() => page.locator(".run-prompt").first().innerText()).toBe("Was it lost?");
  await page.getByLabel("To", { exact: true }).fill("2001-01-01");
  await page.getByText("No run matches.").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await overflowsSideways(page)).toBe(false);
  await page.setViewportSize({ width: 1100, height: 900 });

  // Two runs, and what differs between them.
  await page.goto(`${url}/#/compare/${first}/${second}`);
  const differences = page.getByRole("region", { name: "Differences" });
  await differences.locator("ins", { hasText: "coffee" }).first().waitFor();
  await differences.locator("del", { hasText: '"k": 3' }).waitFor();
  await differences.getByRole("row", { name: "yes 4 0" }).waitFor();
  expect(await page.getByLabel("First run").locator("option:checked").innerText()).toMatch(
    /\d.* · complete · yes · Is it safe/,
  );
  expect(await violations(page)).toEqual([]);

  // As one who watched it: it was running when the page was opened, and its events end without a last one.
  await page.route(
    "**/runs/lost",
    async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), status: "running" } });
    },
    { times: 1 },
  );
  await page.goto(`${url}/#/runs/lost`);
  await page.getByText("Interrupted: the service stopped before this run ended").waitFor();
  await page.getByText("1 call in flight, whose replies and cost are not known").waitFor();
  await page
    .getByText(
      "Still here: 1 reply ($0.002) and 1 counted vote; “yes” led with 1 vote, which decides nothing.",
    )
    .waitFor();
  expect(await page.getByRole("button", { name: "Cancel run" }).count()).toBe(0);

  await page.goto(`${url}/#/sessions/agent-0`);
  await page.getByText("Nothing was decided: the service ended in the middle of this step").waitFor();

  await page.getByRole("link", { name: "Calibration" }).click();
  await page.getByText("Right in 0% of 1 outcome").first().waitFor();
  await page.getByText("19 more verdicts until its votes are measured.").first().waitFor();
  expect(await page.evaluate("window.hacked")).toBeUndefined();
});

/** The shared file in a browser without a network: race, scrubber, evidence, and nothing that runs besides its own script. */
async function openShared(html: string, dir: string): Promise<void> {
  const file = join(dir, "shared.html");
  writeFileSync(file, html);
  expect(html).toContain("default-src 'none'");
  const { page } = await openPage({ fresh: true, offline: true, viewport: { width: 1000, height: 800 } });
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`file://${file}`);
  await page.getByText(/won: 4 to 1/).waitFor();
  await page.getByRole("slider", { name: "Event" }).fill("3");
  await page.getByText("First to be 3 ahead wins.").waitFor();
  await page.getByRole("button", { name: "One event on" }).click();
  const last = await page.getByRole("slider", { name: "Event" }).getAttribute("max");
  await page.getByRole("slider", { name: "Event" }).fill(last!);
  await page.locator(".call-row.discarded").getByRole("button").click();
  await page.getByRole("dialog").getByText(`no JSON at all ${HOSTILE}`).waitFor();
  await page.keyboard.press("Escape");
  expect(await violations(page)).toEqual([]);
  // On paper: light, without what only a screen can do, with the report.
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  expect(await page.getByRole("slider", { name: "Event" }).isVisible()).toBe(false);
  expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe("rgb(246, 247, 249)");
  await page.locator(".report pre").waitFor();
  await page.emulateMedia({ media: "screen", colorScheme: "light" });
  expect(requests.filter((address) => !address.startsWith("file:"))).toEqual([]);
  expect(await page.evaluate("window.hacked")).toBeUndefined();
}

test("25 seats are grouped by their answers and folded, long answers too; stated confidence stands against truth [UI-seats] [UI-calibration] [UI-sessions]", async () => {
  const long = (answer: string) => `${`The case for ${answer}. `.repeat(500)}`;
  let seat = 0;
  const seats = Array.from({ length: 25 }, () => {
    seat++;
    const answer = seat <= 17 ? "tea" : seat <= 24 ? "coffee" : "water";
    return {
      contains: "You hold one seat",
      times: 1,
      reply: text({
        // The last one is tall, and too short to be folded.
        proposal: answer === "water" ? "- a\n".repeat(40) : `${long(answer)}Seat ${seat} adds this.`,
        answer,
      }),
    };
  });
  const decision = `**Tea.** ${"Because it is tea. ".repeat(600)}`;
  const judge = { consensus: [], contradictions: [], gaps: [], dissent: [], decision: "Tea.", answer: "tea" };
  const weather = {
    type: "function",
    function: { name: "weather", parameters: { type: "object", properties: { city: { type: "string" } } } },
  };
  const prices = join(folder({ "prices.json": { sim: { input: 1, output: 4 } } }), "prices.json");
  const { url } = await startService({ MCI_PRICES: prices }, {
    rules: [
      ...seats,
      { contains: "You are the judge", reply: text(judge) },
      {
        contains: "Which city",
        times: 1,
        delay_ms: 0,
        reply: { kind: "tool_call", tool: "weather", input: { city: "Rome" } },
      },
      {
        contains: "Which city",
        reply: { kind: "tool_call", tool: "weather", input: { city: "Oslo" } },
        delay_ms: 30,
      },
      { contains: "capital", reply: vote("Canberra") },
      { contains: "essay", reply: text({ rationale: "", answer: { essay: decision } }) },
    ],
  } as never);
  const council = await ask(url, {
    prompt: "What shall we drink?",
    intent: "decision",
    config: { num_voters: 25 },
  });
  const { page } = await openPage({ viewport: { width: 1100, height: 900 } });
  await page.goto(`${url}/#/runs/${council}`);
  const region = page.getByRole("region", { name: "The seats" });
  await region.getByText("25 seats, 3 answers").waitFor();
  await region.getByText(/^17 seats of 25, 68%/).waitFor();
  expect(await region.locator(".seat").count()).toBe(0);
  await region.locator("summary", { hasText: "17 seats of 25" }).click();
  await expect.poll(() => region.locator(".seat").count()).toBe(17);
  await region.locator(".proposal summary").nth(1).click();
  expect(await region.locator(".proposal[open] mark").allInnerTexts()).toEqual([
    expect.stringMatching(/Seat \d+ adds this\./),
  ]);
  await region.locator("summary", { hasText: "1 seat of 25" }).click();
  await region.getByRole("heading", { name: "Seat 25" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await page.evaluate("document.querySelector('.calls').open = true");
  const rows = page.locator(".call-rows li");
  await rows.nth(9).waitFor();
  // A number of two digits is not cut off.
  expect(
    await rows
      .nth(9)
      .locator(".call-number")
      .evaluate((e) => e.scrollWidth <= e.clientWidth),
  ).toBe(true);
  const inView = await rows.count();
  await page.evaluate("dispatchEvent(new Event('beforeprint'))");
  expect(await rows.count()).toBe(await page.locator(".timeline-row").count());
  expect(await rows.count()).toBeGreaterThan(inView);
  await page.evaluate("dispatchEvent(new Event('afterprint'))");
  // Ten thousand characters: folded, formatted once, and never announced.
  const essay = await ask(url, {
    prompt: "Write an essay.",
    intent: "validation",
    config: {
      k: 1,
      answer_schema: { type: "object", properties: { essay: { type: "string" } }, required: ["essay"] },
    },
  });
  await page.goto(`${url}/#/runs/${essay}`);
  await page.getByText(/the whole answer, 1\d,\d\d\d characters/).click();
  await page.locator(".long-answer strong", { hasText: "Tea." }).waitFor();
  expect(await page.locator("[role=status] .markdown, [aria-live] .markdown").count()).toBe(0);
  expect((await page.locator("[role=status]").allInnerTexts()).join().length).toBeLessThan(1000);
  await page.goto(`${url}/#/runs/${council}`);
  await page.locator("summary", { hasText: "What if" }).click();
  await page.getByRole("checkbox", { name: /^seat 25/ }).uncheck();
  await page.getByRole("region", { name: "Decided again" }).getByText("“tea” wins after 1 vote").waitFor();
  expect(await violations(page)).toEqual([]);
  await picture(page, "seats-light", region);
  // On a phone the answer begins in the upper half of the first screen: 680 of its 844 pixels were above it.
  await page.setViewportSize({ width: 390, height: 844 });
  await page.getByRole("region", { name: "Answer", exact: true }).waitFor();
  const top = "document.querySelector('section.answer').getBoundingClientRect().top + scrollY";
  expect(await page.evaluate<number>(top)).toBeLessThan(500);
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await violations(page, LAYOUT_RULES)).toEqual([]);
  expect(await overflowsSideways(page)).toBe(false);
  await page.setViewportSize({ width: 1100, height: 900 });

  // An agent's step: the action that won, the argument that differed.
  const messages = [{ role: "user", content: "Which city has snow?" }];
  const step = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-session-id": "agent-1" },
    body: JSON.stringify({ model: "act", messages, tools: [weather] }),
  });
  await page.goto(`${url}/#/runs/${step.headers.get("x-council-run")}`);
  await page.locator(".facts").getByText("Step of an agent").waitFor();
  await page.getByRole("link", { name: "All steps of this agent" }).click();
  await page.getByRole("heading", { name: /An agent, step by step 1 step/ }).waitFor();
  await page.locator(".trajectory summary").first().click();
  await page.getByText(/^Decided by a vote/).waitFor();
  await page.locator(".lane ins", { hasText: "Rome" }).waitFor();
  await page.getByRole("link", { name: "Replay this step" }).waitFor();
  expect(await violations(page)).toEqual([]);
  await picture(page, "session-light");

  for (let n = 0; n < 21; n++) {
    const id = await ask(url, {
      prompt: "What is the capital of Australia?",
      intent: "validation",
      config: { k: 2 },
    });
    await fetch(`${url}/runs/${id}/verdict`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ right: n % 7 !== 0, by: "check" }),
    });
  }
  await page.goto(`${url}/#/calibration`);
  const group = page.getByRole("region", { name: /all prompts$/ });
  await group.getByText("Right in 85.7% of 21 outcomes").waitFor();
  await page.getByLabel(/^Wanted: right in/).selectOption("0.8");
  await group.getByText(/^Use k = \d+/).waitFor();
  await group.getByText(/\$0\.\d+ per answer/).waitFor();
  await group.getByText(/1 run stated a confidence so far/).waitFor();
  await group.getByText("Every k and its price").click();
  expect(await group.locator("tbody tr").count()).toBe(10);
  expect(await violations(page)).toEqual([]);
  await picture(page, "calibration-light");
  if (PICTURES) await takePictures(page, url);
  await page.emulateMedia({ colorScheme: "dark" });
  await picture(page, "calibration-dark");
  await page.setViewportSize({ width: 360, height: 740 });
  expect(await violations(page, LAYOUT_RULES)).toEqual([]);
  expect(await overflowsSideways(page)).toBe(false);
});

/** Pictures of what the other test looks at with hostile texts. */
async function takePictures(page: Page, url: string): Promise<void> {
  const { runs } = (await (await fetch(`${url}/runs?limit=1`)).json()) as { runs: { id: string }[] };
  await page.goto(`${url}/#/runs/${runs[0]!.id}`);
  await page.locator(".call-row").getByRole("button").first().click();
  await page.getByRole("dialog").getByText("Prompt as sent").waitFor();
  await picture(page, "call-light");
  await page.keyboard.press("Escape");
  await page.locator("summary", { hasText: "What if" }).click();
  await picture(page, "what-if-light", page.locator(".what-if"));
  await takeAgentPictures(page);
  await page.goto(`${url}/#/calibration`);
  await page.getByRole("region", { name: /all prompts$/ }).waitFor();
}
