import { readSource, type Source } from "../read.ts";
import { parseJson } from "./json.ts";
import type { Parsed } from "./parsed.ts";

export type { Parsed } from "./parsed.ts";

/** A file that was read and parsed, and its absolute path. */
export interface ParsedFile extends Parsed {
  readonly path: string;
}

export type ParseFile = (path: string | URL) => Promise<ParsedFile>;

export const parseFile: ParseFile = async (path) => {
  const source = await readSource(path);
  return { ...(await parseSource(source)), path: source.path };
};

/** Reads and parses every file once, also one that fails. For several users of the same files, such as load and lint. */
export function cachedParser(): ParseFile {
  const files = new Map<string, Promise<ParsedFile>>();
  return (path) => {
    const key = String(path);
    const parsed = files.get(key) ?? parseFile(path);
    files.set(key, parsed);
    return parsed;
  };
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
