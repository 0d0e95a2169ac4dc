import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef } from "react";

/** A list that scrolls on its own and renders only the rows in view. */
export function VirtualList<T>({
  rows,
  rowPx,
  keyOf,
  children,
  label,
  className = "run-rows",
  more,
  restoreAs,
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
  /** Names the list, so that it is where it was when it is shown again. Default: it begins at its top. */
  restoreAs?: string;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  useScrollPlace(scroller, restoreAs);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowPx,
    overscan: 10,
  });
  const items = list.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - 5) more?.();
  }, [last, rows.length]);
  return (
    <div className={`${className} scroll`} ref={scroller} tabIndex={0} role="region" aria-label={label}>
      <ul style={{ height: list.getTotalSize() }}>
        {items.map(({ index, start }) => (
          <li key={keyOf(rows[index]!)} style={{ transform: `translateY(${start}px)` }}>
            {children(rows[index]!)}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Where lists were left, by their names; until the page is reloaded. */
const places = new Map<string, number>();

function useScrollPlace(scroller: RefObject<HTMLDivElement | null>, name: string | undefined): void {
  useLayoutEffect(() => {
    const element = scroller.current;
    if (name === undefined || !element) return;
    element.scrollTop = places.get(name) ?? 0;
    const note = () => places.set(name, element.scrollTop);
    element.addEventListener("scroll", note, { passive: true });
    return () => element.removeEventListener("scroll", note);
  }, [name]);
}
