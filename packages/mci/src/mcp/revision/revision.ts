import type { Client } from "@modelcontextprotocol/client";
import type { LogLevel, RequestOptions } from "../connection.ts";
import type { InputOptions } from "../input.ts";
import type { Response, RoundParams } from "../session/input-rounds.ts";

/**
 * What differs between revisions of the protocol for a client of a server. Each has a folder here, and a line in `revisions.ts`;
 * messages and their shapes are the SDK's.
 */
export interface Revision {
  /** The revision that the folder is named after. Servers of its era may be older. */
  readonly version: string;
  /** A server asks a person by a request of its own while a call runs, and not by its response. */
  readonly asksDuringCalls: boolean;
  /** A request's parameters, with what this revision says beside them. */
  frame(params: RoundParams, framing: Framing): RoundParams;
  /** For a server that needs it. */
  openCalls?(client: Client): RevisionCalls | undefined;
  /** One request that does nothing but come back. */
  ping(client: Client, options: WatchOptions): Promise<unknown>;
  /** Asks for log messages from this level on. Absent where each request says so by itself. */
  setLogLevel?(client: Client, level: LogLevel, options: WatchOptions): Promise<unknown>;
  /** Asks the server to tell of changes; returns what ends that. */
  watch(client: Client, watched: Watched, options: WatchOptions): Promise<(() => Promise<void>) | undefined>;
}

/** Calls of tools that this revision sends in a way of its own. */
export interface RevisionCalls {
  /** Undefined for a call that is sent as any other. */
  call(params: RoundParams, options: RequestOptions): Promise<Response | undefined>;
}

interface Framing {
  readonly input: InputOptions | undefined;
  readonly progressToken: string | undefined;
  /** What the session said: a person can be asked. */
  readonly asksForInput: boolean;
  /** What the program can do for a server. */
  readonly capabilities: (asksForInput: boolean) => object;
  /** From which level on log messages are wanted. Default: the server decides. */
  readonly logLevel?: LogLevel | undefined;
}

interface Watched {
  /** Addresses of resources that are watched now, and those that were before. */
  readonly uris: readonly string[];
  readonly before: readonly string[];
}

interface WatchOptions {
  readonly signal?: AbortSignal;
  readonly timeout?: number;
}
