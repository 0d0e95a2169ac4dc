import { join } from "node:path";
import type { Page } from "playwright-core";
import { folder } from "../../../cli/test/mci.ts";
import { picture } from "./browser.ts";
import { startService } from "./servers.ts";

const call = (tool: string, input: object) => ({ kind: "tool_call" as const, tool, input: { ...input } });
const EDIT = { path: "src/sum.js", find: "a - b", replace: "a + b" };
const schema = (...names: string[]) => ({
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])),
  required: names,
});
const TOOLS = [
  ["read_file", schema("path")],
  ["edit_file", schema("path", "find", "replace")],
  [
    "run",
    { type: "object", properties: { script: { enum: ["test", "lint", "build"] } }, required: ["script"] },
  ],
  [
    "delete_branch",
    { type: "object", properties: { name: { enum: ["fix", "main", "old"] } }, required: ["name"] },
  ],
].map(([name, parameters]) => ({ type: "function", function: { name, parameters } }));

/** What a simulated model does in each step: mostly the right thing. */
const STEPS = [
  { says: "Read it first", replies: [call("read_file", { path: "src/sum.js" })] },
  {
    says: "It subtracts",
    replies: [
      call("edit_file", { ...EDIT, replace: "b - a" }),
      ...Array.from({ length: 4 }, () => call("edit_file", EDIT)),
    ],
  },
  { says: "Does it hold", replies: Array.from({ length: 3 }, () => call("run", { script: "test" })) },
  {
    says: "Tidy up",
    replies: ["fix", "main", "old", "main", "fix", "old"].map((name) => call("delete_branch", { name })),
  },
];

/** The trajectory of an agent with a contested, a read-only and an undecided step. */
export async function takeAgentPictures(page: Page): Promise<void> {
  const prices = join(folder({ "prices.json": { sim: { input: 1, output: 4 } } }), "prices.json");
  const { url } = await startService({ MCI_PRICES: prices, MCI_ACT: '{"read_only": ["read_*"]}' }, {
    rules: STEPS.flatMap(({ says, replies }) =>
      replies.map((reply, n) => ({ contains: says, times: 1, reply, delay_ms: 30 + 10 * n })),
    ),
  } as never);
  for (const { says } of STEPS)
    await fetch(`${url}/v1/chat/completions`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-session-id": "fix-the-sum" },
      body: JSON.stringify({
        ...{ model: "act", messages: [{ role: "user", content: says }], tools: TOOLS },
        config: { max_samples: 6 },
      }),
    }).then((response) => response.text());
  await page.goto(`${url}/#/sessions/fix-the-sum`);
  await page.getByRole("heading", { name: /An agent, step by step 4 steps/ }).waitFor();
  for (const step of [1, 3]) await page.locator(".trajectory summary").nth(step).click();
  await page.getByText(/^Decided by a vote/).waitFor();
  await page.getByText(/^Decided by asking the user/).waitFor();
  await page.setViewportSize({ width: 1100, height: 1120 });
  await picture(page, "agent-light");
  await page.locator(".trajectory").getByRole("link", { name: "Replay this step" }).first().click();
  await page.locator(".facts").getByText("Step of an agent").waitFor();
  await page.locator(".call-row").first().waitFor();
  await page.setViewportSize({ width: 1100, height: 900 });
  await picture(page, "agent-step-light");
}
