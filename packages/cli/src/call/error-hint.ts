import type { ExecutionResult, ToolErrorCode } from "mci-ts";

/** What to do about a tool that failed, where its message alone does not say it. `given` are the call's properties. */
export function errorHint({ text, metadata }: ExecutionResult, properties: object): string | undefined {
  const { status_code: status, mcp_server: server } = metadata;
  const code = metadata.error_code as ToolErrorCode | undefined;
  if (code === undefined) return undefined;
  if (code === "template_missing") return missingValueHint(text, properties);
  if (code === "mcp_unavailable" && server !== undefined)
    return `check the entry of '${server}' under mcp_servers`;
  if (code === "http_status" && (status === 401 || status === 403))
    return "check the tool's auth, and the variables in it with 'mci envs'";
  return HINTS[code];
}

const HINTS: Partial<Record<ToolErrorCode, string>> = {
  path_refused: "allow its folder in directoryAllowList of the file, or set enableAnyPaths",
  command_not_found: "install the program, or correct the tool's command",
  command_timeout: "raise timeout_ms of the tool if it needs longer",
  mcp_timeout: "raise timeout_ms of the tool or its server if it needs longer",
};

/** The hint is about the first of the names that were not found. */
function missingValueHint(text: string, properties: object): string | undefined {
  if (/Template variable not found: env[.[]/.test(text))
    return "set it with --env NAME=VALUE, in .env.mci, or in the environment";
  const [, name] = /Template variable not found: (?:props|input|properties)\.([\w-]+)/.exec(text) ?? [];
  return name === undefined || Object.hasOwn(properties, name) ? undefined : `give it: ${name}=VALUE`;
}
