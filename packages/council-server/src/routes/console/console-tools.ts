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

type Responses = Route["responses"];

/** Endpoints of the tools page: what each responds besides JSON, and its body. The same as those of `mci ui`, without saving. */
const ENDPOINTS: readonly (readonly [
  address: string,
  summary: string,
  responses?: Responses,
  body?: z.ZodType,
])[] = [
  ["GET tools", "List the tools of the file"],
  ["GET tools/:name", "One tool with its input schema", NO_TOOL],
  ["POST tools/:name/preview", "The request or command of a call, without sending it", NO_TOOL, Draft],
  ["POST tools/:name/draft", "A tool with its request, or why a call would be refused", NO_TOOL, Draft],
  [
    "POST tools/:name/call",
    "Call a tool",
    { ...NO_TOOL, 409: failure("Another request would be sent than expected.") },
    Call,
  ],
  ["POST inputs/:name", "Answer what a call asks", { 404: failure("No call waits for this.") }, Answer],
  ["GET calls", "The latest calls"],
  ["DELETE calls", "Forget the calls that are over"],
  [
    "GET calls/:name",
    "A call with what was sent and received",
    { 404: failure("The call is not remembered.") },
  ],
  ["GET events", "Changes of calls and tools", STREAM],
  ["GET file", "The text of the file"],
  ["POST validate", "Problems of the file", {}, Text],
  ["GET variables", "Variables that the file needs, never their values"],
  ["GET servers", "MCP servers of the file"],
  ["GET servers/:name/log", "The messages of the protocol", NO_SERVER],
  ["GET servers/:name", "What an MCP server says of itself", NO_SERVER],
  [
    "POST servers/:name/restart",
    "End the session of an MCP server and open another",
    { ...NO_SERVER, 502: failure("It cannot be started.") },
    Nothing,
  ],
  ["POST servers/:name/ping", "How long an MCP server takes to respond", NOT_READ, Nothing],
  [
    "POST servers/:name/log-level",
    "From which level on an MCP server sends log messages",
    NOT_READ,
    z.strictObject({ level: z.string() }),
  ],
  ["POST servers/:name/refresh", "Ask an MCP server for its lists again", NO_SERVER, Nothing],
  [
    "POST servers/:name/events",
    "Log messages of an MCP server, changes of its lists and of watched resources",
    { ...STREAM, ...NO_SERVER },
    z.strictObject({ watch: z.array(z.string()).optional() }).optional(),
  ],
  [
    "GET sources/:name/resources",
    "Resources and templates of the file or of a server",
    { 404: failure("There is no such source.") },
  ],
  [
    "GET sources/:name/prompts",
    "Prompts of the file or of a server",
    { 404: failure("There is no such source.") },
  ],
  ["POST sources/:name/read", "Read a resource", NOT_READ, Read],
  ["POST sources/:name/prompt", "The messages of a prompt", NOT_READ, Prompt],
  ["POST sources/:name/complete", "What a server proposes for an argument", NOT_READ, Complete],
];

export function consoleToolRoutes(tools: ConsoleTools): Route[] {
  return ENDPOINTS.map(([address, summary, responses, body]) => {
    const [method = "", path] = address.split(" ");
    return defineRoute<unknown>({
      method: method.toLowerCase() as Route["method"],
      path: `/api/${path}`,
      summary,
      responses: { ...JSON_BODY, ...responses },
      ...(body && { body }),
      handle(c, _, body) {
        // The address itself: a tool's name may hold an encoded slash.
        const { pathname, searchParams } = new URL(c.req.url);
        return tools.handle({
          method,
          path: pathname.slice("/api/".length),
          query: searchParams,
          body,
          signal: clientSignal(c),
        });
      },
    });
  });
}
