import { HTTP_METHODS } from "@mci-ts/primitives/http-methods";
import * as z from "zod/mini";
import { auth } from "./auth.ts";
import { body } from "./body.ts";
import {
  DEFAULT_ATTEMPTS,
  DEFAULT_BACKOFF_MS,
  DEFAULT_MCP_TIMEOUT_MS,
  DEFAULT_TIMEOUT_MS,
} from "./defaults.ts";
import {
  about,
  choice,
  count,
  type DeepReadonly,
  label,
  list,
  map,
  optional,
  optionalFlag,
  optionalText,
  scalarText,
  text,
} from "./fields.ts";
import { pagination } from "./pagination.ts";
import { paramStyles } from "./style.ts";

/** Any mix of case, spelled out because a JSON Schema pattern has no flags; or a template. */
const METHOD = new RegExp(
  `^(${HTTP_METHODS.map((name) => name.replace(/[A-Z]/g, (letter) => `[${letter}${letter.toLowerCase()}]`)).join("|")})$|\\{\\{|\\{!!`,
);

const methodError = `one of ${HTTP_METHODS.join(", ")}`;
const method = z
  .union([z.enum(HTTP_METHODS), z.string().check(z.regex(METHOD, methodError))], { error: methodError })
  .register(about, { description: "HTTP method. Default GET." });

const retries = z
  .object({
    attempts: optional(count(1, `Attempts in all, the first included. Default ${DEFAULT_ATTEMPTS}.`)),
    backoff_ms: optional(
      count(
        0,
        `Wait before the second attempt in milliseconds; doubled each time. Default ${DEFAULT_BACKOFF_MS}.`,
      ),
    ),
  })
  .register(about, { description: "Retry on network errors and on status 408, 429 and 5xx." });

/** Also in the spellings "built-in" and "Jinja2". */
export const templateEngine = choice(
  ["builtin", "jinja2"],
  "Template language of large texts. Default: the file's, then builtin.",
  { "built-in": "builtin", Jinja2: "jinja2" },
);

const params = () => z.record(z.string(), z.unknown());

const httpFields = z
  .object({
    type: z.literal("http"),
    method: optional(method),
    url: label("Address of the request; values in it are percent-encoded for their position."),
    headers: optional(map(scalarText("The header's value, a template."), "Request headers.")),
    auth: optional(auth),
    params: optional(params().register(about, { description: "Query parameters; arrays repeat the name." })),
    pathParams: optional(
      params().register(about, {
        description: "Values for {name} in the URL, written as paramStyles.path says.",
      }),
    ),
    cookies: optional(map(scalarText("The cookie's value, a template."), "Cookies.")),
    paramStyles: optional(paramStyles),
    query: optional(params().register(about, { description: "Alias of params." })),
    body: optional(body),
    timeout_ms: optional(
      count(
        0,
        `Deadline of the whole call in milliseconds. Default ${DEFAULT_TIMEOUT_MS}; 0 means the default.`,
      ),
    ),
    retries: optional(retries),
    pagination: optional(pagination),
    responseHeaders: optional(
      list(label("Name of a header."), "Response headers to return in metadata.response_headers."),
    ),
    allowPrivateNetwork: optionalFlag(
      "Allow a host that comes from the caller to be in a private network. Default false.",
    ),
  })
  .register(about, {
    id: "httpExecution",
    title: "HTTP request",
    examples: [{ type: "http", url: "https://api.example.com/weather", params: { city: "{{props.city}}" } }],
  });

interface HttpFields extends z.output<typeof httpFields> {}

const httpExecution = z.pipe(
  httpFields,
  z.transform((fields: HttpFields): Omit<HttpFields, "query"> => {
    if (fields.query === undefined) return fields;
    const { query, ...rest } = fields;
    return { ...rest, params: { ...query, ...rest.params } };
  }),
);

const cliFlag = z.object({
  from: label("Where the value comes from, e.g. props.ignore_case."),
  type: z
    .enum(["boolean", "value"])
    .register(about, { description: "boolean: the flag alone, if true; value: the flag with its value." }),
  separator: optionalText(
    'Between flag and value: "=" makes one item, " " makes two. Default: "=" for --long flags, " " for -s flags.',
  ),
});

const exitCodeError = "an exit code from 0 to 255";
const exitCode = z
  .int({ error: exitCodeError })
  .check(z.minimum(0, { error: exitCodeError }), z.maximum(255, { error: exitCodeError }));

const cliExecution = z
  .object({
    type: z.literal("cli"),
    command: label("The program; no shell is involved."),
    args: optional(list(scalarText("One argument, a template."), "Arguments, before the flags.")),
    flags: optional(map(cliFlag, "Flags filled from properties.")),
    cwd: optionalText("Working directory. Default: the directory of the MCI file."),
    env: optional(
      map(scalarText("The variable's value, a template."), "Environment variables for the command."),
    ),
    inheritEnv: optional(
      list(label("Name of a variable."), "Names of variables in the client's env to pass on to the command."),
    ),
    stdin: optionalText("What the command reads from standard input, a template. Default: nothing."),
    successExitCodes: optional(list(exitCode, "Exit codes that mean success. Default: 0.")),
    parse: optional(choice(["json"], "json: standard output is JSON and becomes structured content.")),
    timeout_ms: optional(
      count(0, `Deadline in milliseconds. Default ${DEFAULT_TIMEOUT_MS}; 0 means the default.`),
    ),
    allowDashValues: optionalFlag("Allow values from the caller to start with a dash. Default false."),
  })
  .register(about, {
    id: "cliExecution",
    title: "Command",
    examples: [
      {
        type: "cli",
        command: "grep",
        args: ["-rn"],
        flags: { "-i": { from: "props.ignore_case", type: "boolean" } },
      },
    ],
  });

const fileExecution = z
  .object({
    type: z.literal("file"),
    path: label("The file, relative to the directory of the MCI file."),
    enableTemplating: optionalFlag("Treat the file's text as a template. Default true."),
    templateEngine: optional(templateEngine),
  })
  .register(about, {
    id: "fileExecution",
    title: "File",
    examples: [{ type: "file", path: "./reports/{{props.id}}.txt" }],
  });

const textExecution = z
  .object({
    type: z.literal("text"),
    text: text("The text, a template."),
    templateEngine: optional(templateEngine),
  })
  .register(about, {
    id: "textExecution",
    title: "Text",
    examples: [{ type: "text", text: "Hello {{props.name}}!" }],
  });

const mcpExecution = z
  .object({
    type: z.literal("mcp"),
    serverName: label("A name under mcp_servers."),
    toolName: label("The tool's name on that server."),
    timeout_ms: optional(
      count(0, `Deadline in milliseconds. Default: the server's, then ${DEFAULT_MCP_TIMEOUT_MS}.`),
    ),
  })
  .register(about, { id: "mcpExecution", title: "Tool of an MCP server" });

type AnyExecution =
  | typeof httpExecution
  | typeof cliExecution
  | typeof fileExecution
  | typeof textExecution
  | typeof mcpExecution;

/** It has a name, because otherwise the published types of all that contains it would repeat everything in it. */
export interface ExecutionSchema extends z.ZodMiniType<z.output<AnyExecution>, z.input<AnyExecution>> {}

export const execution: ExecutionSchema = z
  .discriminatedUnion("type", [httpExecution, cliExecution, fileExecution, textExecution, mcpExecution])
  .register(about, { id: "execution", description: "How the tool runs." });

export type HttpExecution = DeepReadonly<z.output<typeof httpExecution>>;
export type CliExecution = DeepReadonly<z.output<typeof cliExecution>>;
export type FileExecution = DeepReadonly<z.output<typeof fileExecution>>;
export type TextExecution = DeepReadonly<z.output<typeof textExecution>>;
export type McpExecution = DeepReadonly<z.output<typeof mcpExecution>>;
export type Execution = DeepReadonly<z.output<typeof execution>>;
