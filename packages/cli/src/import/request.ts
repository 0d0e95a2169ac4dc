import { SAFE_METHODS } from "@mci-ts/primitives/http-methods";
import { isObject } from "@mci-ts/primitives/is-object";
import { Setting } from "mci-ts/authoring";
import { CliError } from "../cli-error.ts";
import {
  holdsCredential,
  isCredential,
  isCredentialName,
  isHarmless,
  isKeyAsName,
  isPlainName,
  MAX_DEPTH,
} from "./credentials.ts";
import { type ImportVariables, variableName } from "./variables.ts";

export type Json = Record<string, unknown>;

export interface AskOptions {
  /** Default false. */
  readonly required?: boolean;
  /** The example is the default; where it may not stand in a file, the value is required. Default false. */
  readonly default?: boolean;
  readonly description?: string;
}

/** A tool made from one example request: its query, fields and path variables become properties. */
export class RequestTool {
  readonly #prefix: string;
  readonly #isHost: boolean;
  readonly #variables: ImportVariables;
  readonly #properties: [string, Json][] = [];
  readonly #required: string[] = [];

  /** `prefix` begins the names of its variables; `isHost`: it is that of the host to which they are sent. */
  constructor(prefix: string, variables: ImportVariables, isHost = false) {
    this.#prefix = prefix;
    this.#isHost = isHost;
    this.#variables = variables;
  }

  /** Asks for a value like the example, with its type. */
  ask(name: string, example: unknown, options: AskOptions = {}): Setting {
    return Setting.value(this.#property(name, example, options));
  }

  /** Asks for a text. */
  askText(name: string, example: string, options: AskOptions = {}): Setting {
    return Setting.text(this.#property(name, example, options));
  }

  /** A value that must not stand in a file. */
  secret(suffix: string, description: string, value: string): Setting {
    const name = variableName(`${this.#prefix}_${suffix}`, !this.#isHost);
    // One request may hold two values of one name; they are two variables.
    for (let number = 1; ; number++) {
      const free = number === 1 ? name : `${name}_${number}`;
      const current = this.#own.get(free);
      if (current !== undefined && current !== value) continue;
      this.#own.set(free, value);
      return this.#variables.secret(free, description, value);
    }
  }

  readonly #own = new Map<string, string>();

  inputSchema(): Json {
    return {
      type: "object",
      properties: Object.fromEntries(this.#properties),
      ...(this.#required.length > 0 ? { required: this.#required } : {}),
    };
  }

  #property(name: string, example: unknown, options: AskOptions): string {
    const base =
      name
        .replace(/\W+/g, "_")
        .replace(/^_+|(?<!_)_+$/g, "")
        .slice(0, 60) || "value";
    const valid = /^[A-Za-z_]/.test(base) ? base : `_${base}`;
    let property = valid;
    for (let number = 2; this.#properties.some(([taken]) => taken === property); number++)
      property = `${valid}_${number}`;
    const description = options.description?.trim();
    const hasDefault = options.default === true && example !== undefined && isHarmless(name, example);
    this.#properties.push([
      property,
      {
        ...schemaOf(example),
        ...(description ? { description } : {}),
        ...(hasDefault ? { default: example } : {}),
      },
    ]);
    if (options.required || (options.default && !hasDefault)) this.#required.push(property);
    return property;
  }
}

function schemaOf(example: unknown): Json {
  if (Array.isArray(example)) return { type: "array", items: example.length > 0 ? schemaOf(example[0]) : {} };
  if (isObject(example)) return { type: "object" };
  if (typeof example === "number") return { type: Number.isInteger(example) ? "integer" : "number" };
  return example === null || example === undefined ? {} : { type: typeof example };
}

/** A setting for each name. Values of a name that occurs several times are a list. */
export function askEach(
  entries: readonly (readonly [string, unknown])[],
  tool: RequestTool,
  options: AskOptions = {},
): Json {
  const byName = Map.groupBy(entries, ([name, value]) => checkedKey(name, value === ""));
  return Object.fromEntries(
    [...byName].map(([name, same]) => {
      const example = same.length === 1 ? same[0]![1] : same.map(([, value]) => value);
      return [name, settingOf(name, example, tool, options)];
    }),
  );
}

/** A value of the request: its credentials are variables, wherever they stand in it; the rest is asked for. */
export function settingOf(
  name: string,
  example: unknown,
  tool: RequestTool,
  options: AskOptions = {},
  label = name,
  depth = 0,
): unknown {
  if (isCredential(name, example)) return tool.secret(label, `'${label}' of the request`, String(example));
  if (typeof example !== "object" || example === null || !holdsCredential(name, example))
    return tool.ask(label, example, options);
  if (depth > MAX_DEPTH) return tool.ask(label, undefined, { ...options, required: true });
  if (Array.isArray(example))
    return example.map((item, index) =>
      settingOf(name, item, tool, options, `${label}_${index + 1}`, depth + 1),
    );
  const isPart = isCredentialName(name);
  return Object.fromEntries(
    Object.entries(example).map(([key, item]) => [
      checkedKey(key),
      settingOf(
        isPart && !isCredentialName(key) ? name : key,
        item,
        tool,
        options,
        `${label}_${key}`,
        depth + 1,
      ),
    ]),
  );
}

/** Names stand in the file as they are, so one that is a credential cannot be imported. `isBare`: it has no value. */
export function checkedKey(name: string, isBare = false): string {
  if (!isKeyAsName(name) && !(isBare && !isPlainName(name))) return name;
  throw new CliError("A name in the query or body is a credential, which must not stand in a file.", {
    hint: "Give it a name of its own (key=VALUE), or send it in a header.",
  });
}

/** A body that is a file of the caller's. */
export function fileBody(tool: RequestTool, example?: string): Json {
  const isShown = example !== undefined && example !== "-" && isHarmless("", example);
  const description = `Path of the file to send${isShown ? `, such as ${example}` : ""}.`;
  return { type: "file", content: tool.askText("body", "", { required: true, description }) };
}

export function optionalField(name: string, values: Json): Json {
  return Object.keys(values).length === 0 ? {} : { [name]: values };
}

export function annotationsFor(method: string): Json {
  return {
    readOnlyHint: SAFE_METHODS.includes(method),
    ...(method === "DELETE" ? { destructiveHint: true } : {}),
    ...(method === "PUT" || method === "DELETE" ? { idempotentHint: true } : {}),
    openWorldHint: true,
  };
}

/** A name that every model accepts. */
export function toolName(text: string): string {
  const name =
    text
      .replace(/[^A-Za-z0-9]+/g, "_")
      .replace(/^_+|(?<!_)_+$/g, "")
      .slice(0, 60) || "request";
  return /^\d/.test(name) ? `_${name}` : name;
}
