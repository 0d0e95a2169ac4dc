import { traced } from "@mci-ts/primitives/tracing";
import { type Implementation, ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import { callTool } from "./call-tool.ts";
import { setContentHandlers } from "./content-handlers.ts";
import type { InputRelay } from "./input/input-relay.ts";
import type { ServedCaller } from "./issuer/caller-access.ts";
import type { ReloadableClient } from "./reloadable-client.ts";
import { SKILLS, setSkillHandlers } from "./skill-handlers.ts";
import type { CallTasks } from "./tasks/call-tasks.ts";
import { setTaskHandlers, TASKS } from "./tasks/task-handlers.ts";
import type { WatchedResources } from "./watched-resources.ts";

export interface McpServerOptions {
  readonly identity: Implementation;
  /** Sent to the client with the tools, for its model. Default: none. */
  readonly instructions?: string;
  /** Whether clients are notified when a list changes. */
  readonly listChanged: boolean;
  /** Who sends the requests, where an issuer says it. Default: not known, and every tool is theirs. */
  readonly caller?: ServedCaller | undefined;
  readonly relay: InputRelay;
  readonly watched: WatchedResources;
  readonly tasks: CallTasks;
  /** Whether clients need a token: then no one else may be given what they got. */
  readonly isGuarded: boolean;
}

/** An MCP server for the tools. Each connection or HTTP request gets its own; they all share the same tools. */
export function createMcpServer(client: ReloadableClient, options: McpServerOptions): Server {
  const { identity, instructions, listChanged, relay, watched, caller, tasks, isGuarded } = options;
  const pages = () => client.pagesFor(caller?.filters);
  const changes = listChanged ? { listChanged } : {};
  // Scopes name tools: who may use some of them gets nothing else of the file.
  const { resources, prompts, skills } = caller?.filters === undefined ? client.current.offers : NOTHING;
  const server = new Server(identity, {
    capabilities: {
      tools: changes,
      ...(resources && { resources: { ...changes, ...(listChanged && { subscribe: true }) } }),
      ...(prompts && { prompts: changes }),
      ...((resources || prompts) && { completions: {} }),
      ...((skills || tasks.isOffered) && {
        extensions: {
          ...(skills && { [SKILLS]: { directoryRead: true } }),
          ...(tasks.isOffered && { [TASKS]: {} }),
        },
      }),
    },
    instructions,
    requestState: { verify: relay.states.verify },
  });

  server.setRequestHandler("tools/list", ({ params }) => {
    const page = pages().page(params?.cursor);
    if (page === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid cursor. Begin again without one.");
    return { ...page };
  });
  // What waits for an answer belongs to who asked.
  const owner = caller?.identity.sub ?? "";
  relay.bind(server, owner);
  server.setRequestHandler("tools/call", ({ params }, context) =>
    traced(
      () => callSpan(pages().find(params.name)?.tool.name, context.mcpReq._meta),
      async (span) => {
        const result = await tasks.call(owner, params.name, context, (request, hooks) =>
          callTool({ server, client, relay, caller, pages, hooks }, params, request),
        );
        if ("isError" in result && result.isError === true) span?.fail("tool_error");
        return result;
      },
    ),
  );
  if (tasks.isOffered) setTaskHandlers(server, () => tasks.store(), owner);
  if (resources || prompts) setContentHandlers(server, client, { relay, watched, isGuarded });
  if (skills) setSkillHandlers(server, client);
  return server;
}

/** By the conventions for MCP. A name that no tool has stays out of it: a client may send any text. */
function callSpan(tool: string | undefined, meta: Readonly<Record<string, unknown>> | undefined) {
  return {
    name: tool === undefined ? "tools/call" : `tools/call ${tool}`,
    kind: "server" as const,
    attributes: {
      "mcp.method.name": "tools/call",
      "gen_ai.operation.name": "execute_tool",
      ...(tool !== undefined && { "gen_ai.tool.name": tool }),
    },
    meta: meta ?? {},
  };
}

const NOTHING = { resources: false, prompts: false, skills: false };
