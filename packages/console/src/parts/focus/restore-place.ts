/**
 * Where one was on each entry of the browser's history: how far the window and each list were scrolled, and what had the focus. Going back
 * restores it; a new screen begins at its top, with the focus at its heading.
 */
interface Place {
  scroll: number;
  readonly lists: Map<string, number>;
  /** What had the focus, as `selectorOf` names it. */
  focus?: string;
}

/** Entries remembered; older ones begin at their top. */
const MAX_PLACES = 100;
/** A screen that was left may need its data again before it is as long as it was. */
const RESTORE_MS = 3000;

const places = new Map<string, Place>();
let current = "";
let screen = "";

/** Called once, before anything is rendered. */
export function watchPlaces(): void {
  history.scrollRestoration = "manual";
  enter();
  screen = screenOf(location.hash);
  addEventListener(
    "scroll",
    () => {
      placeNow().scroll = scrollY;
    },
    { passive: true },
  );
  addEventListener("focusin", ({ target }) => {
    const focus = selectorOf(target as Element);
    if (focus) placeNow().focus = focus;
  });
  addEventListener("popstate", () => {
    // Also called for a new address behind the `#`; only an entry that was left has a key.
    const isKnown = typeof history.state?.key === "string" && places.has(history.state.key);
    enter();
    const next = screenOf(location.hash);
    const isOther = next !== screen;
    screen = next;
    if (isKnown) restore(placeNow());
    else if (isOther) begin();
  });
}

export function rememberScroll(list: string, top: number): void {
  placeNow().lists.set(list, top);
}

export function rememberedScroll(list: string): number {
  return placeNow().lists.get(list) ?? 0;
}

function placeNow(): Place {
  return places.get(current) ?? remember({ scroll: 0, lists: new Map() });
}

/** For the entry that is open now. The oldest are forgotten. */
function remember(place: Place): Place {
  places.set(current, place);
  const [oldest] = places.keys();
  if (places.size > MAX_PLACES && oldest !== undefined) places.delete(oldest);
  return place;
}

/** Each entry has a key of its own. A new one on the same screen continues where the one before was: its list stays, and the focus in it. */
function enter(): void {
  const { key } = history.state ?? {};
  if (typeof key === "string") {
    current = key;
    return;
  }
  const before = places.get(current);
  current = crypto.randomUUID();
  history.replaceState({ ...history.state, key: current }, "");
  // The address without a path is that of the first screen.
  const isSameScreen = ["", firstPart(location.hash)].includes(firstPart(screen));
  remember({
    scroll: 0,
    lists: new Map(isSameScreen ? before?.lists : undefined),
    ...(isSameScreen && before?.focus !== undefined ? { focus: before.focus } : {}),
  });
}

const firstPart = (hash: string) => hash.split(/[/?]/)[1] ?? "";
const screenOf = (hash: string) => hash.replace(/\?.*$/, "");

/** Frames in which the heading of the screen before may still be there. */
const MAX_OLD_FRAMES = 20;

/** A new screen: its top, and its heading for those who listen to it. */
function begin(): void {
  scrollTo(0, 0);
  const had = document.activeElement;
  const old = visibleHeading();
  let frames = 0;
  repeat(() => {
    const active = document.activeElement;
    const isLost = active === null || active === document.body || !active.isConnected || !isVisible(active);
    // A screen may have put the focus into a field already; a list that stays keeps it.
    if (!isLost && (active !== had || active.closest(".tool-list"))) return true;
    const heading = visibleHeading();
    if (heading === undefined || (heading === old && ++frames < MAX_OLD_FRAMES)) return false;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    return true;
  });
}

export function visibleHeading(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>("main h1")].find(isVisible);
}

/** Frames for which it has to stay as it was: lists measure themselves, and rows come and go. */
const STABLE_FRAMES = 15;

function restore({ scroll, focus }: Place): void {
  let stable = 0;
  repeat(() => {
    const element = focus === undefined ? undefined : find(focus);
    const isFocused = element !== undefined && element === document.activeElement;
    if (element && !isFocused) element.focus({ preventScroll: true });
    if (Math.abs(scrollY - scroll) >= 2) scrollTo(0, scroll);
    const isDone = Math.abs(scrollY - scroll) < 2 && (focus === undefined || isFocused);
    stable = isDone ? stable + 1 : 0;
    return stable >= STABLE_FRAMES;
  });
}

/** Until it succeeds, or the reader does something. */
export function repeat(attempt: () => boolean): void {
  const end = Date.now() + RESTORE_MS;
  const events = ["wheel", "keydown", "pointerdown", "popstate"] as const;
  let isOver = false;
  const stop = () => {
    isOver = true;
    for (const name of events) removeEventListener(name, stop);
  };
  const run = () => {
    if (isOver) return;
    if (attempt() || Date.now() > end) stop();
    else requestAnimationFrame(run);
  };
  requestAnimationFrame(() => {
    for (const name of events) addEventListener(name, stop, { once: true });
    run();
  });
}

export function isVisible(element: Element): boolean {
  return element.getClientRects().length > 0;
}

/** Names an element by what stays the same when its screen is drawn again: its address, or what it is called. */
function selectorOf(element: Element): string | undefined {
  if (!element.closest("main")) return undefined;
  const href = element.getAttribute("href");
  if (href !== null) return `href ${href}`;
  const name =
    element.getAttribute("aria-label") ??
    element.getAttribute("placeholder") ??
    (element as HTMLInputElement).labels?.[0]?.textContent ??
    (element.matches("button, summary") ? element.textContent : null);
  return name === null ? undefined : `name ${name}`;
}

function find(selector: string): HTMLElement | undefined {
  const all = document.querySelectorAll<HTMLElement>(
    "main :is(a, button, summary, input, select, textarea, [tabindex])",
  );
  return [...all].find((element) => selectorOf(element) === selector);
}
