import { isObject } from "@mci-ts/primitives/is-object";
import type { Input, InputReader } from "./input.ts";

/** Values that the file that includes a tool gives it, whatever the tool's schema says. */
export interface OwnValues {
  /** Sent with every call, exactly as the file has them. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** Names that no caller can give a value to. All fixed ones are among them. */
  readonly hidden: ReadonlySet<string>;
  /** Used where the caller gives no value. */
  readonly defaults: Readonly<Record<string, unknown>>;
}

/**
 * Reads a caller's input together with the file's own values. They are put into what the reader gets, so that the whole is
 * checked, and again into what it returns, because a schema may drop, convert or fill in anything.
 */
export function fixedInput(read: InputReader, own: OwnValues): InputReader {
  return (value) => {
    if (value !== undefined && value !== null && !isObject(value)) return read(value);
    const all = Object.entries(value ?? {});
    const allowed = all.filter(([name]) => !own.hidden.has(name));
    const input = read({ ...own.defaults, ...Object.fromEntries(allowed), ...structuredClone(own.fixed) });
    const refused = all.flatMap(([name]) => (own.hidden.has(name) ? name : []));
    // The file's own values are not the caller's mistake, even if the schema has no place for them.
    const ignored = input.ignored.filter((name) => allowed.some(([allowedName]) => allowedName === name));
    return { ...enforced(input, own), ignored: [...refused, ...ignored] };
  };
}

/** What is left under a hidden name that is not fixed is a default; the caller's value never reached the reader. */
function enforced({ props, absent }: Input, { fixed }: OwnValues): Pick<Input, "props" | "absent"> {
  const names = Object.keys(fixed);
  if (names.length === 0) return { props, absent };
  return {
    // Spread, not assigned: `__proto__` is a name as any other.
    props: { ...props, ...structuredClone(fixed) },
    absent: new Set([...absent].filter((name) => !names.includes(name))),
  };
}
