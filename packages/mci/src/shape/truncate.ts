import { isObject } from "@mci-ts/primitives/is-object";

export interface TruncateLimits {
  readonly maxItems?: number;
  readonly maxChars?: number;
}

/** Data nested deeper is cut: it would overflow the stack, and no model reads it. */
const MAX_DEPTH = 100;

/** Cuts lists, objects and texts until the value's JSON fits. Each place that was cut says how much is missing there. */
export function truncateJson(
  value: unknown,
  { maxItems = Number.POSITIVE_INFINITY, maxChars = Number.POSITIVE_INFINITY }: TruncateLimits,
): { readonly value: unknown; readonly missing: number } {
  const state = { missing: 0, sizes: new Map<object, number>() };
  const short = truncateItems(value, maxItems, 0, state);
  return { value: fit(short, maxChars, state), missing: state.missing };
}

/** The beginning of a text, and how much follows. */
export function truncateText(text: string, maxChars: number): string {
  const note = `… (${text.length} characters in all)`;
  return text.slice(0, Math.max(0, maxChars - note.length)).toWellFormed() + note;
}

interface State {
  missing: number;
  /** Lengths of the JSON of parts, measured once. */
  readonly sizes: Map<object, number>;
}

function truncateItems(value: unknown, maxItems: number, depth: number, state: State): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (depth >= MAX_DEPTH) {
    state.missing++;
    return "… (nested too deeply)";
  }
  if (!Array.isArray(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, truncateItems(item, maxItems, depth + 1, state)]),
    );
  const kept = value.slice(0, maxItems).map((item) => truncateItems(item, maxItems, depth + 1, state));
  return value.length > kept.length ? [...kept, moreItems(value.length - kept.length, state)] : kept;
}

/** Room for the longest note. */
const NOTE_CHARS = 40;

function fit(value: unknown, room: number, state: State): unknown {
  if (sizeOf(value, state) <= room) return value;
  if (typeof value === "string") return fitText(value, room, state);
  if (Array.isArray(value)) return fitList(value, room, state);
  return isObject(value) ? fitObject(value, room, state) : value;
}

function fitList(list: readonly unknown[], room: number, state: State): unknown[] {
  const kept: unknown[] = [];
  let left = room - NOTE_CHARS - 2;
  for (const item of list) {
    const size = sizeOf(item, state) + 1;
    // One large item is better cut than left out with all that follow.
    if (size > left && (kept.length > 0 || left < NOTE_CHARS * 2)) break;
    kept.push(fit(item, left - 1, state));
    left -= Math.min(size, left);
  }
  return kept.length < list.length ? [...kept, moreItems(list.length - kept.length, state)] : kept;
}

/** Small properties first come with their place; large ones share what is left. */
function fitObject(object: Record<string, unknown>, room: number, state: State): Record<string, unknown> {
  const entries = Object.entries(object);
  const bySize = entries
    .map(([key, item]) => {
      const overhead = JSON.stringify(key).length + 2;
      return { key, item, overhead, size: overhead + sizeOf(item, state) };
    })
    .sort((a, b) => a.size - b.size);
  let left = room - NOTE_CHARS * 2 - 2;
  const kept = new Map<string, unknown>();
  for (const { key, item, overhead, size } of bySize) {
    if (size <= left) {
      kept.set(key, item);
      left -= size;
    } else if (left - overhead > NOTE_CHARS * 3) {
      const share = left - overhead;
      kept.set(key, fit(item, share, state));
      left = 0;
    }
  }
  const result = Object.fromEntries(
    entries.filter(([key]) => kept.has(key)).map(([key]) => [key, kept.get(key)]),
  );
  const missing = entries.length - kept.size;
  if (missing === 0) return result;
  state.missing += missing;
  return { ...result, "…": `${missing} more ${missing === 1 ? "property" : "properties"}` };
}

/** In JSON a character may take six: cut by what the text becomes. */
function fitText(text: string, room: number, state: State): string {
  state.missing++;
  const note = `… (${text.length} characters in all)`;
  let end = Math.max(0, Math.min(text.length, room - note.length - 2));
  while (end > 0 && JSON.stringify(text.slice(0, end)).length + note.length > room)
    end = Math.floor(end * 0.8);
  return text.slice(0, end).toWellFormed() + note;
}

function moreItems(count: number, state: State): string {
  state.missing += count;
  return `… ${count} more ${count === 1 ? "item" : "items"}`;
}

function sizeOf(value: unknown, state: State): number {
  if (typeof value !== "object" || value === null) return JSON.stringify(value)?.length ?? 4;
  const cached = state.sizes.get(value);
  if (cached !== undefined) return cached;
  const size = Array.isArray(value)
    ? value.reduce<number>((sum, item) => sum + sizeOf(item, state) + 1, 2)
    : Object.entries(value).reduce(
        (sum, [key, item]) => sum + JSON.stringify(key).length + 2 + sizeOf(item, state),
        2,
      );
  state.sizes.set(value, size);
  return size;
}
