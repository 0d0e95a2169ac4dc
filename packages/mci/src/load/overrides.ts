import { isObject } from "../is-object.ts";
import { defaultOf } from "../schema/exact-default.ts";
import type { Overrides, ToolOverride } from "../schema/overrides.ts";
import type { Tool } from "../schema/tool.ts";
import type { JsonPath } from "../template-api.ts";
import type { Diagnostic } from "./diagnostics.ts";
import type { InputOverride } from "./loaded.ts";
import { didYouMean } from "./validate/messages.ts";

export interface OverriddenTool {
  readonly tool: Tool;
  /** Where the tool reads other input than it shows. */
  readonly input?: InputOverride;
}

/** Changes a tool as the file that includes it says. `name` is the one it has otherwise, with its prefix. */
export function overrideTool(tool: Tool, name: string, override: ToolOverride | undefined): OverriddenTool {
  if (override === undefined) return { tool: { ...tool, name } };
  const {
    description = tool.description,
    disabled = tool.disabled,
    annotations,
    result,
    pagination,
  } = override;
  const { execution } = tool;
  const changed: Tool = {
    ...tool,
    name: override.name ?? name,
    ...(description === undefined ? {} : { description }),
    ...(disabled === undefined ? {} : { disabled }),
    ...(annotations === undefined ? {} : { annotations: { ...tool.annotations, ...annotations } }),
    ...(result === undefined ? {} : { result: { ...tool.result, ...result } }),
    ...(pagination === undefined || execution.type !== "http"
      ? {}
      : { execution: { ...execution, pagination } }),
  };
  return overrideInput(changed, override.properties ?? {});
}

/** Overrides that change nothing, because their tool or property does not exist (any more). */
export function overrideWarnings(
  tools: readonly Tool[],
  overrides: Overrides = {},
  source: string,
  place: JsonPath,
): Diagnostic[] {
  return Object.entries(overrides).flatMap(([name, override]): Diagnostic[] => {
    const tool = tools.find((each) => each.name === name);
    const at = [...place, "overrides", name];
    if (tool === undefined) {
      const names = tools.map((each) => each.name);
      return [
        warning(at, `The override does not apply: ${source} has no tool '${name}'`, didYouMean(name, names)),
      ];
    }
    const known = Object.keys(propertiesOf(tool));
    const isUseless = override.pagination !== undefined && tool.execution.type !== "http";
    const pages = isUseless
      ? [
          warning(
            [...at, "pagination"],
            `The override does not apply: tool '${name}' of ${source} is no http tool`,
          ),
        ]
      : [];
    const properties = Object.entries(override.properties ?? {}).flatMap(
      ([property, change]): Diagnostic[] => {
        const here = [...at, "properties", property];
        if (!known.includes(property)) {
          const message = `The override does not apply: tool '${name}' of ${source} has no property '${property}'`;
          return [warning(here, message, didYouMean(property, known))];
        }
        const { default: fallback = declaredDefault(tool, property), value, hidden } = change;
        const isUnusable =
          hidden === true &&
          fallback === undefined &&
          value === undefined &&
          requiredOf(tool).includes(property);
        const message = `Property '${property}' of tool '${name}' is required and hidden: no call can succeed`;
        return isUnusable ? [warning(here, message, "give it a value or a default")] : [];
      },
    );
    return [...pages, ...properties];
  });
}

type PropertyOverrides = NonNullable<ToolOverride["properties"]>;

/** The model sees the schema without what is fixed or hidden; the whole one, with defaults, is what calls are checked by. */
function overrideInput(tool: Tool, overrides: PropertyOverrides): OverriddenTool {
  const properties = { ...propertiesOf(tool) };
  let required = requiredOf(tool);
  const fixed: Record<string, unknown> = {};
  const hidden = new Set<string>();
  for (const [name, { description, default: fallback, value, hidden: isHidden }] of Object.entries(
    overrides,
  )) {
    if (!Object.hasOwn(properties, name)) continue;
    const schema = isObject(properties[name]) ? properties[name] : {};
    properties[name] = {
      ...schema,
      ...(description === undefined ? {} : { description }),
      ...(fallback === undefined ? {} : defaultOf(fallback)),
    };
    if (fallback !== undefined) required = required.filter((each) => each !== name);
    if (value !== undefined) fixed[name] = value;
    if (value !== undefined || isHidden) hidden.add(name);
  }
  if (Object.keys(overrides).length === 0) return { tool };
  const whole = withProperties(tool, properties, required);
  if (hidden.size === 0) return { tool: whole };
  const shown = withProperties(
    tool,
    Object.fromEntries(Object.entries(properties).filter(([name]) => !hidden.has(name))),
    required.filter((name) => !hidden.has(name)),
  );
  return { tool: shown, input: { schema: whole.inputSchema, fixed, hidden } };
}

function withProperties(tool: Tool, properties: Record<string, unknown>, required: readonly string[]): Tool {
  const { required: _, ...schema } = tool.inputSchema ?? {};
  return { ...tool, inputSchema: { ...schema, properties, ...(required.length === 0 ? {} : { required }) } };
}

function propertiesOf({ inputSchema }: Tool): Readonly<Record<string, unknown>> {
  return isObject(inputSchema?.properties) ? inputSchema.properties : {};
}

function requiredOf({ inputSchema }: Tool): readonly string[] {
  return Array.isArray(inputSchema?.required) ? (inputSchema.required as string[]) : [];
}

function declaredDefault(tool: Tool, name: string): unknown {
  const schema = propertiesOf(tool)[name];
  return isObject(schema) ? schema.default : undefined;
}

function warning(place: JsonPath, message: string, hint?: string): Diagnostic {
  return { place, atKey: true, severity: "warning", message, ...(hint === undefined ? {} : { hint }) };
}
