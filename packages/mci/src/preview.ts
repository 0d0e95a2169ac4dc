/** What a call would send or run, with secrets masked. Nothing was sent, started or written to learn it. */
export type Preview = HttpPreview | CliPreview | FilePreview | McpPreview | TextPreview;

export interface HttpPreview {
  readonly type: "http";
  readonly method: string;
  readonly url: string;
  /** Those of the tool; the connection adds `Host`, `Connection` and `Content-Length`. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Set where the body is not UTF-8 text: it is then shown in base64. */
  readonly bodyEncoding?: "base64";
}

export interface CliPreview {
  readonly type: "cli";
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Names of the variables that the tool sets or hands on, besides those every command gets. */
  readonly env: readonly string[];
  readonly stdin?: string;
}

export interface FilePreview {
  readonly type: "file";
  readonly path: string;
}

export interface McpPreview {
  readonly type: "mcp";
  readonly server: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export interface TextPreview {
  readonly type: "text";
  readonly text: string;
}
