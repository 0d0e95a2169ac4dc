import { isObject } from "@mci-ts/primitives/is-object";
import { COMPOSED } from "../schema/json-schema/composed.ts";
import { defaultOf } from "../schema/json-schema/exact-default.ts";
import type { Overrides, ToolOverride } from "../schema/overrides.ts";
import type { Tool } from "../schema/tool.ts";
import type { JsonPath } from "../template-api.ts";
import type { Diagnostic } from "./diagnostics.ts";
import { hideProperties } from "./hide-properties.ts";
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
    approve = tool.approve,
    result,
    pagination,
  } = override;
  const { execution } = tool;
  const changed: Tool = {
    ...tool,
    name: override.name ?? name,
    ...(description === undefined ? {} : { description }),
    ...(disabled === undefined ? {} : { disabled }),
    ...(approve === undefined ? {} : { approve }),
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
    const isUseless = override.pagination !== undefined && tool.execution.type !== "http";
    const pages = isUseless
      ? [
          warning(
            [...at, "pagination"],
            `The override does not apply: tool '${name}' of ${source} is not an http tool`,
          ),
        ]
      : [];
    const properties = Object.entries(override.properties ?? {}).flatMap(([property, change]) =>
      propertyWarnings(tool, property, change, `tool '${name}' of ${source}`).map(({ message, hint }) =>
        warning([...at, "properties", property], message, hint),
      ),
    );
    return [...pages, ...properties];
  });
}

type PropertyOverrides = NonNullable<ToolOverride["properties"]>;

/** What is doubtful about the override of one property. */
function propertyWarnings(
  tool: Tool,
  property: string,
  { default: defaultValue, value, hidden }: PropertyOverrides[string],
  owner: string,
): { message: string; hint?: string | undefined }[] {
  const ownNames = Object.keys(propertiesOf(tool));
  if (!ownNames.includes(property) && !hasOtherProperties(tool)) {
    const isClosed = value !== undefined && tool.inputSchema?.["additionalProperties"] === false;
    const outcome = isClosed
      ? "The tool cannot be called"
      : value !== undefined
        ? "The fixed value is sent all the same"
        : hidden
          ? "Callers cannot give it a value"
          : "The override does not apply";
    return [
      { message: `${outcome}: ${owner} has no property '${property}'`, hint: didYouMean(property, ownNames) },
    ];
  }
  const hasValue = (defaultValue ?? declaredDefault(tool, property) ?? value) !== undefined;
  if (hidden !== true || hasValue || !requiredOf(tool).includes(property)) return [];
  return [
    {
      message: `Property '${property}' of ${owner} is required and hidden: no call can succeed`,
      hint: "give it a value or a default",
    },
  ];
}

/**
 * The model sees the schema without what is fixed or hidden; the whole one, with defaults, is what calls are checked by. What
 * is fixed or hidden stays so whatever the schema says about the property: `fixedInput` puts it into the arguments.
 */
function overrideInput(tool: Tool, overrides: PropertyOverrides): OverriddenTool {
  const changes = Object.entries(overrides);
  if (changes.length === 0) return { tool };
  const properties = propertiesOf(tool);
  const isListed = ([name]: (typeof changes)[number]) => Object.hasOwn(properties, name);
  const listed = changes.filter(isListed);
  const withDefault = new Set(listed.flatMap(([name, change]) => (change.default === undefined ? [] : name)));
  const whole =
    listed.length === 0
      ? tool
      : withProperties(
          tool,
          {
            ...properties,
            ...Object.fromEntries(listed.map(([name, change]) => [name, changed(properties[name], change)])),
          },
          requiredOf(tool).filter((name) => !withDefault.has(name)),
        );
  const pick = (entries: typeof changes, key: "value" | "default") =>
    Object.fromEntries(
      entries.flatMap(([name, change]) => (change[key] === undefined ? [] : [[name, change[key]] as const])),
    );
  const fixed = pick(changes, "value");
  const defaults = pick(
    changes.filter((change) => !isListed(change)),
    "default",
  );
  const hidden = new Set([
    ...Object.keys(fixed),
    ...changes.flatMap(([name, change]) => (change.hidden ? name : [])),
  ]);
  if (hidden.size === 0 && Object.keys(defaults).length === 0) return { tool: whole };
  const visibleTool =
    whole.inputSchema === undefined || hidden.size === 0
      ? whole
      : { ...whole, inputSchema: hideProperties(whole.inputSchema, hidden) };
  return { tool: visibleTool, input: { schema: whole.inputSchema, fixed, hidden, defaults } };
}

function changed(schema: unknown, { description, default: fallback }: PropertyOverrides[string]): unknown {
  if (description === undefined && fallback === undefined) return schema;
  return {
    ...(isObject(schema) ? schema : {}),
    ...(description === undefined ? {} : { description }),
    ...(fallback === undefined ? {} : defaultOf(fallback)),
  };
}

function withProperties(
  tool: Tool,
  properties: Readonly<Record<string, unknown>>,
  required: readonly string[],
): Tool {
  const { required: _, ...schema } = tool.inputSchema ?? {};
  return { ...tool, inputSchema: { ...schema, properties, ...(required.length === 0 ? {} : { required }) } };
}

/** Whether a schema may allow properties that it does not list. */
function hasOtherProperties({ inputSchema }: Tool): boolean {
  if (inputSchema === undefined) return false; // The tool of a file that says nothing about its input.
  const { additionalProperties, unevaluatedProperties, patternProperties } = inputSchema;
  return (
    !isObject(inputSchema["properties"]) ||
    COMPOSED.some((keyword) => keyword in inputSchema) ||
    isObject(patternProperties) ||
    [additionalProperties, unevaluatedProperties].some((rest) => rest === true || isObject(rest))
  );
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
