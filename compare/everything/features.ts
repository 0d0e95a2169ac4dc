import { setTimeout as sleep } from "node:timers/promises";
import type { Seen } from "./connect.ts";

/** Something of the server that a client can see. */
export interface Feature {
  readonly name: string;
  /** What is seen; compared as JSON. */
  see(seen: Seen): Promise<unknown>;
  /** Why it may differ; a difference without a reason is a defect. */
  readonly reason?: string;
  /** What differs is said in another way, or more is said: a client misses nothing. Default: the revision of 2026-07-28 has no such thing. */
  readonly isKept?: boolean;
}

const call =
  (name: string, args: Record<string, unknown> = {}) =>
  async ({ client }: Seen) =>
    client.callTool({ name, arguments: args });

const sorted = <T extends Record<string, unknown>>(items: readonly T[], key: string) =>
  [...items].sort((a, b) => (String(a[key]) < String(b[key]) ? -1 : 1));

/** Waits for what a server sends by itself. */
async function until(isThere: () => boolean): Promise<void> {
  for (let waited = 0; !isThere() && waited < 12_000; waited += 50) await sleep(50);
}

const DEPRECATED = "deprecated by the revision of 2026-07-28 (SEP-2577)";

/** In this order: some change what later ones see. */
export const FEATURES: readonly Feature[] = [
  {
    name: "name, version and title of the server",
    see: async ({ client }) => client.getServerVersion(),
    reason: "the file is the server: its own metadata names it",
    isKept: true,
  },
  {
    name: "instructions for the model (quoted, under the server's name)",
    see: async ({ client }) => unquoted(client.getInstructions()),
  },
  {
    name: "capabilities: tools, resources, prompts, completions",
    see: async ({ client }) => {
      const { tools, resources, prompts, completions } = client.getServerCapabilities() ?? {};
      return { tools, resources, prompts, completions };
    },
  },
  {
    name: "capabilities: logging",
    see: async ({ client }) => client.getServerCapabilities()?.logging,
    reason: DEPRECATED,
  },
  {
    name: "capabilities: tasks of 2025-11-25",
    see: async ({ client }) => client.getServerCapabilities()?.tasks,
    reason:
      "experimental there, and removed by the revision of 2026-07-28; its tools can be called, and tasks are offered by the extension",
  },
  { name: "ping", see: async ({ client }) => client.ping() },
  {
    name: "names of tools, but those about roots and sampling (below)",
    see: async ({ client }) =>
      (await client.listTools()).tools
        .map(({ name }) => name)
        .filter((name) => !/roots|sampling-request$/.test(name))
        .sort(),
  },
  ...["title", "description", "outputSchema", "icons", "_meta"].map(
    (part): Feature => ({ name: `tools: ${part}`, see: (seen) => partOfTools(seen, part) }),
  ),
  {
    name: "tools: inputSchema",
    see: async (seen) => withoutKey(await partOfTools(seen, "inputSchema"), "$schema"),
  },
  {
    name: "tools: the dialect of inputSchema ($schema)",
    see: async (seen) =>
      Object.values(await partOfTools(seen, "inputSchema")).map(
        (schema) => (schema as { $schema?: string }).$schema,
      ),
    reason: "all are listed in 2020-12, which needs no name; keywords of older drafts are translated",
    isKept: true,
  },
  {
    name: "tools: hints in annotations",
    see: async (seen) => withoutKey(await partOfTools(seen, "annotations"), "title"),
  },
  {
    name: "tools: title in annotations",
    see: async (seen) =>
      Object.values(await partOfTools(seen, "annotations")).map(
        (each) => (each as { title?: string } | undefined)?.title,
      ),
    reason: "a tool's own title is repeated there, for clients before 2025-06-18",
    isKept: true,
  },
  { name: "call: text", see: call("echo", { message: "Hällo" }) },
  { name: "call: numbers", see: call("get-sum", { a: 1, b: 2.5 }) },
  { name: "call: an image", see: call("get-tiny-image") },
  { name: "call: structured content", see: call("get-structured-content", { location: "Chicago" }) },
  {
    name: "call: annotated content",
    see: async (seen) =>
      Promise.all(
        ["error", "success", "debug"].map((messageType) =>
          call("get-annotated-message", { messageType, includeImage: true })(seen),
        ),
      ),
  },
  { name: "call: resource links", see: call("get-resource-links", { count: 4 }) },
  {
    name: "call: an embedded resource",
    see: call("get-resource-reference", { resourceType: "Text", resourceId: 1 }),
  },
  {
    name: "call: an embedded file, compressed",
    see: call("gzip-file-as-resource", {
      name: "a.gz",
      data: "data:text/plain,hello",
      outputType: "resource",
    }),
  },
  {
    name: "call: a tool that is not there",
    see: async (seen) => {
      const result = await call("none")(seen).catch((error: { code?: number }) => ({ code: error.code }));
      return "code" in result ? "error of the protocol" : { isError: result.isError };
    },
    reason:
      "an error of the protocol, as the specification asks for; the server responds with a failed result",
    isKept: true,
  },
  {
    name: "call: arguments that do not fit",
    see: async (seen) => ({ isError: (await call("get-sum", { a: "x" })(seen)).isError }),
  },
  {
    name: "call: progress",
    see: async ({ client }) => {
      const progress: unknown[] = [];
      const result = await client.callTool(
        { name: "trigger-long-running-operation", arguments: { duration: 0.4, steps: 4 } },
        { onprogress: (each) => void progress.push(each) },
      );
      // The last one is sent beside the result, and a client drops what comes after that.
      return { progress: progress.slice(0, 3), result };
    },
  },
  {
    name: "call: cancelled by the client",
    see: async ({ client }) => {
      const abort = new AbortController();
      const args = { duration: 30, steps: 3 };
      const running = client.callTool(
        { name: "trigger-long-running-operation", arguments: args },
        { signal: abort.signal },
      );
      setTimeout(() => abort.abort(), 200);
      const isCancelled = await running.then(
        () => false,
        () => true,
      );
      return { isCancelled, next: await client.callTool({ name: "echo", arguments: { message: "after" } }) };
    },
  },
  {
    name: "call: the server asks by a form",
    see: async (seen) => {
      seen.events.length = 0;
      const result = await call("trigger-elicitation-request")(seen);
      return { result, asked: withoutMeta(seen.events) };
    },
  },
  {
    name: "call: the server asks by an address",
    see: async (seen) => {
      seen.events.length = 0;
      const args = { url: "https://example.com/login", message: "Please log in", elicitationId: "e-1" };
      const result = await call("trigger-url-elicitation", args)(seen).catch(String);
      return { result, asked: withoutMeta(seen.events) };
    },
  },
  {
    name: "resources",
    see: async ({ client }) => sorted((await client.listResources()).resources, "uri"),
  },
  {
    name: "resource templates",
    see: async ({ client }) =>
      sorted((await client.listResourceTemplates()).resourceTemplates, "uriTemplate"),
  },
  {
    name: "read a file resource",
    see: async ({ client }) => client.readResource({ uri: (await client.listResources()).resources[0]!.uri }),
  },
  {
    name: "read by a template: text",
    see: async ({ client }) =>
      withoutTimes(await client.readResource({ uri: "demo://resource/dynamic/text/1" })),
  },
  {
    name: "read by a template: a blob",
    see: async ({ client }) => {
      const { contents } = await client.readResource({ uri: "demo://resource/dynamic/blob/2" });
      return contents.map((each) => ({ uri: each.uri, mimeType: each.mimeType, isBlob: "blob" in each }));
    },
  },
  {
    name: "read a resource that is not there",
    see: async ({ client }) =>
      client.readResource({ uri: "demo://none" }).then(
        () => "found",
        () => "error of the protocol",
      ),
  },
  {
    name: "complete an argument of a template",
    see: async ({ client }) =>
      client.complete({
        ref: { type: "ref/resource", uri: "demo://resource/dynamic/text/{resourceId}" },
        argument: { name: "resourceId", value: "1" },
      }),
  },
  { name: "prompts", see: async ({ client }) => sorted((await client.listPrompts()).prompts, "name") },
  { name: "a prompt", see: async ({ client }) => client.getPrompt({ name: "simple-prompt" }) },
  {
    name: "a prompt with arguments",
    see: async ({ client }) =>
      client.getPrompt({ name: "args-prompt", arguments: { city: "Lima", state: "Peru" } }),
  },
  {
    name: "a prompt with a resource",
    see: async ({ client }) =>
      withoutTimes(
        await client.getPrompt({
          name: "resource-prompt",
          arguments: { resourceType: "Text", resourceId: "1" },
        }),
      ),
  },
  {
    name: "complete an argument of a prompt",
    see: async ({ client }) =>
      client.complete({
        ref: { type: "ref/prompt", name: "completable-prompt" },
        argument: { name: "department", value: "E" },
      }),
  },
  {
    name: "complete an argument that depends on another",
    see: async ({ client }) =>
      client.complete({
        ref: { type: "ref/prompt", name: "completable-prompt" },
        argument: { name: "name", value: "" },
        context: { arguments: { department: "Sales" } },
      }),
  },
  {
    name: "a resource that is watched",
    see: async (seen) => {
      const uri = "demo://resource/dynamic/text/1";
      await seen.client.subscribeResource({ uri });
      seen.events.length = 0;
      await call("toggle-subscriber-updates")(seen);
      const updated = () =>
        seen.events.find(
          ({ method, params }) =>
            method === "notifications/resources/updated" && (params as { uri: string }).uri === uri,
        );
      await until(() => updated() !== undefined);
      await call("toggle-subscriber-updates")(seen);
      await seen.client.unsubscribeResource({ uri });
      return updated();
    },
  },
  {
    name: "messages of the server's log",
    see: async (seen) => {
      seen.events.length = 0;
      await call("toggle-simulated-logging")(seen);
      await sleep(500);
      await call("toggle-simulated-logging")(seen).catch(() => {});
      return seen.events.some(({ method }) => method === "notifications/message");
    },
    reason: DEPRECATED,
  },
  {
    name: "the server knows the client's roots",
    see: async (seen) => {
      const result = await call("get-roots-list")(seen).catch(() => undefined);
      return JSON.stringify(result?.content ?? "").includes("file:///work");
    },
    reason: DEPRECATED,
  },
  {
    name: "the server asks the client's model",
    see: async (seen) => {
      seen.events.length = 0;
      await call("trigger-sampling-request", { prompt: "Hi", maxTokens: 10 })(seen).catch(() => {});
      return seen.events.map(({ method }) => method);
    },
    reason: DEPRECATED,
  },
];

/** One part of every tool that both can have. */
async function partOfTools({ client }: Seen, part: string): Promise<Record<string, unknown>> {
  const { tools } = await client.listTools();
  return Object.fromEntries(
    sorted(tools, "name")
      .filter(({ name }) => !/sampling|roots|async|research/.test(name))
      .map((tool) => [tool.name, (tool as Record<string, unknown>)[part]]),
  );
}

function withoutKey(values: Record<string, unknown>, key: string): unknown {
  return JSON.parse(JSON.stringify(values, (name, value) => (name === key ? undefined : value)));
}

function withoutTimes(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value).replace(/\d{1,2}:\d\d:\d\d( [AP]M)?/g, "TIME"));
}

/** The protocol's own entries name the request of each connection. */
function withoutMeta(events: Seen["events"]): unknown {
  return events
    .filter(({ method }) => method === "elicitation/create")
    .map(({ params }) => {
      const { _meta, ...rest } = params as Record<string, unknown>;
      // "form" is what a request without a mode means.
      return { mode: "form", ...rest };
    });
}

/** `mci run` names the server and quotes each line of its text. */
function unquoted(instructions: string | undefined): string | undefined {
  const [, quote] =
    /^The MCP server "everything" says about its own tools:\n((?:> .*(?:\n|$))+)$/m.exec(
      instructions ?? "",
    ) ?? [];
  return (quote?.replace(/^> /gm, "") ?? instructions)?.trim();
}
