import type { Page } from "playwright-core";
import { expect } from "vitest";

/** What has the focus, and what is wrong with how it shows. */
interface Focus {
  readonly name: string;
  readonly fault: string | null;
}

/** A person without a mouse: every key counts, and after each of them it is checked that what has the focus is there to be seen. */
export class Keyboard {
  readonly #page: Page;
  readonly #trail: string[] = [];
  #keys = 0;

  constructor(page: Page) {
    this.#page = page;
  }

  async press(key: string): Promise<void> {
    this.#keys++;
    await this.#page.keyboard.press(key);
    await this.seesFocus();
  }

  async type(text: string): Promise<void> {
    await this.#page.keyboard.type(text);
    await this.seesFocus();
  }

  /** Presses Tab, or another key, until what is named so has the focus. */
  async to(name: RegExp, key = "Tab", most = 30): Promise<void> {
    const seen: string[] = [];
    for (let step = 0; step < most; step++) {
      this.#keys++;
      await this.#page.keyboard.press(key);
      // Behind the last element the browser's own buttons follow, and then the first element.
      if ((await this.focus()).fault === LOST) await this.#page.keyboard.press(key);
      await this.seesFocus();
      const focus = await this.focus();
      if (name.test(focus.name)) return;
      seen.push(focus.name.slice(0, 40));
    }
    throw new Error(`${most} times ${key} never reached ${name}, but ${seen.join(" | ")}`);
  }

  /** The keys since the last time, without text that was typed. */
  takeKeys(): number {
    const keys = this.#keys;
    this.#keys = 0;
    return keys;
  }

  async focus(): Promise<Focus> {
    return this.#page.evaluate<Focus>(`(${focusNow})()`);
  }

  /** Rows, dialogs and screens come a moment after the key. */
  async seesFocus(): Promise<void> {
    const said = async () => {
      const { fault } = await this.focus();
      return fault === null ? null : `${fault}, after ${this.#trail.slice(-8).join(" | ")}`;
    };
    await expect.poll(said, { timeout: 5000, interval: 20 }).toBeNull();
    this.#trail.push((await this.focus()).name.slice(0, 40));
  }

  /** Waits until what is named so has the focus, without a key. */
  async has(name: RegExp): Promise<void> {
    await expect.poll(async () => (await this.focus()).name, { timeout: 10_000 }).toMatch(name);
    await this.seesFocus();
  }
}

const CODES: Readonly<Record<string, number>> = { Tab: 9, Enter: 13, Escape: 27, " ": 32, k: 75 };
const MODIFIERS: Readonly<Record<string, number>> = { Control: 2, Shift: 8 };

/**
 * Keys that are all waiting when the page takes the first of them, as those of quick hands on a busy page are: nothing that the page
 * puts off comes in between.
 */
export async function pressAtOnce(page: Page, keys: readonly string[]): Promise<void> {
  const debug = await page.context().newCDPSession(page);
  const busy = page.evaluate("{ const end = performance.now() + 300; while (performance.now() < end); }");
  const events = keys.flatMap((combined) => {
    const [key = "", modifier = ""] = combined.split("+").toReversed();
    const text = { Enter: "\r", " ": " " }[key];
    const common = {
      key,
      code: key === "k" ? "KeyK" : key === " " ? "Space" : key,
      windowsVirtualKeyCode: CODES[key]!,
      modifiers: MODIFIERS[modifier] ?? 0,
    };
    return [
      { ...common, ...(text ? ({ type: "keyDown", text } as const) : ({ type: "rawKeyDown" } as const)) },
      { ...common, type: "keyUp" as const },
    ];
  });
  await Promise.all([busy, ...events.map((event) => debug.send("Input.dispatchKeyEvent", event))]);
  await debug.detach();
}

const LOST = "the focus is lost";

/** In the page. As text, because the bundler of the tests would put its own functions into it. */
const focusNow = `() => {
  let element = document.activeElement;
  while (element?.shadowRoot?.activeElement) element = element.shadowRoot.activeElement;
  const name = (
    element?.getAttribute("aria-label") || element?.labels?.[0]?.innerText || element?.innerText || element?.title || element?.placeholder || ""
  ).trim();
  const described = () => element.tagName.toLowerCase() + " " + name.slice(0, 60);
  if (element === null || element === document.body) return { name: "", fault: "${LOST}" };
  const box = element.getBoundingClientRect();
  if (box.width === 0 || box.height === 0) return { name, fault: described() + " has the focus and no size" };
  // A heading or the main part takes the focus for those who listen; it cannot be operated, so nothing marks it.
  if (element.matches("h1, h2, main")) return { name, fault: null };
  if (box.bottom < 1 || box.top > innerHeight - 1 || box.right < 1 || box.left > innerWidth - 1)
    return { name, fault: described() + " has the focus out of view" };
  const marked = [element, element.getRootNode().host].some((each) => {
    if (!each) return false;
    const { outlineStyle, outlineWidth } = getComputedStyle(each);
    return outlineStyle !== "none" && parseFloat(outlineWidth) >= 2;
  });
  if (!marked) return { name, fault: described() + " has the focus without a mark" };
  // Something on top of all of it, such as a bar that stays in reach.
  const between = (from, to, most) => {
    const [first, last] = [Math.max(from, 0), Math.min(to, most - 1)];
    return Array.from({ length: 12 }, (_, step) => first + ((last - first) * (step + 0.5)) / 12);
  };
  const points = between(box.left, box.right, innerWidth).flatMap((x) =>
    between(box.top, box.bottom, innerHeight).map((y) => [x, y]),
  );
  const root = element.getRootNode();
  const isSeen = points.some(([x, y]) => {
    const top = root.elementFromPoint(x, y);
    return top !== null && (element.contains(top) || top.contains(element) || element.labels?.[0]?.contains(top));
  });
  return { name, fault: isSeen ? null : described() + " has the focus and is covered" };
}`;
