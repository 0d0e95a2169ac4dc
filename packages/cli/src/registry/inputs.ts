import { isObject } from "@mci-ts/primitives/is-object";
import { Setting } from "mci-ts/authoring";
import { isCredentialValue, isHarmless } from "../import/credentials.ts";
import { ImportVariables, variableName } from "../import/variables.ts";

type Json = Readonly<Record<string, unknown>>;

/** Turns what an entry of a registry asks for into settings: fixed text, or variables. Values of secrets are never written. */
export class EntryInputs {
  readonly variables = new ImportVariables();
  readonly notes: string[] = [];
  readonly #server: string;

  constructor(server: string) {
    this.#server = server;
  }

  /** `name`: that of the environment variable, header or argument. Undefined: it is optional, and left out. */
  setting(input: Json, name: string, what: string): Setting | undefined {
    const { value, variables } = input;
    if (typeof value === "string")
      return this.#fixed(value, isObject(variables) ? variables : {}, input, name, what);
    const fallback = typeof input.default === "string" ? input.default : undefined;
    if (input.isRequired !== true && fallback === undefined) {
      this.notes.push(`Left out, as it is optional: ${what} ${name}${describe(input)}`);
      return undefined;
    }
    return this.#variable(input, name, fallback);
  }

  /** Text with `{names}` of variables. */
  template(text: string, variables: Json, what: string): Setting {
    const pieces = text.split(/\{([A-Za-z_][\w-]*)\}/).map((piece, index): string | Setting => {
      if (index % 2 === 0) return piece;
      const variable = Object.hasOwn(variables, piece) ? variables[piece] : undefined;
      if (!isObject(variable)) return `{${piece}}`;
      return this.setting({ isRequired: true, ...variable }, piece, what) ?? "";
    });
    return Setting.join(...pieces);
  }

  #fixed(value: string, variables: Json, input: Json, name: string, what: string): Setting {
    const used = [...value.matchAll(/\{([A-Za-z_][\w-]*)\}/g)].some(([, key]) =>
      Object.hasOwn(variables, key!),
    );
    if (!used && (input.isSecret === true || isCredentialValue(value))) {
      this.notes.push(
        `The value that the registry gives for ${what} ${name} looks like a secret and is not written; set it yourself`,
      );
      return this.#variable({ ...input, isSecret: true }, name, undefined);
    }
    return this.template(value, variables, what);
  }

  #variable(input: Json, name: string, fallback: string | undefined): Setting {
    const isSecret = input.isSecret === true;
    const isEnvName = /^[A-Z][A-Z0-9_]*$/.test(name);
    const own = isEnvName ? variableName(name) : variableName(`${this.#server}_${name}`);
    const description =
      typeof input.description === "string"
        ? input.description.slice(0, 200)
        : `${name} of '${this.#server}'`;
    if (isSecret) return this.variables.secret(own, description);
    const isShown = fallback !== undefined && !isCredentialValue(fallback) && isHarmless("", fallback);
    if (fallback !== undefined && !isShown)
      this.notes.push(`The default of ${name} is not written, as it may be a secret; set ${own}`);
    return this.variables.setting(own, description, false, isShown ? fallback : undefined);
  }
}

function describe({ description }: Json): string {
  return typeof description === "string" ? ` (${description.slice(0, 120)})` : "";
}
