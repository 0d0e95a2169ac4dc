import type { Page } from "playwright-core";

/** Runs in the page. */
const FIND = `(() => {
  const faults = [];
  const width = document.documentElement.clientWidth;
  if (document.documentElement.scrollWidth > width) faults.push("the page is wider than " + width + " px");
  const menu = [...document.querySelectorAll(".top nav a")];
  if (menu.some((link) => link.offsetTop !== menu[0].offsetTop)) faults.push("the menu has more than one row");
  const say = (element) => (element.className || element.localName) + " “" + element.textContent.trim().slice(0, 40) + "”";
  const isShown = (element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  const scrolls = (element) => {
    for (let up = element; up && up !== document.body; up = up.parentElement)
      if (/auto|scroll|hidden|clip/.test(getComputedStyle(up).overflowX) && (up.scrollWidth > up.clientWidth || up.scrollHeight > up.clientHeight)) return true;
    return false;
  };
  const leaves = [...document.querySelectorAll("body *")].filter(
    (element) =>
      [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== "") &&
      !element.closest("svg, option, .cm-editor, .skip") && isShown(element),
  );
  const boxes = [];
  for (const element of leaves) {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    if (box.width < 2 || box.height < 2 || style.position === "absolute") continue;
    const text = element.textContent.trim();
    const cuts = style.overflowX !== "visible" && style.textOverflow !== "ellipsis" && !/auto|scroll/.test(style.overflowX);
    if (cuts && element.scrollWidth > element.clientWidth + 1) faults.push("cut off: " + say(element));
    if (text.length > 6 && box.width < 30 && box.height > 80) faults.push("a letter on each line: " + say(element));
    if (!scrolls(element) && (box.right > width + 1 || box.left < -1)) faults.push("beyond the edge: " + say(element));
    if (style.position !== "sticky" && !element.closest("dialog, .top, .actions.sticky, .menu-items") && !scrolls(element)) {
      const range = document.createRange();
      for (const node of element.childNodes) {
        if (node.nodeType !== 3 || node.data.trim() === "") continue;
        range.selectNodeContents(node);
        for (const rect of range.getClientRects())
          if (rect.width > 2 && rect.height > 2) boxes.push({ element, rect });
      }
    }
  }
  boxes.splice(1500);
  for (const [index, one] of boxes.entries())
    for (const other of boxes.slice(index + 1)) {
      if (one.element === other.element || one.element.contains(other.element) || other.element.contains(one.element)) continue;
      const across = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left);
      const down = Math.min(one.rect.bottom, other.rect.bottom) - Math.max(one.rect.top, other.rect.top);
      if (across > 3 && down > 6) faults.push("over each other: " + say(one.element) + " and " + say(other.element));
    }
  return [...new Set(faults)].slice(0, 8);
})()`;

/** What is wrong with the layout of the page as it is now: too wide, cut words, letters one below the other, texts over each other. */
export function layoutFaults(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(FIND);
}
