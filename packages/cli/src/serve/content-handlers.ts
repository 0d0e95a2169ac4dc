import {
  type CompleteResult,
  type GetPromptResult,
  type InputRequiredResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type Server,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { type InputNeeded, type MCIClient, MCIClientError } from "mci-ts";
import type { InputRelay } from "./input/input-relay.ts";
import { MAX_RESULT_BYTES } from "./limit-result.ts";
import type { ReloadableClient } from "./reloadable-client.ts";
import type { WatchedResources } from "./watched-resources.ts";

export interface ContentHandlerOptions {
  readonly relay: InputRelay;
  readonly watched: WatchedResources;
  readonly isGuarded: boolean;
}

/** What a server offers besides tools. */
export function setContentHandlers(
  server: Server,
  client: ReloadableClient,
  options: ContentHandlerOptions,
): void {
  const { relay } = options;
  const { resources, prompts } = client.current.offers;
  if (resources) setResourceHandlers(server, client, options);
  if (prompts)
    server.setRequestHandler("prompts/list", async ({ params }) => {
      const { items, ...page } = paged(await client.current.prompts(), ({ name }) => name, params?.cursor);
      return { prompts: items as never[], ...page };
    });
  if (prompts)
    server.setRequestHandler(
      "prompts/get",
      (request, context) =>
        relay.answer(server, context, request.params, async (options) => {
          const { name, arguments: args = {} } = request.params;
          const result = await use(client, (current) => current.getPrompt(name, args, options));
          return result as unknown as GetPromptResult | InputNeeded;
        }) as Promise<GetPromptResult | InputRequiredResult>,
    );
  server.setRequestHandler("completion/complete", async ({ params }, { mcpReq }) => {
    const { ref, argument, context } = params;
    const target = ref.type === "ref/prompt" ? { prompt: ref.name } : { resourceTemplate: ref.uri };
    const options = { signal: mcpReq.signal, ...(context?.arguments && { given: context.arguments }) };
    return (await use(client, (current) => current.complete(target, argument, options))) as CompleteResult;
  });
}

function setResourceHandlers(
  server: Server,
  client: ReloadableClient,
  { relay, watched, isGuarded }: ContentHandlerOptions,
): void {
  server.setRequestHandler("resources/list", async ({ params }) => {
    const { items, ...page } = paged(await client.current.resources(), ({ uri }) => uri, params?.cursor);
    return { resources: items as never[], ...page };
  });
  server.setRequestHandler("resources/templates/list", async ({ params }) => {
    const all = await client.current.resourceTemplates();
    const { items, ...page } = paged(all, ({ uriTemplate }) => uriTemplate, params?.cursor);
    return { resourceTemplates: items as never[], ...page };
  });
  server.setRequestHandler(
    "resources/read",
    (request, context) =>
      relay.answer(server, context, request.params, async (options) => {
        const { uri } = request.params;
        const result = await use(client, (current) => current.readResource(uri, options), uri);
        // The server behind does not know who may read it here.
        const shared = isGuarded && "cacheScope" in result ? { ...result, cacheScope: "private" } : result;
        return shared as unknown as ReadResourceResult | InputNeeded;
      }) as Promise<ReadResourceResult | InputRequiredResult>,
  );
  // Before 2026 clients subscribe to one resource at a time.
  server.setRequestHandler("resources/subscribe", async ({ params }, context) => {
    await watched.add(ownerOf(server, context), params.uri);
    return {};
  });
  server.setRequestHandler("resources/unsubscribe", async ({ params }, context) => {
    await watched.remove(ownerOf(server, context), params.uri);
    return {};
  });
}

/** Over HTTP each request has a server of its own; the session's id tells who asks. */
function ownerOf(server: Server, { http }: ServerContext): unknown {
  return http?.req?.headers.get("mcp-session-id") ?? server;
}

/** Calls the current version. Its errors become those of the protocol. */
export async function use<T>(
  client: ReloadableClient,
  work: (current: MCIClient) => Promise<T>,
  uri = "",
): Promise<T> {
  try {
    return await client.use(work);
  } catch (error) {
    if (!(error instanceof MCIClientError)) throw error;
    if (error.code === "resource_not_found") throw new ResourceNotFoundError(uri, error.message);
    const isAboutRequest = error.code === "prompt_not_found" || error.code === "invalid_input";
    const code = isAboutRequest ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError;
    throw new ProtocolError(code, error.message);
  }
}

export function paged<T>(all: readonly T[], keyOf: (item: T) => string, cursor: string | undefined) {
  const page = pageOf(all, keyOf, cursor);
  if (page === undefined)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid cursor. Begin again without one.");
  return page;
}

/** Big enough that nearly every list is one page (some clients ask for no second), small enough to come quickly. */
const PAGE_SIZE = 200;

interface ListPage<T> {
  readonly items: T[];
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/**
 * A page of a list. A cursor names the last item of its page, so that any process that serves the file understands it. Undefined
 * if the cursor is none of ours, or its item is gone. An item that no message can hold is left out.
 */
function pageOf<T>(
  items: readonly T[],
  keyOf: (item: T) => string,
  cursor: string | undefined,
): ListPage<T> | undefined {
  const last = cursor === undefined ? undefined : Buffer.from(cursor, "base64url").toString();
  const index = last === undefined ? -1 : items.findIndex((item) => keyOf(item) === last);
  if (last !== undefined && index === -1) return undefined;
  const page: T[] = [];
  let bytes = 0;
  let position = index + 1;
  for (; position < items.length && page.length < PAGE_SIZE; position++) {
    const size = Buffer.byteLength(JSON.stringify(items[position])) + 1;
    if (size > MAX_RESULT_BYTES) continue;
    if (bytes + size > MAX_RESULT_BYTES) break;
    bytes += size;
    page.push(items[position]!);
  }
  if (position >= items.length) return { items: page };
  return { items: page, nextCursor: Buffer.from(keyOf(items[position - 1]!)).toString("base64url") };
}
