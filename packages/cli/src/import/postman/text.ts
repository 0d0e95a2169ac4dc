import { objectsIn } from "@mci-ts/primitives/is-object";
import { Setting } from "mci-ts/authoring";
import { isCredential, isCredentialName, isCredentialValue, isHarmless } from "../credentials.ts";
import type { RequestTool } from "../request.ts";
import { type ImportVariables, variableName } from "../variables.ts";

/** Turns `{{name}}` of Postman into placeholders for variables of ours. */
export class PostmanText {
  readonly #values = new Map<string, string>();
  readonly #prefix: string;
  readonly #variables: ImportVariables;

  constructor(declared: unknown, title: string, variables: ImportVariables) {
    this.#variables = variables;
    this.#prefix = title.replace(/\b(api|collection|postman|the|rest)\b/gi, " ").trim() || title;
    for (const item of objectsIn(declared)) {
      const name = item.key ?? item.id;
      if (typeof name === "string" && item.value !== undefined) this.#values.set(name, String(item.value));
    }
  }

  /** Text and variables. Pieces of the text that look like keys are variables of `tool`. */
  render(
    text: string,
    label: string,
    tool: RequestTool,
    isHidden: (piece: string) => boolean = isCredentialValue,
  ): Setting {
    return Setting.join(
      ...piecesOf(text).map(({ piece, isVariable }) => {
        if (isVariable) return this.#placeholder(piece, false);
        return isHidden(piece) ? tool.secret(label, `Part of '${label}'`, piece) : piece;
      }),
    );
  }

  /** The same for a credential: what is not a variable, nor the scheme before one, is a secret. */
  credential(text: string, label: string, tool: RequestTool): Setting {
    const [, scheme = "", rest = text] = /^((?:Bearer|Basic|Token|ApiKey|Key) +)([\s\S]*)$/i.exec(text) ?? [];
    const pieces = piecesOf(rest);
    const isPlain = pieces.every(({ piece, isVariable }) => isVariable || /^[\s:]*$/.test(piece));
    if (pieces.length === 0 || !isPlain)
      return Setting.join(scheme, tool.secret(label, `'${label}' of the request`, rest));
    return Setting.join(
      scheme,
      ...pieces.map(({ piece, isVariable }) => (isVariable ? this.#placeholder(piece, true) : piece)),
    );
  }

  /** A value that refers to variables. */
  value(name: string, text: string, tool: RequestTool): Setting {
    const isSecret = isCredentialName(name) || isCredential(name, text.replace(VARIABLES, ""));
    if (isSecret) return this.credential(text, name, tool);
    return this.render(text, name, tool, (piece) => !isHarmless(name, piece.replace(SIGNS, " ")));
  }

  #placeholder(name: string, isSecret: boolean): Setting {
    const value = this.#values.get(name);
    const secret = isSecret || isCredentialName(name) || (value !== undefined && isCredentialValue(value));
    const variable = variableName(`${this.#prefix}_${name}`);
    const description = `Variable '${name}' of the collection`;
    // A value may refer to a variable itself.
    const isKnown = value !== undefined && value !== "" && !value.includes("{{");
    if (secret) return this.#variables.secret(variable, description, isKnown ? value : "");
    return this.#variables.setting(
      variable,
      description,
      false,
      isKnown && isHarmless(name, value) ? value : undefined,
    );
  }
}

/** What joins variables: `<{{a}}>`, `{{a}}={{b}}`, `[{{a}}]`. */
const SIGNS = /[<>=[\]{}|#@$^~]/g;

const VARIABLES = /\{\{([^{}]*)\}\}/g;

function piecesOf(text: string): { readonly piece: string; readonly isVariable: boolean }[] {
  return text
    .split(/\{\{([^{}]*)\}\}/)
    .map((piece, index) => ({
      piece: index % 2 === 0 ? piece : piece.trim(),
      isVariable: index % 2 === 1,
    }))
    .filter(({ piece, isVariable }) => isVariable || piece !== "");
}
