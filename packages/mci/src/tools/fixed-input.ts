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
  /** The tool's whole schema, as far as it is known. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Reads a caller's input together with the file's own values. They are put into what the reader gets, so that the whole is
 * checked, and again into what it returns, because a schema may drop, convert or fill in anything.
 */
export function fixedInput(read: InputReader, own: OwnValues): InputReader {
  const isHidden = hiddenNames(own);
  return (value) => {
    if (value !== undefined && value !== null && !isObject(value)) return read(value);
    const all = Object.entries(value ?? {});
    const refused = new Set(all.flatMap(([name]) => (isHidden(name) ? name : [])));
    const allowed = Object.fromEntries(all.filter(([name]) => !refused.has(name)));
    const input = read({ ...own.defaults, ...allowed, ...structuredClone(own.fixed) });
    // The file's own values are not the caller's mistake, even if the schema has no place for them.
    const ignored = input.ignored.filter((name) => Object.hasOwn(allowed, name));
    return { ...enforced(input, own), ignored: [...refused, ...ignored] };
  };
}

/**
 * Whether a caller may not use a name: a hidden one, or one that a server could take for it. Readers of JSON in Go and .NET
 * ignore case, those of Protocol Buffers take `owner_id` for `ownerId`. A name that the schema itself lists is another property.
 */
function hiddenNames({ hidden, schema }: OwnValues): (name: string) => boolean {
  const properties = isObject(schema?.["properties"]) ? schema["properties"] : {};
  const similar = new Set([...hidden].map(folded));
  return (name) => hidden.has(name) || (similar.has(folded(name)) && !Object.hasOwn(properties, name));
}

/** Without case, separators and the several forms that Unicode has for one character. */
function folded(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[-_\s]/g, "");
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
