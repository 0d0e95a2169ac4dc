import { ToolError } from "../../errors.ts";
import { selectJson } from "../../json/select-json.ts";
import type { Outcome } from "../../result.ts";
import { DEFAULT_MAX_ITEMS, DEFAULT_MAX_PAGES, type Pagination } from "../../schema/pagination.ts";
import type { Call } from "../executor.ts";
import type { HttpRequest } from "./request.ts";
import type { RawResponse } from "./transport.ts";
import { replaceParameter } from "./url/query.ts";

export interface Page {
  readonly response: RawResponse;
  readonly outcome: Outcome;
}

/**
 * Asks for the pages after the first and joins their items. Where a page says its successor lies is the server's word:
 * only the path and query of it count, and only on the origin that the file names.
 */
export async function joinPages(
  first: Page,
  request: HttpRequest,
  settings: Pagination,
  { onProgress, limits }: Pick<Call, "onProgress" | "limits">,
  fetchPage: (request: HttpRequest) => Promise<Page>,
): Promise<Outcome> {
  const { maxPages = DEFAULT_MAX_PAGES, maxItems = DEFAULT_MAX_ITEMS } = settings;
  const items: unknown[] = [];
  const seen = new Set<string>();
  let page = first;
  let path = request.path;
  let bytes = 0;
  let next: NextPage;
  let pages = 0;
  for (;;) {
    pages++;
    bytes += page.response.body.length;
    for (const item of await itemsOf(page, settings)) items.push(item);
    seen.add(path);
    onProgress?.({ progress: pages, message: `page ${pages}, ${items.length} items` });
    next = await nextPath(page, path, request.target.origin, settings);
    const isEnd = next === undefined || typeof next === "object" || seen.has(next);
    if (isEnd || pages >= maxPages || items.length >= maxItems || bytes >= limits.maxResponseBytes) break;
    path = next as string;
    page = await fetchPage({ ...request, path });
  }
  const kept = items.slice(0, maxItems);
  const refused = typeof next === "object" ? next.refused : undefined;
  const isUnread = refused !== undefined || (typeof next === "string" && !seen.has(next));
  const hasMore = isUnread || kept.length < items.length;
  const limit =
    items.length >= maxItems ? "maxItems" : pages >= maxPages ? "maxPages" : "limits.maxResponseBytes";
  const reason = refused ?? `pagination ended at ${limit}`;
  const nothing = await nothingToJoin(first, settings);
  const notes = [
    ...(nothing === undefined ? [] : [nothing]),
    ...(hasMore ? [`There is more: ${reason}. Pages read: ${pages}, items: ${kept.length}.`] : []),
  ];
  return {
    content: [{ type: "text", text: JSON.stringify(kept, null, 2) }],
    structuredContent: kept,
    metadata: { pages, has_more: hasMore },
    ...(notes.length === 0 ? {} : { notes }),
  };
}

/** A path; why there is one that is not followed; undefined: the list ends here. */
type NextPage = string | { readonly refused: string } | undefined;

/** An expression that finds nothing is a mistake, or an empty list that the server leaves out. */
async function nothingToJoin({ outcome }: Page, { items }: Pagination): Promise<string | undefined> {
  if (items === undefined) return undefined;
  const found = await search(outcome.structuredContent, items);
  return (found ?? null) === null
    ? `pagination.items '${items.slice(0, 200)}' found nothing in the first page: nothing matches it, or the value is null.`
    : undefined;
}

async function itemsOf({ outcome }: Page, { items }: Pagination): Promise<readonly unknown[]> {
  const value = outcome.structuredContent;
  const list = items === undefined ? value : ((await search(value, items)) ?? []);
  if (Array.isArray(list)) return list;
  const where = items === undefined ? "The page" : `'${items}' of the page`;
  throw new ToolError(
    "result_not_json",
    `${where} is not a list, and pagination joins lists. Set pagination.items.`,
  );
}

async function nextPath(
  { response, outcome }: Page,
  path: string,
  origin: string,
  { next }: Pagination,
): Promise<NextPage> {
  const found = next === "link" ? linkedNext(response) : await search(outcome.structuredContent, next.select);
  if (found === undefined || found === null || found === "" || found === false) return undefined;
  if (typeof found !== "string" && typeof found !== "number")
    return found === true ? undefined : { refused: "the next page is neither a text nor a number" };
  if (next !== "link" && next.param !== undefined) return replaceParameter(path, next.param, String(found));
  const base = origin + path;
  const url = URL.canParse(String(found), base) ? new URL(String(found), base) : undefined;
  if (url?.origin === origin) return url.pathname + url.search;
  return { refused: `the next page is not on ${origin}` };
}

/** The target of `rel="next"`. Read without a pattern that could take long over a hostile header. */
function linkedNext({ headers }: RawResponse): string | undefined {
  const value = [headers["link"] ?? []].flat().join(", ");
  for (const part of value.split("<").slice(1)) {
    const end = part.indexOf(">");
    const isNext = /;\s{0,9}rel\s{0,9}=\s{0,9}"?[^",;]{0,99}\bnext\b/i.test(part.slice(end + 1));
    if (end > 0 && isNext) return part.slice(0, end);
  }
  return undefined;
}

function search(value: unknown, expression: string): Promise<unknown> {
  return selectJson(value, expression, `'${expression}' cannot be applied to the page`);
}
