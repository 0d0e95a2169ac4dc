import { type RefObject, useLayoutEffect, useRef } from "react";

const MOVE_MS = 220;

/** Rows of a list that change places glide to the new one. `order` changes with the places. */
export function useMovingRows(list: RefObject<HTMLElement | null>, order: string): void {
  const places = useRef(new Map<Element, number>());
  useLayoutEffect(() => {
    const before = places.current;
    const rows = [...(list.current?.children ?? [])] as HTMLElement[];
    places.current = new Map(rows.map((row) => [row, row.offsetTop]));
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const row of rows) {
      const from = before.get(row);
      if (from !== undefined && from !== row.offsetTop)
        row.animate([{ transform: `translateY(${from - row.offsetTop}px)` }, { transform: "none" }], {
          duration: MOVE_MS,
          easing: "ease-out",
        });
    }
  }, [list, order]);
}
