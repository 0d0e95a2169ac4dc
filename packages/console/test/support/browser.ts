import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { AxeResults } from "axe-core";
import { type Browser, type BrowserContextOptions, chromium, type Locator, type Page } from "playwright-core";
import { expect, onTestFinished } from "vitest";
import { cleanUpAfterFile } from "../../../../test/clean-up/clean-up.ts";
import { buildPage } from "./build-page.ts";
import { withLock } from "./lock.ts";

let shared: Promise<Browser> | undefined;

/** One browser for all tests of a file. The worker goes on to other files, so it ends with the file. */
function browser(): Promise<Browser> {
  shared ??= launch();
  return shared;
}

cleanUpAfterFile(async () => {
  const opened = await shared;
  shared = undefined;
  idle.clear();
  await opened?.close();
});

/** A real Chromium from npm on Linux x64, the installed Chrome elsewhere. */
async function launch(): Promise<Browser> {
  if (process.platform !== "linux" || process.arch !== "x64") return chromium.launch({ channel: "chrome" });
  const { default: packaged } = await import("@sparticuz/chromium");
  return chromium.launch({
    // It is unpacked on its first use, and a half of it would be taken for the whole.
    executablePath: await withLock(join(tmpdir(), "chromium.lock"), () => packaged.executablePath()),
    // Its own arguments are for a server without a sandbox. Pages are drawn without a graphics card, real or emulated.
    args: [
      ...packaged.args.filter(
        (arg) => !/^--(disable-web-security|single-process|.*gpu|.*gl=|.*swiftshader)/.test(arg),
      ),
      "--disable-gpu",
    ],
    headless: true,
  });
}

export interface PageOptions extends BrowserContextOptions {
  /** Lines of the browser's console that a test expects. Default: none may appear. */
  readonly allowedErrors?: RegExp;
  /** A page of a new profile, for a test that leaves traces in it or measures from an empty cache. Default false. */
  readonly fresh?: boolean;
}

export interface TestPage {
  readonly page: Page;
  /** Errors of scripts and of the browser's console so far. */
  readonly errors: readonly string[];
}

/** Pages between two tests, by their options: a new one costs more than most of the tests. */
const idle = new Map<string, Page>();

/** A page for this test alone. Errors in it, and violations of its Content-Security-Policy, fail the test. */
export async function openPage({ allowedErrors, fresh, ...options }: PageOptions = {}): Promise<TestPage> {
  await buildPage();
  const key = JSON.stringify(options);
  const page = (fresh ? undefined : idle.get(key)) ?? (await newPage(options));
  idle.delete(key);
  const errors: string[] = [];
  // What a tab stores belongs to an origin, and only that of the page it shows can be cleared.
  const origins = new Set<string>();
  page.on("framenavigated", (frame) => frame.parentFrame() ?? origins.add(new URL(frame.url()).origin));
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !allowedErrors?.test(message.text())) errors.push(message.text());
  });
  onTestFinished(async ({ task }) => {
    const isReusable = !fresh && !idle.has(key) && task.result?.state === "pass" && origins.size === 1;
    if (isReusable) idle.set(key, await reset(page, options));
    else await page.context().close();
    expect(errors).toEqual([]);
  });
  return { page, errors };
}

async function newPage(options: BrowserContextOptions): Promise<Page> {
  const context = await (await browser()).newContext({ reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(30_000);
  lookOften(page);
  return page;
}

/**
 * Playwright looks for what it waits for after 20, 50, 100 and 100 ms, and then twice a second: with as many waits as these tests have,
 * most of their time. It has no option for that.
 */
function lookOften(page: Page): void {
  const { _connection: connection } = page as unknown as { _connection: { toImpl(frame: object): object } };
  const frames = Object.getPrototypeOf(connection.toImpl(page.mainFrame())) as {
    retryWithProgressAndBackoff: (progress: object, action: unknown) => unknown;
    retryWithProgressAndTimeouts: (progress: object, waits: readonly number[], action: unknown) => unknown;
  };
  if (!frames.retryWithProgressAndBackoff || !frames.retryWithProgressAndTimeouts)
    throw new Error("Playwright waits in another way now: see whether it still looks twice a second only.");
  frames.retryWithProgressAndBackoff = function (progress, action) {
    return this.retryWithProgressAndTimeouts(progress, [20, 50, 75], action);
  };
}

/** As it was before the test. */
async function reset(page: Page, { viewport }: BrowserContextOptions): Promise<Page> {
  for (const other of page.context().pages()) if (other !== page) await other.close();
  await page.evaluate("sessionStorage.clear()");
  await page.goto(await blankPage());
  page.removeAllListeners();
  await page.emulateMedia({ colorScheme: null });
  await page.setViewportSize(viewport ?? { width: 1280, height: 720 });
  return page;
}

let blank: Promise<string> | undefined;

/** An empty page on the same host as the servers of the tests: from `about:blank` the next one would be loaded by a new process. */
function blankPage(): Promise<string> {
  blank ??= new Promise((resolve) => {
    const server = createServer((_, response) => response.setHeader("content-type", "text/html").end());
    server.listen(0, "127.0.0.1", () =>
      resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    );
    server.unref();
  });
  return blank;
}

let axe: string | undefined;

/** Rules whose outcome depends on colours and on the width. */
export const LAYOUT_RULES = ["color-contrast", "scrollable-region-focusable", "target-size", "meta-viewport"];

/** None of the rules that are on by default reads style sheets, which it would fetch and parse for each run. */
const AXE_OPTIONS = { resultTypes: ["violations"], preload: { assets: ["media"] } };

/** Violations that axe finds on the page as it is now, each with its elements. Default: by all its rules. */
export async function violations(page: Page, rules?: readonly string[]): Promise<string[]> {
  // Through the debugger: the page's policy refuses script that is not its own. Once for each document.
  axe ??= readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe);
  const found = await page.evaluate<Pick<AxeResults["violations"][number], "id" | "nodes">[]>(
    `axe.run(document, ${JSON.stringify({ ...AXE_OPTIONS, ...(rules ? { runOnly: rules } : {}) })})
      .then(({ violations }) => violations)`,
  );
  return found.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(" | ")}`);
}

/** Presses Tab, or another key, until what is named so has the focus. */
export async function tabTo(page: Page, name: RegExp, key = "Tab"): Promise<void> {
  const seen: string[] = [];
  for (let step = 0; step < 60; step++) {
    await page.keyboard.press(key);
    const focused = await page.evaluate<string>(
      "document.activeElement?.getAttribute('aria-label') || document.activeElement?.labels?.[0]?.innerText || document.activeElement?.innerText || document.activeElement?.title || ''",
    );
    if (name.test(focused)) return;
    seen.push(focused.slice(0, 30));
  }
  throw new Error(`${key} never reached ${name}, but ${[...new Set(seen)].join(", ")}`);
}

/** Whether something makes the page wider than the window. */
export async function overflowsSideways(page: Page): Promise<boolean> {
  return page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth + 1");
}

const images = fileURLToPath(new URL("../../../../docs/images/", import.meta.url));

/** Pictures for the docs, if they are asked for: `MCI_PICTURES=1`, or the name of another folder. */
export const PICTURES = process.env["MCI_PICTURES"];

/** `part`: only that. Default: the page from its top. */
export async function picture(page: Page, name: string, part?: Locator): Promise<void> {
  if (!PICTURES || !existsSync(images)) return;
  const folder = PICTURES === "1" ? images : PICTURES;
  if (part) {
    await part.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
    return;
  }
  await page.evaluate("scrollTo(0, 0)");
  await page.screenshot({ path: join(folder, `${name}.png`), animations: "disabled" });
}

/** Calls the tool of the screen, and says yes if the page asks first. */
export async function callTool(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Call", exact: true }).click();
  const send = page.getByRole("button", { name: "Send it" });
  const isAsked = await page.evaluate<boolean>("document.querySelector('dialog.confirm') !== null");
  if (isAsked) await send.click();
}
