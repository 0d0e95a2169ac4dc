import { isObject } from "@mci-ts/primitives/is-object";
import { parseJson } from "@mci-ts/primitives/parse-json";
import { inlineSchema, type JsonSchema, SchemaError } from "../answer-schema/inline.ts";
import { type AnswerValidator, createAnswerValidator } from "../answer-schema/validate.ts";
import { isTooDeep } from "../canonical/json.ts";
import type { ToolCall } from "../model.ts";

/** A tool that an agent offers its model. */
export interface ActionTool {
  readonly name: string;
  /** JSON Schema of its arguments. Absent: anything fits. */
  readonly inputSchema?: unknown;
  /** Whether it says that it changes nothing. Default: it does not say. */
  readonly readOnly?: boolean;
  /** Its input is a text, not JSON. Default false. */
  readonly isText?: boolean;
}

/** A tool whose arguments can be checked. */
export interface CompiledTool extends ActionTool {
  readonly check: () => ArgumentCheck;
}

interface ArgumentCheck {
  /** The schema without references; undefined where arguments are not checked. */
  readonly schema: JsonSchema | undefined;
  readonly validate: AnswerValidator;
}

export interface CompiledTools {
  readonly byName: ReadonlyMap<string, CompiledTool>;
  /** Which tools' arguments are not checked, and why: of those that were called so far. */
  readonly warnings: readonly string[];
}

/**
 * Agents offer hundreds of tools and call a few: a schema is compiled with the first call. Agents also send what they like: one that
 * cannot be checked in bounded time is not checked, and said so.
 */
export function compileTools(tools: readonly ActionTool[]): CompiledTools {
  const warnings: string[] = [];
  const compile = ({ name, inputSchema }: ActionTool): ArgumentCheck => {
    try {
      const schema = inputSchema === undefined ? undefined : inlineSchema(inputSchema);
      return { schema, validate: schema ? createAnswerValidator(schema) : accept };
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      warnings.push(`The arguments of ${shorten(name)} are not checked: its schema ${error.message}.`);
      return { schema: undefined, validate: accept };
    }
  };
  const compiled = tools.map((tool): [string, CompiledTool] => {
    let check: ArgumentCheck | undefined;
    return [tool.name, { ...tool, check: () => (check ??= compile(tool)) }];
  });
  return { byName: new Map(compiled), warnings };
}

const accept: AnswerValidator = () => undefined;

/** A call whose arguments were read. */
export interface ReadCall {
  readonly id: string;
  readonly tool: CompiledTool;
  /** The arguments as they were written. */
  readonly text: string;
  readonly value: unknown;
}

/** The arguments of a call, or the red flag they raise. Nothing is repaired. */
export function readCall(
  { id, name, input }: ToolCall,
  { byName }: CompiledTools,
): ReadCall | { readonly rule: "unknown_tool" | "invalid_arguments"; readonly reason: string } {
  const tool = byName.get(name);
  if (!tool) return { rule: "unknown_tool", reason: `there is no tool ${JSON.stringify(shorten(name))}` };
  const text = typeof input === "string" ? input : (JSON.stringify(input) ?? "");
  if (tool.isText) return { id, tool, text, value: text };
  const invalid = (problem: string) => ({
    rule: "invalid_arguments" as const,
    reason: `the arguments of ${shorten(name)} ${problem}`,
  });
  // A call without arguments may come as an empty text.
  const value = text.trim() === "" ? {} : parseJson(text);
  if (value === undefined) return invalid("are not JSON");
  if (!isObject(value)) return invalid("are not an object");
  if (isTooDeep(value)) return invalid("are nested too deeply");
  const problem = tool.check().validate(value);
  if (problem)
    return invalid(`do not fit its schema: ${problem.path.join(".") || "they"} ${problem.message}`);
  return { id, tool, text, value };
}

const shorten = (name: string) => (name.length > 100 ? `${name.slice(0, 100)}…` : name);
