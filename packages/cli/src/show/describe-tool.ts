import type { FixedProperty, HttpExecution, MCIClient, Tool } from "mci-ts";
import { stateOf, type VariableState } from "../envs/variables.ts";
import type { Environment } from "../project/env.ts";
import { type InputRow, toolInput } from "./input-rows.ts";
import { valueUses } from "./value-uses.ts";

/** What `mci show` says about a tool. */
export interface ToolDescription {
  readonly name: string;
  readonly source: string;
  readonly description: string;
  readonly type: Tool["execution"]["type"];
  /** What it sends to or starts, as the file says it. */
  readonly target: string;
  readonly input: readonly InputRow[];
  /** What the schema says about the whole input. */
  readonly input_note?: string;
  /** Properties that the including file sets, or hides; callers can give them no value. */
  readonly fixed?: readonly FixedProperty[];
  readonly variables: readonly VariableRow[];
  readonly permissions: Permissions;
  readonly annotations: NonNullable<Tool["annotations"]>;
  readonly result?: NonNullable<Tool["result"]>;
  readonly pagination?: NonNullable<HttpExecution["pagination"]>;
}

interface VariableRow {
  readonly state: VariableState;
  readonly goes_to: readonly string[];
}

interface Permissions {
  readonly any_paths: boolean;
  readonly directories: readonly string[];
  /** http: a host from the caller may be in a private network. */
  readonly private_network?: boolean;
  /** cli: values from the caller may begin with a dash. */
  readonly dash_values?: boolean;
}

export function describeTool(
  client: MCIClient,
  tool: Tool,
  env: Environment,
  engine: "builtin" | "jinja2",
): ToolDescription {
  const { execution } = tool;
  const uses = valueUses(execution, engine);
  const { rows, note } = toolInput(tool, uses.props);
  const fixed = client.fixedProperties(tool.name);
  const paths = client.toolPermissions(tool.name);
  return {
    name: tool.name,
    source: tool.toolsetSource ?? "main",
    description: tool.description ?? "",
    type: execution.type,
    target: targetOf(execution),
    input: rows,
    ...(note !== undefined && { input_note: note }),
    ...(fixed.length > 0 && { fixed }),
    variables: [...uses.env].map(([name, goes_to]) => ({
      state: stateOf(name, !uses.requiredEnv.has(name), env),
      goes_to,
    })),
    permissions: {
      any_paths: paths.enableAnyPaths,
      directories: paths.directories,
      ...(execution.type === "http" && { private_network: execution.allowPrivateNetwork ?? false }),
      ...(execution.type === "cli" && { dash_values: execution.allowDashValues ?? false }),
    },
    annotations: tool.annotations ?? {},
    ...(tool.result !== undefined && { result: tool.result }),
    ...(execution.type === "http" && execution.pagination && { pagination: execution.pagination }),
  };
}

function targetOf(execution: Tool["execution"]): string {
  switch (execution.type) {
    case "http":
      return `${(execution.method ?? "GET").toUpperCase()} ${execution.url}`;
    case "cli":
      return [execution.command, ...(execution.args ?? [])].join(" ");
    case "file":
      return execution.path;
    case "mcp":
      return `${execution.toolName} of MCP server ${execution.serverName}`;
    case "text":
      return "";
  }
}
