import { isObject } from "@mci-ts/primitives/is-object";
import { ownVariable, Setting } from "mci-ts/authoring";
import { isCredentialValue, isHarmless } from "../import/credentials.ts";
import { ImportVariables, variableName } from "../import/variables.ts";

type Json = Readonly<Record<string, unknown>>;

/** Where a value goes. */
type InputKind = "variable" | "part of a variable" | "argument" | "header" | "part of the address";

/** Turns what an entry of a registry asks for into settings: fixed text, or variables. Values of secrets are never written. */
export class EntryInputs {
  readonly variables = new ImportVariables();
  readonly notes: string[] = [];
  readonly #server: string;

  constructor(server: string) {
    this.#server = server;
  }

  /** `name`: that of the environment variable, header or argument. Undefined: it is optional, and left out. */
  setting(input: Json, name: string, what: InputKind): Setting | undefined {
    const { value, variables } = input;
    if (typeof value === "string")
      return this.#fixed(value, isObject(variables) ? variables : {}, input, name, what);
    const fallback = typeof input.default === "string" ? input.default : undefined;
    if (input.isRequired !== true && fallback === undefined) {
      this.notes.push(`Left out, as it is optional: ${what} ${name}${describe(input)}`);
      return undefined;
    }
    return this.#variable(input, name, fallback, what === "variable");
  }

  /** Text with `{names}` of variables. */
  template(text: string, variables: Json, what: InputKind): Setting {
    const pieces = text.split(/\{([A-Za-z_][\w-]*)\}/).map((piece, index): string | Setting => {
      if (index % 2 === 0) return piece;
      const variable = Object.hasOwn(variables, piece) ? variables[piece] : undefined;
      if (!isObject(variable)) return `{${piece}}`;
      const part = what === "variable" ? "part of a variable" : what;
      return this.setting({ isRequired: true, ...variable }, piece, part) ?? "";
    });
    return Setting.join(...pieces);
  }

  #fixed(value: string, variables: Json, input: Json, name: string, what: InputKind): Setting {
    const used = [...value.matchAll(/\{([A-Za-z_][\w-]*)\}/g)].some(([, key]) =>
      Object.hasOwn(variables, key!),
    );
    if (!used && (input.isSecret === true || isCredentialValue(value))) {
      this.notes.push(
        `The value that the registry gives for ${what} ${name} looks like a secret and is not written; set it yourself`,
      );
      return this.#variable({ ...input, isSecret: true }, name, undefined, what === "variable");
    }
    return this.template(value, variables, what);
  }

  /**
   * Only a variable of the program's environment is read under its own name. Any other name is the entry's choice: a header or an
   * address with `{AWS_SECRET_ACCESS_KEY}` would send that to the entry's host.
   */
  #variable(input: Json, name: string, fallback: string | undefined, isEnvironment: boolean): Setting {
    const isSecret = input.isSecret === true;
    const isOwnName = isEnvironment && /^[A-Z][A-Z0-9_]*$/.test(name) && ownVariable(name) === name;
    const own = isOwnName ? name : variableName(`${this.#server}_${name}`);
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
