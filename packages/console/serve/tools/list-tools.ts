import type { MCIClient, Tool } from "mci-ts";
import { ApiFailure } from "./failure.ts";
import { json } from "./json-response.ts";
import { MadeOnce } from "./made-once.ts";
import { searchWords } from "./search-words.ts";
import { serverStates } from "./server-states.ts";
import type { Endpoint } from "./source.ts";
import type { ToolDetail, ToolPage, ToolSummary } from "./types.ts";

const PAGE = 200;
/** Tools of a search that have only some of its words; the worst of many help no one. */
const MAX_PARTIAL = 20;
/** Tools that the library ranks. */
const MAX_RANKED = 1000;

export const listTools: Endpoint = async (source, { query }) => {
  const client = source.client();
  const all = summariesOf(client);
  const loadError = source.loadError();
  const logins = source.logins?.list() ?? [];
  const text = query.get("q") ?? "";
  const [tag, from] = [query.get("tag"), query.get("source")];
  const found = text.trim() === "" ? all : await searchSummaries(client, all, text);
  const matching = found.filter(
    (tool) => (tag === null || tool.tags.includes(tag)) && (from === null || tool.source === from),
  );
  const start = Number(query.get("cursor") ?? 0) || 0;
  const failed = serverStates(client).filter(({ state }) => state === "failed");
  const page: ToolPage = {
    file: source.file,
    writable: source.writable,
    ...(loadError === undefined ? {} : { load_error: loadError }),
    ...(logins.length === 0 ? {} : { logins }),
    ...(failed.length === 0 ? {} : { failed_servers: failed.map(({ name }) => name) }),
    tools: matching.slice(start, start + PAGE),
    total: matching.length,
    tags: [...new Set(all.flatMap(({ tags }) => tags))].sort(),
    sources: [...new Set(all.map((tool) => tool.source))].sort(),
    next_cursor: start + PAGE < matching.length ? String(start + PAGE) : null,
  };
  return json(page);
};

/**
 * Tools that have every word, in any order, as the library ranks them; then those that fit some of the words. The library knows whole
 * words and their forms; what is only typed half is found by its letters.
 */
async function searchSummaries(
  client: MCIClient,
  all: readonly ToolSummary[],
  text: string,
): Promise<readonly ToolSummary[]> {
  const words = searchWords(text);
  const ranked = await client.search(text, { limit: MAX_RANKED });
  const ranks = new Map(ranked.map(({ tool }, index) => [tool.name, index]));
  const rankOf = ({ name }: ToolSummary) => ranks.get(name) ?? MAX_RANKED;
  const named = (tool: ToolSummary) => (tool.name.toLowerCase().includes(text.trim().toLowerCase()) ? 0 : 1);
  const complete = all
    .filter(({ name, title = "", description = "", tags }) => {
      const written = `${name} ${title} ${description} ${tags.join(" ")}`.toLowerCase();
      return words.every((word) => written.includes(word));
    })
    .toSorted((one, other) => named(one) - named(other) || rankOf(one) - rankOf(other));
  const listed = new Set(complete.map(({ name }) => name));
  const byName = new Map(all.map((summary) => [summary.name, summary]));
  const partial = ranked
    .filter(({ tool }) => !listed.has(tool.name))
    .slice(0, MAX_PARTIAL)
    .flatMap(({ tool }) => byName.get(tool.name) ?? []);
  return [...complete, ...partial];
}

export const showTool: Endpoint = (source, _, name) => json(detailOf(source.client(), name));

export function detailOf(client: MCIClient, name: string): ToolDetail {
  const tool = findTool(client, name);
  const { outputSchema } = tool as { outputSchema?: unknown };
  return {
    ...summarize(tool),
    inputSchema: client.getToolSchema(name),
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
  };
}

export function findTool(client: MCIClient, name: string): Tool {
  const [tool] = client.only([name]);
  if (!tool) throw new ApiFailure(404, "tool_not_found", `The file has no tool "${name}".`);
  return tool;
}

const summaries = new MadeOnce<readonly ToolSummary[]>();

function summariesOf(client: MCIClient): readonly ToolSummary[] {
  return summaries.get(client, "tools", () => client.tools().map(summarize));
}

function summarize(tool: Tool): ToolSummary {
  return {
    name: tool.name,
    ...(tool.annotations?.title === undefined ? {} : { title: tool.annotations.title }),
    ...(tool.description === undefined ? {} : { description: tool.description }),
    tags: tool.tags ?? [],
    source:
      tool.execution.type === "mcp" ? `mcp:${tool.execution.serverName}` : (tool.toolsetSource ?? "main"),
    type: tool.execution.type,
  };
}
