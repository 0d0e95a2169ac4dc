import type { Source } from "../read.ts";
import { parseJson } from "./json.ts";
import type { Parsed } from "./parsed.ts";

export type { Parsed } from "./parsed.ts";

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
