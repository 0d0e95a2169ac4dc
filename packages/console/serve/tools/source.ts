import type { ExecutionResult, HttpExchange, LintResult, MCIClient, OnInput } from "mci-ts";
import type { Plans } from "mci-ts/code";
import type { CallLog } from "./calls/call-log.ts";
import type { MessageLog } from "./message-log.ts";
import type { CallProgress, LoginState, SavedTest, SavedTests, VariableState } from "./types.ts";

/** A request that passed the guards of its server, its JSON body read. */
export interface ToolsRequest {
  readonly method: string;
  /** Below `/api/`, without the query: `tools/greet/call`. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body?: unknown;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** The MCI file behind the tools page. The command and the service each bring their own. */
export interface ToolsSource {
  /** Absolute path. */
  readonly file: string;
  /** Whether the page may save the file. */
  readonly writable: boolean;
  readonly calls: CallLog;
  /** What was said between this process and the MCP servers. */
  readonly messages: MessageLog;
  /** The tools as they are now; after an edit that cannot be loaded, those before it. */
  client(): MCIClient;
  /** Why the file as it is now cannot be loaded; undefined if it can. */
  loadError(): string | undefined;
  /** Uses the tools as they are now. A reload meanwhile does not end it. */
  use<T>(work: (client: MCIClient) => Promise<T>): Promise<T>;
  /** Calls a tool. A reload during the call does not end it. */
  call(
    tool: string,
    input: Readonly<Record<string, unknown>>,
    options: {
      readonly signal: AbortSignal;
      /** Called with each request on the wire and its response, without secrets. */
      readonly onExchange: (exchange: HttpExchange) => void;
      /** Asks the person at the page. Default: there is no one to ask. */
      readonly onInput?: OnInput;
      /** Called with what a server reports of its progress. */
      readonly onProgress?: (progress: CallProgress) => void;
    },
  ): Promise<ExecutionResult>;
  /** Checks the file, or `text` in its place where the page may save it. Starts nothing, and reads nothing outside the project. */
  lint(text?: string): Promise<Pick<LintResult, "problems">>;
  /** Replaces the file's text, in one step, if it is still the expected one; false if something else changed it. */
  save(text: string, isExpected: (current: string) => boolean): Promise<boolean>;
  /** Adds a test to the file of tests beside the MCI file. Absent where the file is read-only. */
  saveTest?(test: SavedTest): Promise<SavedTests>;
  /** The tools as they would be if the file had this text; no server of it is started. Absent where the file is read-only. */
  withText?<T>(text: string, use: TextUse<T>): Promise<T>;
  /** Ends the session of an MCP server and opens another. */
  restartServer(name: string, signal: AbortSignal): Promise<void>;
  /** Sets a variable for this process, or takes that back. Absent where this may not be. */
  setVariable?(name: string, value: string | undefined): Promise<void>;
  /** Logins of the person at this machine. Default: the server has none. */
  readonly logins?: ToolsLogins;
  /** Loads the file again. */
  reload(): Promise<void>;
  /** Plans of code that wait for a person, with the tools as they are now. Absent: there are none here. */
  plans?<T>(use: (plans: Plans) => T | Promise<T>): Promise<T>;
  variables(): Promise<readonly VariableState[]>;
  /** Calls `listener` when the tools have changed, until `signal` aborts. */
  watch(listener: () => void, signal: AbortSignal): void;
}

/** Answers a request; `name` is the second part of its path. */
export type Endpoint = (
  source: ToolsSource,
  request: ToolsRequest,
  name: string,
) => Response | Promise<Response>;

/** `mask` hides the values of variables, whatever the text says of them. */
export type TextUse<T> = (client: MCIClient, mask: <V>(value: V) => V) => Promise<T>;

export interface ToolsLogins {
  list(): readonly LoginState[];
  /** The address for the person, and a code where there is one. The login goes on by itself; `reload` is called when it has succeeded. */
  begin(name: string, reload: () => Promise<void>): Promise<{ readonly url: string; readonly code?: string }>;
}
