import type { LoginOptions } from "../login/login-options.ts";
import type { LoginStore } from "../login/login-store.ts";
import type { ProxyRules } from "../proxy/settings.ts";
import type { InputOptions } from "./input.ts";
import type {
  ListedSkill,
  McpListed,
  McpListKind,
  McpResource,
  McpResult,
  McpSkill,
  McpTool,
} from "./protocol.ts";
import type { ServerConfig } from "./server-config.ts";

/** A live session with one MCP server. Many calls may be in flight at once. Failures are thrown as `McpError`. */
export interface Connection {
  /** Settles when the session is over, by `close()` or because the server went away. Never rejects. */
  readonly closed: Promise<void>;
  /** The end of what the server's process printed to stderr, without secrets. Absent where there is no process. */
  readonly stderr?: string;
  /** Whether the server was told, when the session began, that a person can be asked. */
  readonly asksForInput?: boolean;
  /** What the server said to the model when the session began. */
  readonly instructions?: string;
  /** What the server said of itself when the session began. */
  readonly identity?: ServerIdentity;
  /** Every tool of the server, all pages. */
  listTools(options: RequestOptions): Promise<readonly McpTool[]>;
  /** Everything else that the server lists, of one kind, all pages. Undefined if it does not offer the kind. */
  list<Kind extends McpListKind>(
    kind: Kind,
    options: RequestOptions,
  ): Promise<readonly McpListed[Kind][] | undefined>;
  /** Undefined if the server has no skills. */
  skills?(): Promise<ServerSkills | undefined>;
  callTool(name: string, args: Readonly<Record<string, unknown>>, options: CallOptions): Promise<McpResult>;
  /** Any other request of the protocol. */
  request(
    method: McpMethod,
    params: Readonly<Record<string, unknown>>,
    options: CallOptions,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** A request about a task that the server made of a call. */
  requestTask?(
    method: "tasks/get" | "tasks/update" | "tasks/cancel",
    params: Readonly<Record<string, unknown>>,
    options: RequestOptions,
  ): Promise<Readonly<Record<string, unknown>>>;
  /** One request that does nothing but come back. */
  ping?(options: RequestOptions): Promise<void>;
  /** From which level on the server sends log messages. */
  setLogLevel?(level: LogLevel, options: RequestOptions): Promise<void>;
  /** Tells of changes of the server's lists and resources, as long as the session lives. */
  watch(onChange: (change: ServerChange) => void): void;
  /** Asks the server to tell of changes of these resources, besides those of its lists. */
  watchResources(uris: readonly string[], options: RequestOptions): Promise<void>;
  /** Ends the session, and the server's process if there is one. May be called twice. */
  close(): Promise<void>;
}

/** The skills of a server (SEP-2640). Nothing is fetched that was not asked for; every file is compared with its entry. */
export interface ServerSkills {
  list(options: RequestOptions): Promise<readonly ListedSkill[]>;
  /** Undefined if the server has no such skill. */
  get(uri: string, options: RequestOptions): Promise<McpSkill | undefined>;
  /** A file of a skill that is as its entry says. */
  read(skill: McpSkill, uri: string, options: RequestOptions): Promise<SkillContent>;
  /** The children of a folder. Undefined if there is no such folder, or the server does not list folders. */
  directory(uri: string, options: RequestOptions): Promise<readonly McpResource[] | undefined>;
}

export interface SkillContent {
  readonly mimeType?: string;
  readonly text?: string;
  readonly bytes: Uint8Array;
}

/** A server as it describes itself: nothing of it is checked. */
export interface ServerIdentity {
  readonly name?: string;
  readonly title?: string;
  readonly version?: string;
  /** The revision of the protocol that was agreed upon. */
  readonly protocolVersion?: string;
  /** Absent where they are too many to be shown. */
  readonly capabilities?: Readonly<Record<string, unknown>>;
}

/** The levels of log messages, as in syslog; the least severe first. */
export const LOG_LEVELS = [
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export type McpMethod = "resources/read" | "prompts/get" | "completion/complete";

export type ServerChange =
  | { readonly kind: "tools" | "prompts" | "resources" }
  | { readonly kind: "resource"; readonly uri: string };

export interface RequestOptions {
  /** Milliseconds until the request is given up. */
  readonly timeoutMs: number;
  /** Cancels the request; the server is notified. */
  readonly signal?: AbortSignal;
}

export interface CallOptions extends RequestOptions {
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
  /** Who is asked for input. The time that a person takes does not count. */
  readonly input?: InputOptions | undefined;
}

export interface ConnectOptions {
  /** Milliseconds for starting the server and shaking hands. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Bytes of one message of the server. */
  readonly maxMessageBytes: number;
  /** Takes the server's secrets out of what it printed or sent, before that is cut. Default: nothing is removed. */
  readonly mask?: (text: string) => string;
  /** For servers over HTTP. Default: no proxy. */
  readonly proxy?: ProxyRules | undefined;
  /** Called with each message of the session, either way. Default: not reported. */
  readonly onMessage?: ((direction: "sent" | "received", message: unknown) => void) | undefined;
  /** For servers over HTTP that ask for a login. Default: their refusal is an error like any other. */
  readonly login?: ServerLogin | undefined;
  readonly session?: SessionOptions | undefined;
}

/** What a server is told about its client when a session begins. */
export interface SessionOptions {
  /** The name that the file gives the server. */
  readonly server: string;
  /** A person can be asked for input. */
  readonly asksForInput: boolean;
  /** A call may become a task of the server: its result says so (`taskOf`). Default false. */
  readonly drivesTasks?: boolean;
  /** Extensions of the protocol that the program supports, by their ids. */
  readonly extensions?: Readonly<Record<string, object>> | undefined;
}

/** What the login of one server needs. */
export interface ServerLogin {
  /** The name that the file gives the server. */
  readonly name: string;
  readonly options: LoginOptions & { readonly store: LoginStore };
  readonly onSecret: (value: string) => void;
}

export type Connect = (config: ServerConfig, options: ConnectOptions) => Promise<Connection>;
