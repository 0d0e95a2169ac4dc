import * as z from "zod/mini";
import { DEFAULT_CACHE_DAYS, DEFAULT_MCP_TIMEOUT_MS } from "./defaults.ts";
import {
  about,
  choice,
  count,
  type DeepReadonly,
  envAllowList,
  label,
  lazily,
  list,
  map,
  optional,
  optionalFlag,
  optionalLabel,
  optionalText,
  scalarText,
  text,
} from "./fields.ts";
import { overrides } from "./overrides.ts";

/** Where tools come from besides the file itself: toolsets and MCP servers. */

export const FILTERS = ["only", "except", "tags", "withoutTags"] as const;

const filter = () => ({
  filter: optional(z.enum(FILTERS).register(about, { description: "Which tools to include. Default: all." })),
  filterValue: optionalText("Names or tags for the filter, separated by commas."),
});

const prefix = () => optionalLabel("Prefix for every tool name of this source, to keep two sources apart.");

const reference = lazily(() =>
  z
    .pipe(
      z.union([
        label("Name of a toolset in libraryDir."),
        z.object({
          name: label("Name of a toolset in libraryDir."),
          ...filter(),
          prefix: prefix(),
          overrides: optional(overrides),
          enableAnyPaths: optionalFlag(
            "Allow the tools of this set to access any path. Default: the file's setting.",
          ),
          directoryAllowList: optional(
            list(z.string(), "Further directories the tools of this set may access."),
          ),
        }),
      ]),
      z.transform((reference) => (typeof reference === "string" ? { name: reference } : reference)),
    )
    .register(about, {
      id: "toolset",
      description: "A toolset: a file or a directory of files in libraryDir.",
      examples: ["weather", { name: "github", filter: "tags", filterValue: "read" }],
    }),
);

const serverConfig = () =>
  z
    .object({
      expDays: optional(count(1, `Days until the cached tool list expires. Default ${DEFAULT_CACHE_DAYS}.`)),
      ...filter(),
    })
    .register(about, {
      description: "How long the server's tool list is cached, and which of its tools to include.",
    });

/** `true`, `false`, or some of them. */
const included = (what: string, by: string) =>
  optional(
    z
      .union([
        z.boolean(),
        z.object({
          filter: z
            .enum(["only", "except"])
            .register(about, { description: `Include only the ${what} that are named, or all but these.` }),
          filterValue: text(`${by}, separated by commas.`),
        }),
      ])
      .register(about, {
        description: `Whether to pass on the ${what} of the server: all, none, or some. Default true.`,
      }),
  );

const common = () => ({
  config: optional(serverConfig()),
  resources: included("resources", "Names or addresses"),
  prompts: included("prompts", "Names"),
  skills: included("skills", "Names or addresses"),
  instructions: optionalFlag(
    "Whether to pass on what the server says to the model about itself. Default true.",
  ),
  prefix: prefix(),
  overrides: optional(overrides),
  envAllowList: envAllowList("this server"),
  timeout_ms: optional(
    count(0, `Deadline of one call in milliseconds. Default ${DEFAULT_MCP_TIMEOUT_MS}; 0 means the default.`),
  ),
});

const stdioServer = () =>
  z
    .object({
      type: optional(z.literal("stdio").register(about, { description: "Optional: implied by command." })),
      command: label("The program to start."),
      args: optional(list(scalarText("One argument, a template."), "Its arguments.")),
      env: optional(map(scalarText("The variable's value, a template."), "Environment variables for it.")),
      ...common(),
    })
    .register(about, {
      id: "stdioServer",
      title: "MCP server started as a child process",
      examples: [{ command: "npx", args: ["-y", "@modelcontextprotocol/server-memory"] }],
    });

const identityProvider = () =>
  z
    .object({
      tokenUrl: label("Address of its token endpoint."),
      clientId: text("Client id there."),
      clientSecret: optionalText("Client secret there."),
    })
    .register(about, {
      description: "The identity provider that issued the assertion, for flow enterprise.",
    });

const serverAuth = () =>
  z
    .object({
      type: z.literal("oauth2"),
      flow: optional(
        z.enum(["authorizationCode", "clientCredentials", "jwtBearer", "enterprise"]).register(about, {
          description:
            "How tokens are obtained. Default authorizationCode: a person logs in with 'mci login'. The others are for machines.",
        }),
      ),
      clientId: optionalText("Client id, if one was registered by hand."),
      clientSecret: optionalText("Client secret, typically {{env.CLIENT_SECRET}}."),
      clientMetadataUrl: optionalLabel("Address of a client id metadata document: the client's id."),
      issuer: optionalLabel(
        "The authorization server that the client belongs to; others never get its secret.",
      ),
      scopes: optional(list(z.string(), "Scopes to request, besides those that the server asks for.")),
      redirectUri: optionalLabel("Where the browser returns to. Default: a free port of this machine."),
      privateKey: optionalText(
        "Key in PEM that signs requests of flow clientCredentials, instead of a secret.",
      ),
      algorithm: optionalLabel("Algorithm of the key. Default ES256."),
      assertion: optionalText("Token of the workload (jwtBearer), or of the person (enterprise)."),
      identityProvider: optional(identityProvider()),
    })
    .register(about, {
      id: "serverAuth",
      description: "How to log in to the server. Needed only where the server's own metadata is not enough.",
    });

const httpServer = () =>
  z
    .object({
      type: optional(
        choice(["http", "sse", "streamable-http"], "Default http; sse is the older transport.", {
          streamableHttp: "streamable-http",
          streamable_http: "streamable-http",
        }),
      ),
      url: label("Address of the server."),
      headers: optional(map(scalarText("The header's value, a template."), "Headers of every request.")),
      auth: optional(serverAuth()),
      ...common(),
    })
    .register(about, {
      id: "httpServer",
      title: "MCP server at a URL",
      examples: [{ url: "https://mcp.example.com", headers: { Authorization: "Bearer {{env.TOKEN}}" } }],
    });

/** Either kind, never both. */
const server = lazily(() =>
  z
    .xor([stdioServer(), httpServer()])
    .register(about, { id: "mcpServer", description: "An MCP server: command, or url." }),
);

/** Both have names of their own, for the same reason as the schema of executions. */
export interface ToolsetReferenceSchema
  extends z.ZodMiniType<z.output<typeof reference>, z.input<typeof reference>> {}
export interface McpServerSchema extends z.ZodMiniType<z.output<typeof server>, z.input<typeof server>> {}

export const toolsetReference: ToolsetReferenceSchema = reference;
export const mcpServer: McpServerSchema = server;

export type ToolsetReference = DeepReadonly<z.output<typeof toolsetReference>>;
export type McpServer = DeepReadonly<z.output<typeof mcpServer>>;
export type HttpServer = DeepReadonly<z.output<ReturnType<typeof httpServer>>>;
