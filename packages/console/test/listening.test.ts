import type { Page } from "playwright-core";
import { expect, test, vi } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { openPage } from "./support/browser.ts";
import { ask } from "./support/demo.ts";
import { startService, startUi } from "./support/servers.ts";

vi.setConfig({ testTimeout: 120_000, hookTimeout: 90_000 });

interface Heard {
  readonly role: string;
  readonly name: string;
  readonly description: string;
  readonly level: number | undefined;
}

/** The page as a screen reader gets it, in its order. */
async function heard(page: Page): Promise<Heard[]> {
  const session = await page.context().newCDPSession(page);
  const { nodes } = (await session.send("Accessibility.getFullAXTree")) as { nodes: readonly AxNode[] };
  await session.detach();
  return nodes
    .filter(({ ignored }) => !ignored)
    .map(({ role, name, description, properties = [] }) => ({
      role: String(role?.value ?? ""),
      name: String(name?.value ?? ""),
      description: String(description?.value ?? ""),
      level: properties.find((each) => each.name === "level")?.value.value as number | undefined,
    }));
}

interface AxNode {
  readonly ignored: boolean;
  readonly role?: { readonly value?: unknown };
  readonly name?: { readonly value?: unknown };
  readonly description?: { readonly value?: unknown };
  readonly properties?: readonly { readonly name: string; readonly value: { readonly value?: unknown } }[];
}

/** Writes down what live regions say from now on. */
const LISTEN = `
  window.said = [];
  const LIVE = "[role=status], [role=alert], [aria-live]";
  new MutationObserver((changes) => {
    const regions = new Set();
    for (const { target, addedNodes } of changes) {
      const within = (target.nodeType === 1 ? target : target.parentElement)?.closest(LIVE);
      if (within) regions.add(within);
      for (const node of addedNodes)
        if (node.nodeType === 1) for (const each of [node, ...node.querySelectorAll("*")]) if (each.matches(LIVE)) regions.add(each);
    }
    for (const each of regions) said.push([each.getAttribute("role"), each.textContent]);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
`;
const said = (page: Page) => page.evaluate<(readonly [role: string, text: string])[]>("said");

test("read out, a vote is told by its leader and its end, not by every call; nothing is said twice, and headings do not skip a level [UI-accessible]", async () => {
  const { url } = await startService({ MAKER_K: "6" }, {
    behaviour: {
      seed: 3,
      accuracy: 0.75,
      truth: "yes",
      wrong: ["no"],
      latency: { median_ms: 80, sigma: 0.4 },
    },
  } as never);
  const { page } = await openPage();
  await page.goto(url);
  await page.getByLabel("Question or task").fill("Is tea good? Answer yes or no.");
  await page.evaluate(LISTEN);
  await page.getByRole("button", { name: "Ask", exact: true }).click();
  await page.getByText(/won: \d+/).waitFor();
  await expect.poll(async () => (await said(page)).flat().join(" ")).toMatch(/ won, \d+ to \d+/);
  const told = (await said(page)).filter(([, text]) => /ahead|level|won,|in flight/.test(text));
  expect(told.length).toBeLessThanOrEqual(4);
  expect(told.flat().join(" ")).not.toContain("in flight");

  const id = await ask(url, { prompt: "Is tea good?", intent: "validation" });
  await page.goto(`${url}/#/runs/${id}`);
  await page.getByText(/won: \d+/).waitFor();
  const run = await heard(page);
  expect(run.filter(({ name, description }) => name !== "" && name === description)).toEqual([]);
  expect(run.find(({ role, name }) => role === "button" && name.startsWith("Call 1, vote"))).toBeDefined();
  const levels = run.flatMap(({ role, level }) => (role === "heading" ? [level!] : []));
  expect(levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1)).toEqual([]);

  await page.goto(`${url}/#/ask`);
  await page.locator("summary", { hasText: "Options" }).click();
  await page.getByRole("spinbutton", { name: "Seats", exact: true }).waitFor();
  // A name is what one looks for; what it is about comes after it.
  expect(await heard(page)).toContainEqual(
    expect.objectContaining({ role: "spinbutton", name: "Seats", description: "of a council" }),
  );
  expect((await heard(page)).filter(({ role }) => role === "option").map(({ name }) => name)).toContain(
    "System",
  );
});

test("read out, a form that was not sent says so once, and each field says its own error when one comes to it [UI-accessible] [UI-form-errors]", async () => {
  const required = { type: "string" };
  const ui = await startUi(
    folder({
      "mci.json": {
        schemaVersion: "1.0",
        tools: [
          {
            name: "three",
            inputSchema: {
              type: "object",
              properties: {
                a: required,
                b: required,
                c: required,
                people: {
                  type: "array",
                  items: { type: "object", properties: { name: { type: "string" } } },
                },
              },
              required: ["a", "b", "c"],
            },
            execution: { type: "text", text: "{{props.a}}" },
          },
        ],
      },
    }),
  );
  const { page } = await openPage();
  await page.goto(ui.address());
  await page.goto(`${ui.origin}/#/tools/three`);
  await page.getByLabel(/^a required/).waitFor();
  await page.evaluate(LISTEN);
  await page.getByRole("button", { name: "Call", exact: true }).click();
  await page.getByText("Not sent: 3 fields are missing or wrong.").waitFor();
  expect(await said(page)).toEqual([["status", "Not sent: 3 fields are missing or wrong."]]);
  expect(await heard(page)).toContainEqual(
    expect.objectContaining({ role: "textbox", name: "a required", description: "This is required." }),
  );
  // What was added to a list is there: nothing asks for it.
  await page.getByRole("button", { name: "Add people" }).click();
  expect(await heard(page)).toContainEqual(expect.objectContaining({ role: "group", name: "people 1" }));
  // While a text is not JSON, that is said, and not a reason for every key.
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  await page.evaluate("said.length = 0");
  await page.getByLabel("Input as JSON").pressSequentially("xyz");
  await page.getByText("Not an input").waitFor();
  const texts = (await said(page)).map(([, text]) => text).filter((text) => text !== "");
  expect(texts.filter((text) => text.includes("JSON"))).toEqual(["Not JSON yet."]);
  // The form would have no place for it, so it stays.
  expect(await page.getByRole("button", { name: "Edit as form" }).isDisabled()).toBe(true);
});
