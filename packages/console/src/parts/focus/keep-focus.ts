import { isVisible, repeat, visibleHeading } from "./restore-place.ts";

/** A control that is turned off while something is sent gets the focus back when it is turned on again, if that takes no longer. */
const DISABLED_MS = 1000;
const CONTROLS = "a[href], button, input, select, textarea, summary, [tabindex='0']";

/**
 * What has the focus may be removed or turned off: an answer is sent and its form goes, a run ends and cannot be cancelled any more.
 * A browser then gives the focus to the whole page, where no one sees it. This gives it to what is nearest, or to the heading.
 */
export function keepFocus(): void {
  let had: HTMLElement | undefined;
  let around: readonly Element[] = [];
  addEventListener("focusin", ({ target }) => {
    had = target as HTMLElement;
    around = [];
    for (let each = had.parentElement; each; each = each.parentElement) around = [...around, each];
  });
  const check = () => {
    if (had === undefined || (had.isConnected && !had.matches(":disabled"))) return;
    const lost = had;
    const near = around;
    const since = Date.now();
    had = undefined;
    repeat(() => {
      const isOff = lost.matches(":disabled");
      // A browser takes the focus from what was turned off a frame later.
      if (!isLost()) return document.activeElement !== lost || !isOff;
      if (lost.isConnected && !isOff) lost.focus({ preventScroll: true });
      else if (!lost.isConnected || Date.now() - since > DISABLED_MS)
        nearest(lost, near)?.focus({ preventScroll: true });
      return !isLost();
    });
  };
  new MutationObserver(check).observe(document.body, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: ["disabled"],
  });
}

const isLost = () => document.activeElement === null || document.activeElement === document.body;

/** In the group, cell or dialog that is still there; else the heading. Rows of long lists come and go while they are scrolled. */
function nearest(lost: Element, around: readonly Element[]): HTMLElement | undefined {
  if (lost.closest("li[data-index]")) return undefined;
  const group = around.find((each) => each.isConnected && each.matches("fieldset, td, dialog"));
  const controls = [...(group?.querySelectorAll<HTMLElement>(CONTROLS) ?? [])].filter(
    (each) => isVisible(each) && !each.matches(":disabled"),
  );
  // The last of a group adds an entry to it.
  const control = controls.at(-1);
  if (control) return control;
  const heading = visibleHeading();
  if (heading) heading.tabIndex = -1;
  return heading;
}
