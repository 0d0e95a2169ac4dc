import type { McpPrompt, ServerIdentity } from "mci-ts";
import type { ContentItem, ServerState } from "../types.ts";

/* What the API sends about MCP servers, and about the resources and prompts of a source: a server, or the file itself. */

/** How many a source has of each kind. */
export interface SourceCounts {
  readonly resources: number;
  readonly templates: number;
  readonly prompts: number;
  readonly skills: number;
}

export interface ServerList {
  readonly servers: readonly ServerState[];
  /** What the file itself offers besides tools. */
  readonly own: SourceCounts;
}

/** A server with all that it says of itself. */
export interface ServerDetail extends ServerState {
  /** Absent until its first session. */
  readonly identity?: ServerIdentity;
  /** What it says to the model. */
  readonly instructions?: string;
  /** From which level on it was asked for log messages. */
  readonly log_level?: string;
  readonly counts: SourceCounts;
}

/** A resource, or a template of addresses of resources. */
export interface ResourceSummary {
  /** The address; of a template as in RFC 6570. */
  readonly uri: string;
  readonly is_template?: true;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly mime_type?: string;
  readonly size?: number;
  /** The address is so long that only its beginning is here: it cannot be read from the page. */
  readonly is_cut?: true;
}

/** A part of a list, up to 200 entries. */
interface Page {
  /** How many match, over all pages. */
  readonly total: number;
  readonly next_cursor: string | null;
}

/** Templates come first. */
export interface ResourcePage extends Page {
  readonly resources: readonly ResourceSummary[];
}

export interface PromptSummary {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly arguments: NonNullable<McpPrompt["arguments"]>;
  /** Arguments beyond those that are listed. */
  readonly omitted_arguments?: number;
  /** As of a resource. */
  readonly is_cut?: true;
}

export interface PromptPage extends Page {
  readonly prompts: readonly PromptSummary[];
}

/** A part of what was read. */
export interface ContentPart {
  readonly item: ContentItem;
  /** Characters that were left out, because all together was too much. */
  readonly omitted_chars?: number;
}

export interface ReadResponse {
  readonly contents: readonly ContentPart[];
  /** Contents beyond those that are here. */
  readonly omitted?: number;
  readonly duration_ms: number;
}

export interface PromptMessage extends ContentPart {
  readonly role: string;
}

export interface PromptResponse {
  readonly description?: string;
  readonly messages: readonly PromptMessage[];
  readonly omitted?: number;
  readonly duration_ms: number;
}

export interface CompletionResponse {
  readonly values: readonly string[];
  /** There are more than these. */
  readonly has_more: boolean;
}

/** A log message of a server. Ids count up by one: a gap is what was too much to be sent. */
export interface LogMessage {
  readonly id: number;
  readonly at: string;
  /** As the server wrote it. */
  readonly level: string;
  readonly logger?: string;
  /** Its text, or its data as JSON; the beginning of a long one. */
  readonly text: string;
  /** Characters of the whole. */
  readonly size: number;
}

/** Events of `POST /api/servers/NAME/events`, by their names. */
export interface ServerEvents {
  /** The messages since the event before; the first one has those that are remembered. */
  readonly log: { readonly messages: readonly LogMessage[] };
  /** Lists that changed, after the new ones are loaded. */
  readonly changed: { readonly kinds: readonly ("tools" | "prompts" | "resources")[] };
  /** The server tells of changes of these resources from now on, or why it does not. */
  readonly watching: { readonly uris: readonly string[]; readonly error?: string };
  /** Watched resources that changed. */
  readonly updated: { readonly uris: readonly string[]; readonly at: string };
  /** The file was loaded again, or a server has a new session. */
  readonly tools: Readonly<Record<string, never>>;
}
