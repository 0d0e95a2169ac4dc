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
  readonly #used = new Map<string, ImportedVariable>();

  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  get used(): ImportedVariable[] {
    return [...this.#used.values()];
  }

  /** `TOKEN` -> `GITHUB_TOKEN`. */
  name(suffix: string): string {
    return suffix.startsWith(`${this.#prefix}_`) || suffix === this.#prefix
      ? suffix
      : `${this.#prefix}_${suffix}`;
  }

  /** A placeholder for a secret. */
  secret(name: string, description: string): string {
    this.#note({ name, description, required: true, secret: true });
    return `{{env.${name}}}`;
  }

  /** A placeholder for a setting, with the value it has where the variable is not set. */
  setting(name: string, description: string, fallback: string | undefined): string {
    const required = fallback === undefined;
    this.#note({ name, description, required, secret: false, ...(required ? {} : { default: fallback }) });
    return required ? `{{env.${name}}}` : `{{env.${name} | '${fallback}'}}`;
  }

  #note(variable: ImportedVariable): void {
    if (!this.#used.has(variable.name)) this.#used.set(variable.name, variable);
  }
}
