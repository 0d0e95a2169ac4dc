import { ToolError } from "../../../errors.ts";
import { OMITTED, type Scope, type TemplateString } from "../../../template-api.ts";

/** The text of a setting that credentials cannot do without. */
export function required(text: TemplateString, scope: Scope, setting: string): string {
  const value = text.render(scope);
  if (value === OMITTED)
    throw new ToolError("invalid_config", `${setting} is empty: the property it consists of was not given.`);
  return value;
}
