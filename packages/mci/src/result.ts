import type { InputRequired } from "./mcp/input.ts";
import type { McpIcon } from "./mcp/protocol.ts";

/** Content items as in MCP, so that a result can be passed on one to one. */
export type ContentItem = ContentDetails &
  (
    | { readonly type: "text"; readonly text: string }
    | { readonly type: "image"; readonly data: string; readonly mimeType: string }
    | { readonly type: "audio"; readonly data: string; readonly mimeType: string }
    | {
        readonly type: "resource";
        readonly resource: {
          readonly uri: string;
          readonly mimeType?: string;
          readonly text?: string;
          readonly blob?: string;
          readonly _meta?: Readonly<Record<string, unknown>>;
        };
      }
    | {
        readonly type: "resource_link";
        readonly uri: string;
        readonly name: string;
        readonly title?: string;
        readonly description?: string;
        readonly mimeType?: string;
        readonly size?: number;
        readonly icons?: readonly McpIcon[];
      }
  );

/** What any item may have, where an MCP server sent it. */
interface ContentDetails {
  readonly annotations?: {
    readonly audience?: readonly ("user" | "assistant")[];
    readonly priority?: number;
    readonly lastModified?: string;
  };
  readonly _meta?: Readonly<Record<string, unknown>>;
}

/** What an executor hands back. A failure it throws as `ToolError`, except where the content matters (MCP's isError). */
export interface Outcome {
  readonly content: readonly ContentItem[];
  readonly isError?: boolean;
  readonly structuredContent?: unknown;
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** What the result does not show by itself, in sentences. Default: nothing. */
  readonly notes?: readonly string[];
  /** An MCP server waits for input; see `pauseOnInput`. */
  readonly inputRequired?: InputRequired;
}

/** The one shape of success and failure. `Structured` is the type of its structured content, where it is known. */
export class ExecutionResult<Structured = unknown> {
  /** What an MCP server asks for before it goes on; only with `pauseOnInput`. The call continues with `resume`. */
  readonly inputRequired?: InputRequired;
  /** The MCP-compatible envelope; the fields below mirror it. */
  readonly result: {
    readonly content: readonly ContentItem[];
    readonly isError: boolean;
    readonly metadata: Readonly<Record<string, unknown>>;
    readonly structuredContent?: Structured;
  };

  constructor(outcome: Outcome) {
    const { content, structuredContent, inputRequired } = outcome;
    if (inputRequired !== undefined) this.inputRequired = inputRequired;
    this.result = {
      content,
      isError: outcome.isError ?? false,
      metadata: outcome.metadata ?? {},
      ...(structuredContent === undefined ? {} : { structuredContent: structuredContent as Structured }),
    };
  }

  get isError(): boolean {
    return this.result.isError;
  }

  get content(): readonly ContentItem[] {
    return this.result.content;
  }

  get metadata(): Readonly<Record<string, unknown>> {
    return this.result.metadata;
  }

  get structuredContent(): Structured | undefined {
    return this.result.structuredContent;
  }

  /** All text items, joined by line breaks. */
  get text(): string {
    return this.content.flatMap((item) => (item.type === "text" ? [item.text] : [])).join("\n");
  }

  /** The error message, or undefined on success. */
  get error(): string | undefined {
    return this.isError ? this.text : undefined;
  }

  /** Plain data, flat; stringify `result` for the shape of MCP. */
  toJSON(): Record<string, unknown> {
    const { isError, content, metadata, error, structuredContent } = this;
    return {
      isError,
      content,
      ...(error === undefined ? {} : { error }),
      ...(structuredContent === undefined ? {} : { structuredContent }),
      metadata,
    };
  }
}
