import { isSecret, type Json, type RequestTool } from "../request.ts";
import { textOf } from "./description.ts";
import type { PostmanText } from "./text.ts";

/** A placeholder for each parameter or field. Those that are switched off are sent where the caller gives a value. */
export function askAll(items: readonly Json[], tool: RequestTool, text: PostmanText): Json {
  const named = items.filter(({ key }) => typeof key === "string" && key !== "");
  const byName = Map.groupBy(named, ({ key }) => String(key));
  return Object.fromEntries(
    [...byName].map(([name, same]) => {
      const on = same.filter(({ disabled }) => disabled !== true);
      if (on.length < 2) return [name, placeholder(name, on[0] ?? same[0]!, tool, text)];
      const example = on.map(({ value }) => String(value ?? ""));
      return [name, tool.ask(name, example, { description: `Example: ${example.join(", ").slice(0, 100)}` })];
    }),
  );
}

/** A variable of the collection stays one; any other value is an example of what to give. */
function placeholder(name: string, item: Json, tool: RequestTool, text: PostmanText): string {
  const { value, disabled } = item;
  const isVariable = typeof value === "string" && value.includes("{{") && !isDynamic(value);
  if (isVariable && disabled !== true) return text.render(value, isSecret(name));
  if (isSecret(name) && disabled !== true) return tool.secret(name, `Parameter '${name}'`);
  const example = isVariable || isSecret(name) || !value ? "" : `Example: ${String(value).slice(0, 100)}`;
  return tool.ask(name, typeof value === "object" && value !== null ? value : String(value ?? ""), {
    description: textOf(item.description) ?? example,
  });
}

/** `{{$guid}}`: Postman makes the value up; the caller gives one. */
export function isDynamic(value: string): boolean {
  return /^\{\{\$[^{}]*\}\}$/.test(value.trim());
}
