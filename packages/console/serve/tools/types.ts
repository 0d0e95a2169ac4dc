import type { HttpExchange, InputRequest } from "mci-ts";
import type { PlanDetail } from "mci-ts/code";

/* What the tools API sends, and the page reads. */

/** Content items as in MCP. */
export type ContentItem =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image" | "audio"; readonly data: string; readonly mimeType: string }
  | {
      readonly type: "resource";
      readonly resource: {
        readonly uri: string;
        readonly mimeType?: string;
        readonly text?: string;
        readonly blob?: string;
      };
    }
  | { readonly type: "resource_link"; readonly uri: string; readonly name: string; readonly title?: string };

export interface Problem {
  readonly severity: "error" | "warning";
  readonly message: string;
  readonly hint?: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly path?: string;
}

/** The parts of the console that are served here. */
export interface ConsoleParts {
  readonly council: boolean;
  readonly tools: boolean;
  /** Whether plans of code are shown. Default false. */
  readonly plans?: boolean;
  /** Whether calls of MCP clients are shown. */
  readonly live: boolean;
  /** The council's ways to answer. Absent where the council is. */
  readonly strategies?: readonly StrategySummary[];
}

interface StrategySummary {
  readonly tool: string;
  readonly label: string;
  /** The values of `intent` that select it, each with its label. */
  readonly intents: Readonly<Record<string, string>>;
}

export interface ToolSummary {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly tags: readonly string[];
  /** "main", the name of a toolset, or `mcp:` and the name of a server. */
  readonly source: string;
  /** How it runs: http, cli, file, text or mcp. */
  readonly type: string;
}

/** Something that a person logs in to. */
export interface LoginState {
  readonly name: string;
  readonly state: "needed" | "pending" | "failed";
  /** Why the last login failed. */
  readonly message?: string;
}

export interface ToolPage {
  /** What needs a login before its tools work; absent: nothing does, or this server has no logins. */
  readonly logins?: readonly LoginState[];
  readonly file: string;
  readonly writable: boolean;
  /** Why the file as it is now cannot be loaded; the tools are then those before. */
  readonly load_error?: string;
  /** MCP servers whose tools could not be fetched. */
  readonly failed_servers?: readonly string[];
  readonly tools: readonly ToolSummary[];
  /** How many match, over all pages. */
  readonly total: number;
  readonly tags: readonly string[];
  readonly sources: readonly string[];
  readonly next_cursor: string | null;
}

export interface ToolDetail extends ToolSummary {
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly outputSchema?: unknown;
  readonly annotations?: {
    readonly title?: string;
    readonly readOnlyHint?: boolean;
    readonly destructiveHint?: boolean;
  };
}

/** A tool as a text that is not saved has it. */
export interface ToolDraft {
  readonly tool: ToolDetail;
  /** What a call would send. Absent where it would be refused. */
  readonly request?: unknown;
  readonly refused?: { readonly code: string; readonly message: string };
}

export interface CallRecord {
  readonly id: number;
  readonly tool: string;
  /** Who called: this page, or a client of the MCP server. */
  readonly by: "console" | "client";
  readonly started_at: string;
  readonly state: "running" | "succeeded" | "failed" | "cancelled";
  readonly duration_ms?: number;
  readonly input: unknown;
  readonly error?: string;
  /** Its tool takes a password, so it is in memory only. */
  readonly is_private?: true;
}

export interface CallStorage {
  /** "memory", or the path of the file in which calls are stored. */
  readonly place: string;
  /** Why calls are in memory only, where they should be stored. */
  readonly error?: string;
}

export interface CallList {
  readonly calls: readonly CallRecord[];
  readonly storage: CallStorage;
}

/** A call with all that is known of it. */
export interface CallDetail extends CallRecord {
  /** The exact request or command, as `preview` shows it. Absent where there was none. */
  readonly request?: unknown;
  readonly exchanges: readonly HttpExchange[];
  /** Requests beyond those that are remembered. */
  readonly dropped_exchanges?: number;
  readonly result?: CallResponse["result"];
  /** What was sent and received is no longer remembered. */
  readonly is_dropped?: boolean;
  /** The result and the exchanges had so many characters that they were not kept. */
  readonly too_large?: number;
}

/** A call as a test: the tool with this input gives this result. What changes from call to call (times, metadata) is not part of it. */
export interface SavedTest {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** One of `content` and `structuredContent`. */
  readonly expect: {
    readonly isError: boolean;
    readonly content?: readonly unknown[];
    readonly structuredContent?: unknown;
  };
}

/** Where a test was saved. */
export interface SavedTests {
  /** Absolute. */
  readonly path: string;
  /** In the file now. */
  readonly tests: number;
}

/** What a call waits for: a form or an address, from an MCP server or, without one, from the file itself. */
export interface InputQuestion {
  /** Answered with `POST /api/inputs/ID`. */
  readonly id: string;
  readonly server?: string;
  readonly request: InputRequest;
}

/** How far a call is, as a server reports it. */
export interface CallProgress {
  readonly progress: number;
  readonly total?: number;
  readonly message?: string;
}

export interface PlanResponse extends PlanDetail {
  /** Tools of the plan that say of themselves, as they are now, that they destroy something. */
  readonly destructive: readonly string[];
}

/** A message to or from an MCP server. */
export interface ProtocolMessage {
  readonly id: number;
  readonly direction: "sent" | "received";
  readonly at: string;
  /** Its JSON, or the beginning of it. */
  readonly text: string;
  /** Characters of the whole. */
  readonly size: number;
}

export interface CallResponse {
  readonly id: number;
  readonly duration_ms: number;
  readonly result: {
    readonly content: readonly ContentItem[];
    readonly isError: boolean;
    readonly structuredContent?: unknown;
    readonly metadata: Readonly<Record<string, unknown>>;
  };
}

export interface FileState {
  readonly path: string;
  readonly text: string;
  /** Changes with the content; a save names the version it is based on. */
  readonly version: string;
  readonly writable: boolean;
  /** Why the file as it is cannot be loaded; the tools are then those before. */
  readonly load_error?: string;
}

export interface ProblemList {
  readonly problems: readonly Problem[];
}

export interface VariableState {
  readonly name: string;
  readonly state: "set" | "empty" | "missing" | "optional";
  readonly source?: string;
  readonly used_by: readonly string[];
  /** The tools that use it, where they are known. */
  readonly tools?: readonly string[];
}

export interface VariableList {
  readonly variables: readonly VariableState[];
  /** Whether the page may set them for as long as its server runs. */
  readonly settable: boolean;
}

export interface ServerState {
  readonly name: string;
  /** `http` is Streamable HTTP, or the older SSE where the server knows only that. */
  readonly transport: "stdio" | "http" | "sse";
  /** `closed`: it gets a new session with the next call. `not_started`: its tools come from the cached list. */
  readonly state: "not_started" | "connected" | "closed" | "failed";
  readonly tools: number;
  /** Why its tools could not be fetched. */
  readonly message?: string;
  /** The end of what its process printed to stderr, without secrets. */
  readonly stderr?: string;
}
