import { MAX_RESULT_BYTES } from "./limit-result.ts";

/** Big enough that nearly every list is one page (some clients ask for no second), small enough to come quickly. */
export const PAGE_SIZE = 200;

export interface ListPage<T> {
  readonly items: T[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/**
 * A page of a list. A cursor names the last item of its page, so that any process that serves the file understands it. Undefined
 * if the cursor is none of ours, or its item is gone. An item that no message can hold is left out.
 */
export function pageOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  cursor: string | undefined,
): ListPage<T> | undefined {
  const last = cursor === undefined ? undefined : Buffer.from(cursor, "base64url").toString();
  const index = last === undefined ? -1 : items.findIndex((item) => keyOf(item) === last);
  if (last !== undefined && index === -1) return undefined;
  const page: T[] = [];
  let bytes = 0;
  let position = index + 1;
  for (; position < items.length && page.length < PAGE_SIZE; position++) {
    const size = Buffer.byteLength(JSON.stringify(items[position])) + 1;
    if (size > MAX_RESULT_BYTES) continue;
    if (bytes + size > MAX_RESULT_BYTES) break;
    bytes += size;
    page.push(items[position]!);
  }
  if (position >= items.length) return { items: page };
  return { items: page, nextCursor: Buffer.from(keyOf(items[position - 1]!)).toString("base64url") };
}
