/**
 * Every error code of the library with what it means. `docs/errors.md` lists the same codes; a test compares them.
 * Codes under `client` are thrown as `MCIClientError`; codes under `tool` arrive as a failed `ExecutionResult`
 * (`result.isError`, `result.metadata.error_code`).
 */
export const ERROR_CODES = {
  client: {
    schema_not_found: "The MCI file does not exist.",
    schema_not_a_file: "The path names a directory or a device, not a file.",
    schema_unreadable: "The MCI file exists but could not be read.",
    schema_extension: "The file's extension is none of .json, .yaml, .yml.",
    schema_syntax: "The file is not well-formed JSON or YAML.",
    schema_invalid: "The file is well-formed but not valid MCI.",
    schema_version: "The file's schemaVersion is not supported.",
    tool_not_found: "No enabled tool has that name, or a filter hides it.",
    tool_changed: "The tool is not what it was when it was locked.",
    lock_invalid: "The lock cannot be read, or is not a lock.",
    invalid_input: "The properties do not fit the tool's inputSchema.",
    invalid_argument: "A method of the library was called with an argument of the wrong kind.",
    validating_mode: "The client was made with validating: true, which never executes.",
    preview_failed: "A call cannot be previewed, because it would fail before anything is sent.",
    closed: "The client was used after close().",
    toolset_not_found: "A toolset reference names nothing in the library directory.",
    import_failed:
      "A document cannot be imported: it is not an OpenAPI document, or of a version that is not supported.",
    mcp_server_failed:
      "The tools of an MCP server could not be fetched and strict was set, or a request of a LiteMcpClient failed.",
    resource_not_found:
      "No resource of the file or its servers has that address, or a filter or a lock hides it.",
    prompt_not_found: "No prompt of the file or its servers has that name, or a filter or a lock hides it.",
    skill_mismatch: "A file of a skill is not what the entry of the skill says: size, digest or frontmatter.",
    request_failed: "A resource, a prompt or a completion could not be obtained.",
    login_store: "The stored logins cannot be read or written.",
    login_failed: "A person's login did not succeed, or there is nothing to log in to under that name.",
    mcp_restart_failed: "An MCP server could not be started again.",
    plan_not_found: "There is no plan with that id.",
    plan_changed: "A plan is not as it was made, or would not send what it shows.",
    plan_not_approved: "A plan was not approved, and nothing of it was executed.",
    plan_busy: "Another process commits the plan at this moment.",
    plan_begun: "A plan that was begun cannot be discarded.",
    code_unavailable: "Code cannot be run, because the package quickjs-wasi is not installed.",
    mcp_session: "A LiteMcpClient was used before connecting, after closing, or connected twice.",
  },
  tool: {
    template_missing: "A template names a variable that does not exist.",
    template_syntax: "A template is malformed.",
    template_type: "A template applies an operation to a value of the wrong type.",
    template_limit: "A template passed a limit on output size, loop count or depth.",
    path_refused: "A path lies outside the allowed directories.",
    file_not_found: "The file does not exist.",
    file_not_a_file: "The path names a directory, a device or a pipe.",
    file_unreadable: "The file exists but could not be read.",
    file_not_text: "The file is neither UTF-8 text nor an image or audio file.",
    file_too_large: "The file is larger than the limit.",
    command_not_found: "The command does not exist or may not be executed.",
    command_failed: "The command ended with a non-zero exit code or by a signal.",
    command_timeout: "The command ran longer than its timeout.",
    command_output_limit: "The command printed more than the limit.",
    option_refused: "A value from the caller would have become a command-line option.",
    http_status: "The server responded with a status of 400 or above.",
    http_timeout: "The request did not finish before its deadline.",
    http_network: "The request failed on the network: refused, reset, no such host, TLS.",
    http_redirect: "The redirects were too many, or led somewhere that is refused.",
    http_response_limit: "The response is larger than the limit.",
    url_refused: "A value from the caller would have changed where the request goes.",
    header_refused: "A header name or value holds characters that headers cannot hold.",
    private_network: "A host that came from the caller lies in a private network.",
    auth_failed: "A token could not be obtained.",
    login_required: "A person has to log in first: mci login.",
    input_required: "An MCP server asked for input from a person, and there was no one to ask.",
    invalid_config: "A rendered setting has a value the executor cannot use.",
    mcp_unavailable: "The MCP server could not be reached or started, or its session broke.",
    mcp_failed: "The MCP server responded to the call with a protocol error.",
    mcp_timeout: "The MCP call did not finish before its deadline.",
    result_not_json: "The tool's result should be JSON, and is something else.",
    code_failed: "Code of a model failed: a mistake in it, a limit, or a tool whose error it did not catch.",
    write_refused: "Code may only read here, and called a tool that is not marked as read-only.",
    plan_cut: "Code needs the result of a write that is only planned.",
    commit_incomplete: "A plan was committed in part: a write failed, or its outcome is unknown.",
    result_too_large: "The result of a tool is too large for code.",
    not_approved: "The application did not approve the call.",
    aborted: "The caller's signal cancelled the call.",
    internal: "A defect of this library; please report it.",
  },
} as const satisfies Record<string, Record<string, string>>;

export type ClientErrorCode = keyof typeof ERROR_CODES.client;
export type ToolErrorCode = keyof typeof ERROR_CODES.tool;

/** One thing wrong with a file, and where. */
export interface Problem {
  readonly message: string;
  /** The file, as the caller named it. */
  readonly file?: string;
  /** 1-based. */
  readonly line?: number;
  readonly column?: number;
  /** Path in the document, e.g. `tools[0].execution.url`. Messages name the tool instead of its index. */
  readonly path?: string;
  /** The tool it is about, where that has a name. */
  readonly tool?: string;
  /** What to do about it. */
  readonly hint?: string;
  readonly severity: "error" | "warning";
}

/** Thrown where a contract is broken: a file that cannot be loaded, an unknown tool, bad input. */
export class MCIClientError extends Error {
  override readonly name = "MCIClientError";
  readonly code: ClientErrorCode;
  /** Every problem found, not only the first. */
  readonly problems: readonly Problem[];

  constructor(
    code: ClientErrorCode,
    message: string,
    options: { cause?: unknown; problems?: readonly Problem[] } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.problems = options.problems ?? [];
  }
}

/** Thrown inside an execution; the client turns it into a failed `ExecutionResult`. Never reaches a caller. */
export class ToolError extends Error {
  override readonly name = "ToolError";
  readonly code: ToolErrorCode;
  readonly metadata: Readonly<Record<string, unknown>>;
  /** What to do about it, for the author of the file; not part of a call's result. */
  readonly hint: string | undefined;

  constructor(
    code: ToolErrorCode,
    message: string,
    options: { cause?: unknown; metadata?: Readonly<Record<string, unknown>>; hint?: string } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.metadata = options.metadata ?? {};
    this.hint = options.hint;
  }
}
