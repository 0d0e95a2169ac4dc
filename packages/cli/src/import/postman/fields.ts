import { holdsCredential, isCredential, isHarmless } from "../credentials.ts";
import { checkedKey, type Json, type RequestTool, settingOf } from "../request.ts";
import { textOf } from "./description.ts";
import type { PostmanText } from "./text.ts";

/** A placeholder for each parameter or field. Those that are switched off are sent where the caller gives a value. */
export function askAll(
  items: readonly Json[],
  tool: RequestTool,
  text: PostmanText,
  warn: (message: string) => void,
): Json {
  warnUnnamed(items, "parameter or field", warn);
  const named = items.filter(({ key }) => typeof key === "string" && key !== "");
  const byName = Map.groupBy(named, ({ key }) => checkedKey(String(key)));
  return Object.fromEntries(
    [...byName].map(([name, same]) => {
      const on = same.filter(({ disabled }) => disabled !== true);
      if (on.length < 2) return [name, placeholder(name, on[0] ?? same[0]!, tool, text)];
      const values = on.map(({ value }) => String(value ?? ""));
      if (holdsCredential(name, values) || values.some(hasVariable))
        return [name, on.map((item) => placeholder(name, item, tool, text))];
      return [name, tool.ask(name, values, { description: exampleOf(name, values.join(", ")) })];
    }),
  );
}

/** Empty rows are Postman's own; one with a value is sent by it. */
export function warnUnnamed(items: readonly Json[], what: string, warn: (message: string) => void): void {
  const count = items.filter(
    ({ key, value, disabled }) =>
      (key === undefined || key === null || key === "") && Boolean(value) && disabled !== true,
  ).length;
  if (count > 0) warn(`${count === 1 ? `a ${what}` : `${count} of its ${what}s`} without a name is left out`);
}

/** A variable of the collection stays one; any other value is an example of what to give. */
function placeholder(name: string, item: Json, tool: RequestTool, text: PostmanText): unknown {
  const { value, disabled } = item;
  const isOff = disabled === true;
  const isVariable = typeof value === "string" && hasVariable(value);
  if (isVariable && !isOff) return text.value(name, value, tool);
  const example = typeof value === "object" && value !== null ? value : String(value ?? "");
  if (!isOff && holdsCredential(name, example)) return settingOf(name, example, tool);
  const description = textOf(item.description) ?? (isVariable ? "" : exampleOf(name, value));
  return tool.ask(name, example, { description });
}

/** A value of a JSON body. Objects and lists that hold credentials or variables are taken apart. */
export function jsonSetting(
  key: string,
  value: unknown,
  tool: RequestTool,
  text: PostmanText,
  label = key,
  depth = 0,
): unknown {
  if (typeof value === "string" && hasVariable(value)) return text.value(key, value, tool);
  const isNested = typeof value === "object" && value !== null && depth < 30;
  if (isNested && holdsVariable(value, depth)) {
    const entries = Object.entries(value).map(([name, item]): [string, unknown] => [
      checkedKey(name),
      Array.isArray(value)
        ? jsonSetting(key, item, tool, text, `${label}_${Number(name) + 1}`, depth + 1)
        : jsonSetting(name, item, tool, text, `${label}_${name}`, depth + 1),
    ]);
    return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
  }
  return settingOf(key, value, tool, { description: exampleOf(key, value) }, label);
}

/** What may be shown of a value. */
export function exampleOf(name: string, value: unknown): string {
  const isShown = typeof value === "string" && value !== "" && !isCredential(name, value);
  return isShown && isHarmless(name, value) ? `Example: ${value.slice(0, 100)}` : "";
}

function holdsVariable(value: unknown, depth: number): boolean {
  if (typeof value === "string") return hasVariable(value);
  if (typeof value !== "object" || value === null || depth > 30) return false;
  return Object.values(value).some((item) => holdsVariable(item, depth + 1));
}

/** It refers to a variable. For `{{$guid}}` Postman makes the value up; here the caller gives one. */
function hasVariable(value: string): boolean {
  return value.includes("{{") && !/^\{\{\$[^{}]*\}\}$/.test(value.trim());
}
