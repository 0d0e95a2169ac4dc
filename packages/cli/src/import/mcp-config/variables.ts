import { isObject } from "../../../../mci/src/is-object.ts";
import type { Variable } from "../imported.ts";

/** The variables of one configuration: those it refers to, and those its secrets become. */
export class ConfigVariables {
  readonly #used = new Map<string, Variable>();
  readonly #descriptions = new Map<string, string>();

  /** `inputs`: what VS Code asks its user for. */
  constructor(inputs: unknown) {
    for (const input of Array.isArray(inputs) ? inputs.filter(isObject) : []) {
      if (typeof input.id === "string" && typeof input.description === "string")
        this.#descriptions.set(input.id, input.description);
    }
  }

  get used(): Variable[] {
    return [...this.#used.values()];
  }

  secret(name: string, description: string): string {
    this.#note(name, description);
    return `{{env.${name}}}`;
  }

  /** `${NAME}`, `${env:NAME}` and `${NAME:-default}` of the clients are our placeholders; `${input:id}` asks, ours is set. */
  render(text: string): string {
    return text
      .replaceAll("{{", "@{{")
      .replace(
        /\$\{(env:|input:)?([A-Za-z_/][\w-]*|\/)(?::-([^}]*))?\}/g,
        (_, kind: string | undefined, name: string, fallback?: string) =>
          this.#placeholder(kind, name, fallback),
      );
  }

  #placeholder(kind: string | undefined, name: string, fallback: string | undefined): string {
    if (kind === undefined && Object.hasOwn(PREDEFINED, name)) return PREDEFINED[name]!;
    const variable = name.replaceAll("-", "_");
    this.#note(variable, this.#descriptions.get(name) ?? "Used by an MCP server", fallback);
    if (fallback === undefined) return `{{env.${variable}}}`;
    return `{{env.${variable} | '${fallback.replaceAll("'", "")}'}}`;
  }

  #note(name: string, description: string, fallback?: string): void {
    if (this.#used.has(name)) return;
    const usual = fallback === undefined ? {} : { default: fallback };
    this.#used.set(name, { name, description, required: fallback === undefined, secret: true, ...usual });
  }
}

/** What editors put in by themselves. A server runs in the directory of the MCI file. */
const PREDEFINED: Readonly<Record<string, string>> = {
  workspaceFolder: ".",
  userHome: "{{env.HOME}}",
  pathSeparator: "/",
  "/": "/",
};
