import { isObject } from "../is-object.ts";
import type { InputReader } from "./input.ts";

/** Reads a caller's input with the values that the file fixes: what the caller gives for a hidden property is dropped. */
export function fixedInput(
  read: InputReader,
  fixed: Readonly<Record<string, unknown>>,
  hidden: ReadonlySet<string>,
): InputReader {
  return (given) => {
    if (given !== undefined && given !== null && !isObject(given)) return read(given);
    const own = Object.entries(given ?? {}).filter(([name]) => !hidden.has(name));
    return read({ ...Object.fromEntries(own), ...structuredClone(fixed) });
  };
}
