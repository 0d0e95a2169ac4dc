import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { rememberedScroll, rememberScroll } from "../focus/restore-place.ts";

/** Rows on paper, where nothing scrolls. */
const MAX_PRINTED = 1000;

/**
 * A list that scrolls on its own and renders only the rows in view. It is one stop of the Tab key: arrow keys, Home and End go from row
 * to row, left and right between the links of a row. Where it was scrolled to is there again when one comes back.
 */
export function VirtualList<T>({
  rows,
  rowPx,
  keyOf,
  children,
  label,
  className = "run-rows",
  more,
  restoreAs = label,
}: {
  rows: readonly T[];
  /** The height of each row. */
  rowPx: number;
  keyOf: (row: T) => string | number;
  children: (row: T) => ReactNode;
  /** For screen readers. */
  label: string;
  className?: string;
  /** Called when the end of the list is near. */
  more?: () => void;
  /** Names what the list shows: another name begins at its top, a known one is where it was. Default: the label. */
  restoreAs?: string;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = rememberedScroll(restoreAs);
  }, [restoreAs]);
  const [active, setActive] = useState(0);
  const wanted = useRef<number>(undefined);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: usePrinting() ? MAX_PRINTED : 10,
    initialOffset: rememberedScroll(restoreAs),
  });
  useLayoutEffect(() => list.measure(), [rowPx]);
  const items = list.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  const first = items[0]?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 5) more?.();
  }, [last, rows.length]);
  const current = Math.min(active, rows.length - 1);
  // The active row may be out of view, and then is not there: the Tab key stops at the first that is.
  const tabStop = current >= first && current <= last ? current : first;
  useLayoutEffect(() => {
    for (const row of scroller.current?.querySelectorAll<HTMLElement>("li[data-index]") ?? []) {
      const isStop = Number(row.dataset["index"]) === tabStop;
      linksOf(row).forEach((link, index) => {
        link.tabIndex = isStop && index === 0 ? 0 : -1;
      });
    }
    if (wanted.current === undefined) return;
    const row = scroller.current?.querySelector<HTMLElement>(`li[data-index="${wanted.current}"]`);
    if (!row) return;
    wanted.current = undefined;
    linksOf(row)[0]?.focus({ preventScroll: true });
  });
  const move = (event: KeyboardEvent) => {
    const row = (event.target as HTMLElement).closest<HTMLElement>("li[data-index]");
    if (!row || event.ctrlKey || event.metaKey || event.altKey) return;
    const at = Number(row.dataset["index"]);
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowPx) - 1);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      PageDown: at + page,
      PageUp: at - page,
      Home: 0,
      End: rows.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      event.preventDefault();
      const next = Math.min(rows.length - 1, Math.max(0, target));
      wanted.current = next;
      setActive(next);
      list.scrollToIndex(next);
      return;
    }
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const links = linksOf(row);
    const index = links.indexOf(event.target as HTMLElement);
    if (step === undefined || index === -1) return;
    event.preventDefault();
    links[index + step]?.focus();
  };
  return (
    <div
      className={`${className} scroll`}
      ref={scroller}
      role="region"
      aria-label={label}
      onKeyDown={move}
      onFocus={({ target }) => {
        const row = target.closest<HTMLElement>("li[data-index]");
        if (row) setActive(Number(row.dataset["index"]));
      }}
      onScroll={({ currentTarget }) => rememberScroll(restoreAs, currentTarget.scrollTop)}
    >
      <ul style={{ height: list.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <li key={keyOf(rows[index]!)} data-index={index} style={{ transform: `translateY(${start}px)` }}>
            {children(rows[index]!)}
          </li>
        ))}
      </ul>
    </div>
  );
}

function usePrinting(): boolean {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    // The page is drawn for the printer right after the event.
    const begin = () => flushSync(() => setIsPrinting(true));
    const end = () => setIsPrinting(false);
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return isPrinting;
}

const linksOf = (row: HTMLElement) => [...row.querySelectorAll<HTMLElement>("a, button, input, select")];
