import { stringifyExact } from "@mci-ts/primitives/exact-json";
import { ToolError } from "../../errors.ts";
import type { CliExecution } from "../../schema/execution.ts";
import {
  type Compile,
  type JsonPath,
  OMITTED,
  type Origin,
  type Part,
  type Scope,
  type TemplatePath,
  type TemplateString,
} from "../../template-api.ts";

/** Takes secrets out of a text. */
type Mask = (text: string) => string;

/** One argument, in runs of one origin. */
export type Argument = readonly Part[];

export interface ArgumentsPlan {
  readonly args: readonly TemplateString[];
  readonly flags: readonly FlagPlan[];
  readonly allowDashValues: boolean;
}

interface FlagPlan {
  readonly name: string;
  readonly from: TemplatePath;
  readonly type: "boolean" | "value";
  /** " " makes the value an item of its own. */
  readonly separator: string;
}

export function compileArguments(execution: CliExecution, compile: Compile, place: JsonPath): ArgumentsPlan {
  return {
    args: (execution.args ?? []).map((arg, index) => compile.text(arg, [...place, "args", index])),
    flags: Object.entries(execution.flags ?? {}).map(([name, { from, type, separator }]) => ({
      name,
      from: compile.path(from, [...place, "flags", name, "from"]),
      type,
      separator: separator ?? (name.startsWith("--") ? "=" : " "),
    })),
    allowDashValues: execution.allowDashValues ?? false,
  };
}

/** The arguments, then the flags, each in the author's order. Refuses values that would turn into options. */
export function renderArguments(plan: ArgumentsPlan, scope: Scope, mask: Mask): Argument[] {
  const items: Argument[] = [];
  let dashAllowed = plan.allowDashValues;
  for (const [index, text] of plan.args.entries()) {
    if (text.isConstant && text.source === "--") dashAllowed = true;
    for (const item of renderArgument(text, scope)) {
      if (!dashAllowed) rejectOption(item, `argument ${index + 1}`, DOUBLE_DASH_HINT, mask);
      items.push(item);
    }
  }
  for (const flag of plan.flags) {
    for (const item of renderFlag(flag, scope)) {
      if (!dashAllowed) rejectOption(item, `flag ${flag.name}`, SEPARATOR_HINT, mask);
      items.push(item);
    }
  }
  for (const item of items) checkArgument(argumentText(item), mask);
  return items;
}

export function argumentText(item: Argument): string {
  return item.length === 1 ? item[0]!.text : item.map((part) => part.text).join("");
}

const DOUBLE_DASH_HINT = 'put "--" before it in args';
const SEPARATOR_HINT = 'join them with the flag\'s separator (such as "=")';

/** A value from the caller that starts with a dash is read as an option by nearly every program. */
export function rejectOption(item: Argument, where: string, hint: string, mask: Mask): void {
  const first = item.find((part) => part.text !== "");
  if (first?.origin !== "props" || !first.text.startsWith("-")) return;
  throw new ToolError(
    "option_refused",
    `The value of ${where} starts with '-' and would become an option: ${quoteShort(argumentText(item), mask)}. ` +
      `If that is meant, ${hint}, or set allowDashValues to true.`,
  );
}

/** Linux takes no longer argument, and other systems little more for all arguments together. */
const MAX_ARGUMENT = 128 * 1024 - 1;

function checkArgument(text: string, mask: Mask): void {
  if (text.includes("\0"))
    throw new ToolError("invalid_config", `An argument holds a NUL character: ${quoteShort(text, mask)}`);
  if (text.length > MAX_ARGUMENT) {
    throw new ToolError(
      "invalid_config",
      `An argument of ${text.length} characters is too long for a command line; the limit is ${MAX_ARGUMENT}.`,
    );
  }
}

/** A native list becomes one item per element; null, like an optional property that was not given, becomes none. */
function renderArgument(text: TemplateString, scope: Scope): Argument[] {
  if (!text.isNative) {
    const parts = text.parts(scope);
    return parts === OMITTED ? [] : [parts];
  }
  const native = text.value(scope);
  return native === OMITTED ? [] : valueItems(native.value, native.origin).map((part) => [part]);
}

function renderFlag({ name, from, type, separator }: FlagPlan, scope: Scope): Argument[] {
  const found = from.resolve(scope);
  if (found === undefined) return [];
  const flag: Part = { text: name, origin: "author" };
  if (type === "boolean") return isEnabled(found.value) ? [[flag]] : [];
  const values = valueItems(found.value, found.origin);
  if (separator === " ") return values.flatMap((value) => [[flag], [value]]);
  return values.map((value) => [{ text: name + separator, origin: "author" }, value]);
}

function valueItems(value: unknown, origin: Origin): Part[] {
  const values = Array.isArray(value) ? value : [value];
  return values
    .filter((item) => item !== null && item !== undefined)
    .map((item) => ({ text: print(item), origin }));
}

function print(value: unknown): string {
  return typeof value === "string" ? value : stringifyExact(value);
}

const DISABLED_WORDS = new Set(["", "false", "0", "no", "off"]);

/** Models often send booleans as words. */
function isEnabled(value: unknown): boolean {
  if (typeof value === "string") return !DISABLED_WORDS.has(value.trim().toLowerCase());
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

function quoteShort(text: string, mask: Mask): string {
  const masked = mask(text);
  return JSON.stringify(masked.length > 80 ? `${masked.slice(0, 80)}…` : masked);
}
