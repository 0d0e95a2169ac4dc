import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useRef } from "react";

/** A list that scrolls on its own and renders only the rows in view. */
export function VirtualList<T>({
  rows,
  rowPx,
  keyOf,
  children,
  label,
  className = "run-rows",
  more,
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
}) {
  const scroller = useRef<HTMLDivElement>(null);
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
