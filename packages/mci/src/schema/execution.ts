import * as z from "zod/mini";
import { auth } from "./auth.ts";
import { count, flag, label, list, map, optional, scalarText, text } from "./fields.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"] as const;

const bodyContent = z.union([z.string(), z.record(z.string(), z.unknown()), z.array(z.unknown())]);
const formContent = z.union([z.string(), z.record(z.string(), z.unknown())]);

/** `{type, content}`, or the short form `{json|form|raw: content}`. */
const body = z
  .pipe(
    z.union([
      z.object({ type: z.literal("json"), content: bodyContent }),
      z.object({ type: z.literal("form"), content: formContent }),
      z.object({ type: z.literal("raw"), content: z.string() }),
      z.object({ json: bodyContent }),
      z.object({ form: formContent }),
      z.object({ raw: z.string() }),
    ]),
    z.transform((body): { type: "json" | "form" | "raw"; content: unknown } => {
      if ("type" in body) return body;
      if ("json" in body) return { type: "json", content: body.json };
      if ("form" in body) return { type: "form", content: body.form };
      return { type: "raw", content: body.raw };
    }),
  )
  .check(z.describe("Request body: {type: json|form|raw, content}."));

const retries = z
  .object({
    attempts: optional(count(1, "Tries in all, the first included. Default 1.")),
    backoff_ms: optional(count(0, "Wait before the second try; doubled each time. Default 500.")),
  })
  .check(z.describe("Try again on network errors and on status 408, 429 and 5xx."));

const templateEngine = z
  .enum(["builtin", "jinja2"])
  .check(z.describe("Template language of large texts. Default: the file's, then builtin."));

const params = map(z.unknown(), "Query parameters; arrays repeat the name.");

export const httpExecution = z.pipe(
  z.object({
    type: z.literal("http"),
    method: optional(
      z
        .string()
        .check(
          z.regex(new RegExp(`^(${METHODS.join("|")})$|\\{\\{`, "i"), `must be one of ${METHODS.join(", ")}`),
          z.describe(`One of ${METHODS.join(", ")}. Default GET.`),
        ),
    ),
    url: label("Where to; values in it are percent-encoded for their place."),
    headers: optional(map(scalarText("Header value."), "Request headers.")),
    auth: optional(auth),
    params: optional(params),
    query: optional(params.check(z.describe("Alias of params."))),
    body: optional(body),
    timeout_ms: optional(count(0, "Deadline of the whole call in milliseconds. Default 30000; 0 means the default.")),
    retries: optional(retries),
    allowPrivateNetwork: optional(flag("Let a host that comes from the caller lie in a private network. Default false.")),
  }),
  z.transform(({ query, ...rest }) => (query ? { ...rest, params: { ...query, ...rest.params } } : rest)),
);

const cliFlag = z.object({
  from: label("Where the value comes from, e.g. props.ignore_case."),
  type: z.enum(["boolean", "value"]).check(z.describe("boolean: the flag alone, if true; value: the flag with its value.")),
  separator: optional(
    text('Between flag and value: "=" makes one item, " " makes two. Default: "=" for --long flags, " " for -s flags.'),
  ),
});

export const cliExecution = z.object({
  type: z.literal("cli"),
  command: label("The program; no shell is involved."),
  args: optional(list(scalarText("One argument."), "Arguments, before the flags.")),
  flags: optional(map(cliFlag, "Flags taken from properties.")),
  cwd: optional(text("Working directory. Default: the directory of the MCI file.")),
  env: optional(map(scalarText("Value."), "Environment variables for the command.")),
  inheritEnv: optional(list(label("Name."), "Names of variables of the client's env that the command gets too.")),
  timeout_ms: optional(count(0, "Deadline in milliseconds. Default 30000; 0 means the default.")),
  allowDashValues: optional(flag("Let values from the caller start with a dash. Default false.")),
});

export const fileExecution = z.object({
  type: z.literal("file"),
  path: label("The file, relative to the directory of the MCI file."),
  enableTemplating: optional(flag("Treat the file's text as a template. Default true.")),
  templateEngine: optional(templateEngine),
});

export const textExecution = z.object({
  type: z.literal("text"),
  text: text("The text, a template."),
  templateEngine: optional(templateEngine),
});

export const mcpExecution = z.object({
  type: z.literal("mcp"),
  serverName: label("A name under mcp_servers."),
  toolName: label("The tool's name on that server."),
  timeout_ms: optional(count(0, "Deadline in milliseconds. Default: the server's, then 60000.")),
});

export const execution = z
  .discriminatedUnion("type", [httpExecution, cliExecution, fileExecution, textExecution, mcpExecution])
  .check(z.describe("How the tool runs."));

export type HttpExecution = z.output<typeof httpExecution>;
export type CliExecution = z.output<typeof cliExecution>;
export type FileExecution = z.output<typeof fileExecution>;
export type TextExecution = z.output<typeof textExecution>;
export type McpExecution = z.output<typeof mcpExecution>;
export type Execution = z.output<typeof execution>;
export { templateEngine };
