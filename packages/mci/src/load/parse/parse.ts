import { hasDuplicateKeys } from "@mci-ts/primitives/duplicate-keys";
import { readSource, type Source, sourceOf } from "../read.ts";
import type { Parsed } from "./parsed.ts";

export type { Parsed } from "./parsed.ts";

/** A file that was read and parsed, and its absolute path. */
export interface ParsedFile extends Parsed {
  readonly path: string;
}

/** `isReadable` is asked about the file that was opened, its symbolic links resolved. Default: every file is readable. */
export type ParseFile = (path: string | URL, isReadable?: (real: string) => boolean) => Promise<ParsedFile>;

export const parseFile: ParseFile = async (path, isReadable) => {
  const source = await readSource(path, { isReadable });
  return { ...(await parseSource(source)), path: source.path };
};

/**
 * Reads and parses every file once, also one that fails. For several users of the same files, such as load and lint.
 * `unsaved` is text that stands in for one of them.
 */
export function cachedParser(unsaved?: { path: string | URL; text: string }): ParseFile {
  const files = new Map<string, Promise<ParsedFile>>();
  return (path, isReadable) => {
    const key = String(path);
    const isUnsaved = unsaved !== undefined && key === String(unsaved.path);
    const parsed =
      files.get(key) ?? (isUnsaved ? parseText(path, unsaved.text) : parseFile(path, isReadable));
    files.set(key, parsed);
    return parsed;
  };
}

async function parseText(path: string | URL, text: string): Promise<ParsedFile> {
  const source = sourceOf(path, text);
  return { ...(await parseSource(source)), path: source.path };
}

/** Throws `MCIClientError` with every syntax error. The YAML library is loaded only for YAML files. */
export async function parseSource(source: Source): Promise<Parsed> {
  if (source.format === "json") return parseJson(source);
  const { parseYaml } = await import("./yaml.ts");
  return parseYaml(source);
}

/** The same for a document that is already in memory. */
export function parseObject(data: unknown): Parsed {
  return { data, rawNumbers: [], warnings: async () => [], locator: async () => () => undefined };
}

/** JSON.parse as long as all is well; a parser that knows positions only when there is something to point at. */
async function parseJson({ file, text }: Source): Promise<Parsed> {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch (cause) {
    const { jsonSyntaxError } = await import("./json-errors.ts");
    throw jsonSyntaxError(file, text, cause);
  }
  let tree: Promise<import("./json-positions.ts").JsonTree> | undefined;
  const built = () => {
    tree ??= import("./json-positions.ts").then(({ jsonTree }) => jsonTree(file, text));
    return tree;
  };
  return {
    file,
    data,
    rawNumbers: UNUSUAL_NUMBER.test(text) ? (await built()).rawNumbers() : [],
    warnings: async () => (hasDuplicateKeys(text, data) ? (await built()).duplicateKeys() : []),
    locator: async () => (await built()).locate,
  };
}

/** A number that JavaScript may write in another way: `1.10`, `1e3`, `-0`, or more digits than it can hold. */
const UNUSUAL_NUMBER = /[:[,]\s*-?(?:\d{16}|\d+\.\d*0(?!\d)|\d+\.\d{16}|\d+(?:\.\d+)?[eE]|(?<=-)0(?![\d.]))/;
