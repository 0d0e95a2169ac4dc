import { z } from "zod";
import type { ConsoleTools } from "../../http/console/tools-page.ts";
import { clientSignal, defineRoute, failure, type Route } from "../../http/route.ts";

const JSON_BODY = {
  200: { description: "See docs/reference/console-api.md.", content: { "application/json": z.unknown() } },
};
const STREAM = { 200: { description: "Server-sent events.", content: { "text/event-stream": undefined } } };
const NO_TOOL = { 404: failure("There is no such tool.") };
const Input = z.strictObject({ input: z.record(z.string(), z.unknown()).optional() });
const Call = Input.extend({
  expected: z
    .unknown()
    .optional()
    .describe("A preview: the call is refused if another request would be sent."),
  interactive: z.boolean().optional().describe("Lines of JSON: each question of the call, then its result."),
});
const Answer = z.strictObject({
  action: z.enum(["accept", "decline", "cancel"]),
  content: z.record(z.string(), z.unknown()).optional(),
});
const Draft = Input.extend({ text: z.string().optional() });
const Text = z.strictObject({ text: z.string().optional() });
const Nothing = z.strictObject({}).optional();
const Texts = z.record(z.string(), z.string());
const Interactive = z.strictObject({
  interactive: z
    .boolean()
    .optional()
    .describe("Lines of JSON: each question of the server, then the result."),
});
const Read = Interactive.extend({ uri: z.string() });
const Prompt = Interactive.extend({ name: z.string(), arguments: Texts.optional() });
const Complete = z.strictObject({
  prompt: z.string().optional(),
  resource_template: z.string().optional(),
  argument: z.strictObject({ name: z.string(), value: z.string() }),
  others: Texts.optional().describe("The values of the other arguments."),
});
const NO_SERVER = { 404: failure("There is no such server.") };
const NOT_READ = { 404: failure("There is no such source or entry."), 502: failure("The server failed.") };

/** Endpoints of the tools page. The same as those of `mci ui`, without saving. */
const ENDPOINTS: readonly Pick<Route, "method" | "path" | "summary" | "body" | "responses">[] = [
  { method: "get", path: "tools", summary: "List the tools of the file", responses: JSON_BODY },
  {
    method: "get",
    path: "tools/:name",
    summary: "One tool with its input schema",
    responses: { ...JSON_BODY, ...NO_TOOL },
  },
  {
    method: "post",
    path: "tools/:name/preview",
    summary: "The request or command of a call, without sending it",
    body: Draft,
    responses: { ...JSON_BODY, ...NO_TOOL },
  },
  {
    method: "post",
    path: "tools/:name/draft",
    summary: "A tool with its request, or why a call would be refused",
    body: Draft,
    responses: { ...JSON_BODY, ...NO_TOOL },
  },
  {
    method: "post",
    path: "tools/:name/call",
    summary: "Call a tool",
    body: Call,
    responses: { ...JSON_BODY, ...NO_TOOL, 409: failure("Another request would be sent than expected.") },
  },
  {
    method: "post",
    path: "inputs/:name",
    summary: "Answer what a call asks",
    body: Answer,
    responses: { ...JSON_BODY, 404: failure("No call waits for this.") },
  },
  { method: "get", path: "calls", summary: "The latest calls", responses: JSON_BODY },
  { method: "delete", path: "calls", summary: "Forget the calls that are over", responses: JSON_BODY },
  {
    method: "get",
    path: "calls/:name",
    summary: "A call with what was sent and received",
    responses: { ...JSON_BODY, 404: failure("The call is not remembered.") },
  },
  { method: "get", path: "events", summary: "Changes of calls and tools", responses: STREAM },
  { method: "get", path: "file", summary: "The text of the file", responses: JSON_BODY },
  { method: "post", path: "validate", summary: "Problems of the file", body: Text, responses: JSON_BODY },
  {
    method: "get",
    path: "variables",
    summary: "Variables that the file needs, never their values",
    responses: JSON_BODY,
  },
  { method: "get", path: "servers", summary: "MCP servers of the file", responses: JSON_BODY },
  {
    method: "get",
    path: "servers/:name/log",
    summary: "The messages of the protocol",
    responses: { ...JSON_BODY, ...NO_SERVER },
  },
  {
    method: "get",
    path: "servers/:name",
    summary: "What an MCP server says of itself",
    responses: { ...JSON_BODY, ...NO_SERVER },
  },
  {
    method: "post",
    path: "servers/:name/restart",
    summary: "End the session of an MCP server and open another",
    body: Nothing,
    responses: { ...JSON_BODY, ...NO_SERVER, 502: failure("It cannot be started.") },
  },
  {
    method: "post",
    path: "servers/:name/ping",
    summary: "How long an MCP server takes to respond",
    body: Nothing,
    responses: { ...JSON_BODY, ...NOT_READ },
  },
  {
    method: "post",
    path: "servers/:name/log-level",
    summary: "From which level on an MCP server sends log messages",
    body: z.strictObject({ level: z.string() }),
    responses: { ...JSON_BODY, ...NOT_READ },
  },
  {
    method: "post",
    path: "servers/:name/refresh",
    summary: "Ask an MCP server for its lists again",
    body: Nothing,
    responses: { ...JSON_BODY, ...NO_SERVER },
  },
  {
    method: "post",
    path: "servers/:name/events",
    summary: "Log messages of an MCP server, changes of its lists and of watched resources",
    body: z.strictObject({ watch: z.array(z.string()).optional() }).optional(),
    responses: { ...STREAM, ...NO_SERVER },
  },
  {
    method: "get",
    path: "sources/:name/resources",
    summary: "Resources and templates of the file or of a server",
    responses: { ...JSON_BODY, 404: failure("There is no such source.") },
  },
  {
    method: "get",
    path: "sources/:name/prompts",
    summary: "Prompts of the file or of a server",
    responses: { ...JSON_BODY, 404: failure("There is no such source.") },
  },
  {
    method: "post",
    path: "sources/:name/read",
    summary: "Read a resource",
    body: Read,
    responses: { ...JSON_BODY, ...NOT_READ },
  },
  {
    method: "post",
    path: "sources/:name/prompt",
    summary: "The messages of a prompt",
    body: Prompt,
    responses: { ...JSON_BODY, ...NOT_READ },
  },
  {
    method: "post",
    path: "sources/:name/complete",
    summary: "What a server proposes for an argument",
    body: Complete,
    responses: { ...JSON_BODY, ...NOT_READ },
  },
];

export function consoleToolRoutes(tools: ConsoleTools): Route[] {
  return ENDPOINTS.map((endpoint) =>
    defineRoute<unknown>({
      ...endpoint,
      path: `/api/${endpoint.path}`,
      handle(c, _, body) {
        // The address itself: a tool's name may hold an encoded slash.
        const { pathname, searchParams } = new URL(c.req.url);
        return tools.handle({
          method: endpoint.method.toUpperCase(),
          path: pathname.slice("/api/".length),
          query: searchParams,
          body,
          signal: clientSignal(c),
        });
      },
    }),
  );
}
