import { isObject } from "../../../mci/src/is-object.ts";
import type { Variable } from "./imported.ts";
import { isSecret } from "./request.ts";

/** Turns `{{name}}` of Postman into placeholders for variables of ours. */
export class PostmanText {
  readonly #values = new Map<string, string>();
  readonly #prefix: string;
  readonly #variables: Map<string, Variable>;

  constructor(declared: unknown, title: string, variables: Map<string, Variable>) {
    this.#variables = variables;
    this.#prefix = title.replace(/\b(api|collection|postman|the|rest)\b/gi, " ").trim() || title;
    for (const item of Array.isArray(declared) ? declared.filter(isObject) : []) {
      const name = item.key ?? item.id;
      if (typeof name === "string" && item.value !== undefined) this.#values.set(name, String(item.value));
    }
  }

  render(text: string): string {
    return text
      .split(/\{\{([^{}]*)\}\}/)
      .map((piece, index) =>
        index % 2 === 0
          ? piece.replaceAll("{{", "@{{").replaceAll("{!!", "@{!!")
          : this.#placeholder(piece.trim()),
      )
      .join("");
  }

  #placeholder(name: string): string {
    const variable = `${this.#prefix}_${name}`
      .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, "_")
      .replace(/^_+|_+$/g, "");
    const value = this.#values.get(name);
    const secret = isSecret(name);
    // A default must not hold what ends its quotes, or is a variable itself.
    const isUsable = value !== undefined && value !== "" && !secret && !/['{}]/.test(value);
    this.#variables.set(variable, {
      name: variable,
      description: `Variable '${name}' of the collection`,
      required: !isUsable,
      secret,
      ...(isUsable ? { default: value } : {}),
    });
    return isUsable ? `{{env.${variable} | '${value}'}}` : `{{env.${variable}}}`;
  }
}
