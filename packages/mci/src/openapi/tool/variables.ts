import { documentVariable, ownVariable } from "../../template/own-variable.ts";
import { Setting } from "../../template/setting.ts";

/** An environment variable that the imported tools read. */
export interface ImportedVariable {
  readonly name: string;
  /** What it is for. */
  readonly description: string;
  /** Without it, calls fail. */
  readonly required: boolean;
  /** It must be kept secret. */
  readonly secret: boolean;
  readonly default?: string;
}

/** The variables of one import, in the order of their first use. */
export class Variables {
  readonly #prefix: string;
  readonly #own: (name: string) => string;
  readonly #used = new Map<string, ImportedVariable>();

  /** `isChosen`: the user chose the prefix, and it is not the document's. */
  constructor(prefix: string, isChosen = false) {
    this.#own = isChosen ? ownVariable : documentVariable;
    this.#prefix = prefix.replace(/\W+/g, "_").replace(/^(?=\d)/, "_");
  }

  /** The variables of these names. Those that are not of the document stand in the base address that the user gave. */
  readBy(names: ReadonlySet<string>): ImportedVariable[] {
    const own = [...this.#used.values()].filter(({ name }) => names.has(name));
    const others = [...names].filter((name) => !this.#used.has(name));
    const description = "Part of the address of the API";
    return [...own, ...others.map((name) => ({ name, description, required: true, secret: true }))];
  }

  /** `TOKEN` -> `GITHUB_TOKEN`. */
  name(suffix: string): string {
    const isComplete = suffix.startsWith(`${this.#prefix}_`) || suffix === this.#prefix;
    return this.#own(isComplete ? suffix : `${this.#prefix}_${suffix}`);
  }

  /** A placeholder for a secret. */
  secret(name: string, description: string): Setting {
    this.#note({ name, description, required: true, secret: true });
    return Setting.variable(name);
  }

  /** A placeholder for a setting, with the value it has where the variable is not set. */
  setting(name: string, description: string, fallback: string | undefined): Setting {
    const required = fallback === undefined || !Setting.isQuotable(fallback);
    this.#note({ name, description, required, secret: false, ...(required ? {} : { default: fallback }) });
    return Setting.variable(name, fallback);
  }

  #note(variable: ImportedVariable): void {
    if (!this.#used.has(variable.name)) this.#used.set(variable.name, variable);
  }
}
