import type { Problem } from "../../errors.ts";
import type { ContentSource, LoadedContent } from "./content.ts";

/** Names in a warning; the rest is counted. */
const MAX_NAMED = 5;

/** What the file includes of a server and does not offer, because something before it has the same name or address. */
export function hiddenContent(parts: readonly LoadedContent[]): Problem[] {
  if (parts.length < 2) return [];
  return [
    ...hidden(parts, "prompts", "name", ({ prompts }) =>
      prompts.map(({ listed, source }) => [listed.name, source]),
    ),
    ...hidden(parts, "resources", "address", ({ resources }) =>
      resources.map(({ listed, source }) => [listed.uri, source]),
    ),
    ...hidden(parts, "resource templates", "address", ({ templates }) =>
      templates.map(({ listed, source }) => [listed.uriTemplate, source]),
    ),
  ];
}

function hidden(
  parts: readonly LoadedContent[],
  kind: string,
  by: string,
  keysOf: (part: LoadedContent) => readonly (readonly [key: string, source: ContentSource])[],
): Problem[] {
  const seen = new Set<string>();
  const byServer = new Map<string, string[]>();
  for (const [key, source] of parts.flatMap(keysOf)) {
    if (seen.size < seen.add(key).size || !("server" in source)) continue;
    const keys = byServer.get(source.server) ?? [];
    keys.push(key);
    byServer.set(source.server, keys);
  }
  return [...byServer].map(([server, keys]) => {
    const more = keys.length > MAX_NAMED ? ` and ${keys.length - MAX_NAMED} more` : "";
    return {
      message: `Of MCP server '${server}', ${kind} are hidden by others of the same ${by}: ${keys.slice(0, MAX_NAMED).join(", ")}${more}`,
      ...(by === "name" && { hint: "give the server a prefix" }),
      severity: "warning" as const,
    };
  });
}
