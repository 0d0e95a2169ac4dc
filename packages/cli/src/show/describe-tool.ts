import type { MCIClient, Tool } from "mci-ts";
import type { Environment } from "../project/env.ts";
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
  readonly variables: readonly VariableRow[];
  readonly permissions: Permissions;
  readonly annotations: NonNullable<Tool["annotations"]>;
}

export interface InputRow {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly default?: unknown;
  readonly goes_to: readonly string[];
  readonly description: string;
}

export interface VariableRow {
  readonly name: string;
  readonly is_set: boolean;
  readonly goes_to: readonly string[];
}

export interface Permissions {
  readonly any_paths: boolean;
  readonly directories: readonly string[];
  /** http: a host from the caller may be in a private network. */
  readonly private_network?: boolean;
  /** cli: values from the caller may begin with a dash. */
  readonly dash_values?: boolean;
}

export function describeTool(client: MCIClient, tool: Tool, { values }: Environment): ToolDescription {
  const { execution } = tool;
  const uses = valueUses(execution);
  const paths = client.toolPermissions(tool.name);
  return {
    name: tool.name,
    source: tool.toolsetSource ?? "main",
    description: tool.description ?? "",
    type: execution.type,
    target: targetOf(execution),
    input: inputRows(tool, uses.props),
    variables: [...uses.env].map(([name, goes_to]) => ({
      name,
      is_set: Object.hasOwn(values, name),
      goes_to,
    })),
    permissions: {
      any_paths: paths.enableAnyPaths,
      directories: paths.directories,
      ...(execution.type === "http" && { private_network: execution.allowPrivateNetwork ?? false }),
      ...(execution.type === "cli" && { dash_values: execution.allowDashValues ?? false }),
    },
    annotations: tool.annotations ?? {},
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

function inputRows(tool: Tool, uses: ReadonlyMap<string, readonly string[]>): InputRow[] {
  const { properties, required } = (tool.inputSchema ?? {}) as { properties?: unknown; required?: unknown };
  const needed = Array.isArray(required) ? required : [];
  const isMcp = tool.execution.type === "mcp";
  return Object.entries((properties ?? {}) as Record<string, unknown>).map(([name, property]) => {
    const schema = (typeof property === "object" ? property : {}) as Record<string, unknown>;
    return {
      name,
      type: typeName(schema),
      required: needed.includes(name),
      ...(schema.default === undefined ? {} : { default: schema.default }),
      goes_to: isMcp ? [`argument ${name}`] : (uses.get(name) ?? []),
      description: typeof schema.description === "string" ? schema.description : "",
    };
  });
}

function typeName({ type, enum: choices, items, ...rest }: Record<string, unknown>): string {
  if (Array.isArray(choices)) return choices.map((choice) => JSON.stringify(choice)).join("|");
  if (Array.isArray(type)) return type.join("|");
  if (typeof type === "string") {
    const item = (items ?? {}) as { type?: unknown };
    return type === "array" && typeof item.type === "string" ? `array of ${item.type}` : type;
  }
  return "$ref" in rest ? String(rest.$ref).split("/").at(-1)! : "any";
}
