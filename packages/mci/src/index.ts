export type { ToolClient } from "./adapters/adapter.ts";
export type { Approve } from "./client/call.ts";
export type {
  CallerIdentity,
  CallOptions,
  DefinitionOptions,
  ExecuteOptions,
  FixedProperty,
  LoadFileOptions,
  PreviewOptions,
  SearchOptions,
  SkillsOptions,
  ToolPermissions,
} from "./client/client-options.ts";
export type { CompletionTarget, ContentOptions, InputNeeded } from "./client/content.ts";
export type { ContentCounts, SourceOptions } from "./client/content-client.ts";
export type { ServerInstructions } from "./client/instructions.ts";
export type { Change, OnChange } from "./client/list-changes.ts";
export type { ServerOptions } from "./client/server-client.ts";
export type { SkillOptions } from "./client/skills.ts";
export type { UntypedTools } from "./client/tool-types.ts";
export { MCIClient } from "./client.ts";
export { closestMatch } from "./closest-match.ts";
export type { DefinitionWarning, ToolDefinition } from "./definitions/definitions.ts";
export {
  type ClientErrorCode,
  ERROR_CODES,
  MCIClientError,
  type Problem,
  type ToolErrorCode,
} from "./errors.ts";
export type { Limits } from "./execute/executor.ts";
export type { HttpExchange } from "./execute/http-exchange.ts";
export { type Expressions, loadExpressions } from "./json/expressions.ts";
export { lintFile } from "./lint/lint-file.ts";
export type {
  CommandUse,
  Consumer,
  EnvUse,
  LintOptions,
  LintResult,
  Location,
  ToolLocation,
} from "./lint/result.ts";
export type { LoadOptions, McpTimeouts } from "./load/load-options.ts";
export { compareLocks, type LockChange, type LockedTool, type ToolLock } from "./load/lock/lock.ts";
export { readLock } from "./load/lock/read-lock.ts";
export { approvalRequest, isApproval } from "./mcp/approval.ts";
export { LOG_LEVELS, type LogLevel, type ServerIdentity } from "./mcp/connection.ts";
export type {
  FormRequest,
  InputContext,
  InputOptions,
  InputRequest,
  InputRequired,
  InputResponse,
  InputResume,
  InputValue,
  OnInput,
  UrlRequest,
} from "./mcp/input.ts";
export {
  type LiteCallOptions,
  LiteMcpClient,
  type LiteMcpClientConfig,
  type LiteServerConfig,
} from "./mcp/lite-client.ts";
export type { McpMessage } from "./mcp/message-log.ts";
export type {
  McpCompletion,
  McpIcon,
  McpPrompt,
  McpPromptMessages,
  McpResource,
  McpResourceContents,
  McpResourceTemplate,
  McpResult,
  McpSkill,
  McpSkillResource,
} from "./mcp/protocol.ts";
export type { HttpConfig, ServerConfig, StdioConfig } from "./mcp/server-config.ts";
export type { McpServerState } from "./mcp/session-pool.ts";
export type {
  CliPreview,
  FilePreview,
  HttpPreview,
  McpPreview,
  Preview,
  TextPreview,
} from "./preview.ts";
export type { ProxySettings } from "./proxy/settings.ts";
export { type ContentItem, ExecutionResult } from "./result.ts";
export type { Auth } from "./schema/auth.ts";
export type { Document } from "./schema/document.ts";
export type {
  CliExecution,
  Execution,
  FileExecution,
  HttpExecution,
  McpExecution,
  TextExecution,
} from "./schema/execution.ts";
export type { Annotations, Tool } from "./schema/tool.ts";
export type { Embed, ToolMatch } from "./search/search.ts";
export type { StandaloneTemplate } from "./template/standalone.ts";
export type { ToolFilter } from "./tools/select.ts";
