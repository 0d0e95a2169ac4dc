import { documentVariable, ownVariable, Setting } from "mci-ts/authoring";
import type { Variable } from "./imported.ts";

/** The variables of one import: what each is for, and the values that were taken out of the document. */
export class ImportVariables {
  readonly #variables = new Map<string, Variable>();
  readonly #values = new Map<string, string>();
  /** Variables that stand for several values. */
  readonly #ambiguous = new Set<string>();

  /** A value that must not stand in the file. `value`: what it was there. */
  secret(name: string, description: string, value = ""): Setting {
    return this.#add({ name: validName(name), description, required: true, secret: true }, value);
  }

  /** A variable of the document. A default that cannot be written is left out. */
  setting(name: string, description: string, secret: boolean, fallback?: string): Setting {
    const isUsable = fallback !== undefined && Setting.isQuotable(fallback);
    const usual = isUsable ? { default: fallback } : {};
    return this.#add(
      { name: validName(name), description, required: !isUsable, secret, ...usual },
      "",
      usual.default,
    );
  }

  valueOf(name: string): string | undefined {
    return this.#values.get(validName(name));
  }

  /** The variables of these names. */
  readBy(names: ReadonlySet<string>): Variable[] {
    return [...this.#variables.values()].filter(({ name }) => names.has(name));
  }

  get values(): ReadonlyMap<string, string> {
    return this.#values;
  }

  get warnings(): string[] {
    return [...this.#ambiguous].map(
      (name) => `${name} stands for several different values of the document; the first one is its value`,
    );
  }

  #add(variable: Variable, value: string, fallback?: string): Setting {
    const { name } = variable;
    if (!this.#variables.has(name)) this.#variables.set(name, variable);
    const current = this.#values.get(name);
    if (value !== "" && current === undefined) this.#values.set(name, value);
    else if (value !== "" && current !== value) this.#ambiguous.add(name);
    return Setting.variable(name, fallback);
  }
}

function validName(name: string): string {
  return name.replace(/\W+/g, "_").replace(/^(?=\d|$)/, "_");
}

/** `Shop: api key` -> `SHOP_API_KEY`. `isDocuments`: the document alone decides about the text. */
export function variableName(text: string, isDocuments = true): string {
  const name = text
    .replace(/([a-z]\d*)([A-Z])/g, "$1_$2")
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .replace(/^_+|(?<!_)_+$/g, "")
    .slice(0, 100);
  return (isDocuments ? documentVariable : ownVariable)(/^[A-Z]/.test(name) ? name : `_${name}`);
}
