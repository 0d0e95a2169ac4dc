import { escapeTemplate, quoteText } from "./escape.ts";
import { references } from "./references.ts";

export { documentVariable, ownVariable } from "./own-variable.ts";

/**
 * A setting that a program writes into a file: text, and placeholders of the program's own. An import makes its tools
 * of these, so that text of a stranger's document is never a template: only `Setting` makes placeholders, and
 * `writeSettings`, through which every tool passes, escapes all other strings.
 */
export class Setting {
  readonly template: string;
  /** Names of the environment variables it reads. */
  readonly variables: readonly string[];

  private constructor(template: string, variables: readonly string[]) {
    this.template = template;
    this.variables = variables;
  }

  /** A property's value as text. */
  static text(property: string): Setting {
    return new Setting(`{{props.${checkedName(property)}}}`, []);
  }

  /** A property's value with its type; nothing can be joined to it. */
  static value(property: string): Setting {
    return new Setting(`{!!props.${checkedName(property)}!!}`, []);
  }

  /** An environment variable. A fallback that cannot be quoted is left out. */
  static variable(name: string, fallback?: string): Setting {
    const quoted = fallback === undefined ? undefined : quoteText(fallback);
    const rest = quoted === undefined ? "" : ` | ${quoted}`;
    return new Setting(`{{env.${checkedName(name)}${rest}}}`, [name]);
  }

  /** Whether the text can be the fallback of a variable. */
  static isQuotable(text: string): boolean {
    return quoteText(text) !== undefined;
  }

  /** A template that the user wrote, who may read any variable. */
  static ofUser(template: string): Setting {
    const read = references(template, "text").references.filter(({ root }) => root === "env");
    return new Setting(template, [...new Set(read.flatMap(({ path: [name] }) => name ?? []))]);
  }

  static join(...pieces: readonly (string | Setting)[]): Setting {
    const templates = pieces.map((piece) =>
      typeof piece === "string" ? escapeTemplate(piece) : piece.template,
    );
    const variables = pieces.flatMap((piece) => (typeof piece === "string" ? [] : piece.variables));
    return new Setting(templates.join(""), [...new Set(variables)]);
  }
}

/** A private member is lost in a copy (`{ ...settings, more }`), so that a copy with more in it is not of the type. */
declare class Written {
  private readonly isWritten: true;
}

/** Settings as they stand in a file. Only `writeSettings` and `writeServer` make them. */
export type WrittenSettings = Readonly<Record<string, unknown>> & Written;

/** The text of all settings of a tool or server. The variables they read are added to `read`. */
export function writeSettings(
  settings: Readonly<Record<string, unknown>>,
  read: Set<string>,
): WrittenSettings {
  const write = (value: unknown): unknown => {
    if (typeof value === "string") return escapeTemplate(value);
    if (value instanceof Setting) {
      for (const name of value.variables) read.add(name);
      return value.template;
    }
    if (Array.isArray(value)) return value.map(write);
    if (typeof value !== "object" || value === null) return value;
    // Keys are never templates.
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, write(item)]));
  };
  return write(settings) as WrittenSettings;
}

/** The settings of an MCP server, with the list of the variables that it may read: those of the settings. */
export function writeServer(settings: Readonly<Record<string, unknown>>, read: Set<string>): WrittenSettings {
  const own = new Set<string>();
  const written = writeSettings(settings, own);
  for (const name of own) read.add(name);
  return { ...written, envAllowList: [...own] } as unknown as WrittenSettings;
}

/** A placeholder must not be what a document makes of it. */
function checkedName(name: string): string {
  if (/^[A-Za-z_]\w*$/.test(name)) return name;
  throw new Error(`'${name}' is not a name that a placeholder can have.`);
}
