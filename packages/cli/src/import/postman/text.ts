import { isObject } from "../../../../mci/src/is-object.ts";
import type { Variable } from "../imported.ts";
import { isSecret } from "../request.ts";

/** A variable of such a name is a credential; a parameter may not be. */
const SECRET_NAME = /(^|[^a-z])(key|pat|pwd|pass|auth|sig|signature)([^a-z]|$)/i;

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

  /** `isCredential`: the values of its variables are not written down, whatever their names. */
  render(text: string, isCredential = false): string {
    return text
      .split(/\{\{([^{}]*)\}\}/)
      .map((piece, index) =>
        index % 2 === 0
          ? piece.replaceAll("{{", "@{{").replaceAll("{!!", "@{!!")
          : this.#placeholder(piece.trim(), isCredential),
      )
      .join("");
  }

  #placeholder(name: string, isCredential: boolean): string {
    const variable = `${this.#prefix}_${name}`
      .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, "_")
      .replace(/^_+|_+$/g, "");
    const value = this.#values.get(name);
    const secret = isCredential || isSecret(name) || SECRET_NAME.test(name);
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
