import { isObject } from "../../../mci/src/is-object.ts";
import type { Variable } from "./imported.ts";

export type Json = Record<string, unknown>;

/** A tool made from one example request: its query, fields and path variables become properties. */
export class RequestTool {
  readonly variables = new Map<string, Variable>();
  readonly #prefix: string;
  readonly #properties: [string, Json][] = [];
  readonly #required: string[] = [];

  /** `prefix` begins the names of its variables. */
  constructor(prefix: string) {
    this.#prefix = prefix;
  }

  /** Asks for a value like the example; gives its placeholder. */
  ask(
    name: string,
    example: unknown,
    options: { required?: boolean; default?: boolean; description?: string } = {},
  ): string {
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
    this.#properties.push([
      property,
      {
        ...schemaOf(example),
        ...(description ? { description } : {}),
        ...(options.default && example !== undefined ? { default: example } : {}),
      },
    ]);
    if (options.required) this.#required.push(property);
    return `{!!props.${property}!!}`;
  }

  /** A value that must not stand in a file; gives its placeholder. */
  secret(suffix: string, description: string): string {
    const name = `${this.#prefix}_${suffix}`
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, "_")
      .replace(/^_+|(?<!_)_+$/g, "");
    this.variables.set(name, { name, description, required: true, secret: true });
    return `{{env.${name}}}`;
  }

  inputSchema(): Json {
    return {
      type: "object",
      properties: Object.fromEntries(this.#properties),
      ...(this.#required.length > 0 ? { required: this.#required } : {}),
    };
  }
}

function schemaOf(example: unknown): Json {
  if (Array.isArray(example)) return { type: "array", items: example.length > 0 ? schemaOf(example[0]) : {} };
  if (isObject(example)) return { type: "object" };
  if (typeof example === "number") return { type: Number.isInteger(example) ? "integer" : "number" };
  return example === null || example === undefined ? {} : { type: typeof example };
}

/** A placeholder for each name; values of a name that occurs several times are a list, and secrets are variables. */
export function askEach(
  entries: readonly (readonly [string, unknown])[],
  tool: RequestTool,
  options: { default?: boolean } = {},
): Json {
  const byName = Map.groupBy(entries, ([name]) => name);
  return Object.fromEntries(
    [...byName].map(([name, same]) => {
      const example = same.length === 1 ? same[0]![1] : same.map(([, value]) => value);
      const isHidden = isSecret(name) && typeof example === "string";
      return [
        name,
        isHidden ? tool.secret(name, `'${name}' of the request`) : tool.ask(name, example, options),
      ];
    }),
  );
}

/** A body that is a file of the caller's. */
export function fileBody(tool: RequestTool, example?: string): Json {
  const such = example === undefined || example === "-" ? "" : `, such as ${example}`;
  const description = `Path of the file to send${such}.`;
  return { type: "file", content: textPlaceholder(tool.ask("body", "", { required: true, description })) };
}

/** The same placeholder for a value that is text. */
export function textPlaceholder(placeholder: string): string {
  return placeholder.replace("{!!", "{{").replace("!!}", "}}");
}

/** undefined: the text is no JSON. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function some(name: string, values: Json): Json {
  return Object.keys(values).length === 0 ? {} : { [name]: values };
}

/** Headers that a browser or tool adds by itself. */
const NOISE =
  /^(sec-.*|accept-encoding|accept-language|connection|content-length|host|user-agent|referer|origin|priority|dnt|te|pragma|cache-control|upgrade-insecure-requests|if-none-match|if-modified-since|postman-token)$/i;
const SECRET = /authorization|cookie|token|api[-_]?key|secret|session|csrf|xsrf|password|credential/i;

export const isNoise = (header: string): boolean => NOISE.test(header);
export const isSecret = (name: string): boolean => SECRET.test(name);

/** `auth` for an Authorization header; undefined if it is of no known kind. */
export function authOf(value: string, tool: RequestTool): Json | undefined {
  if (/^bearer\s/i.test(value)) return { type: "bearer", token: tool.secret("token", "Access token") };
  if (!/^basic\s/i.test(value)) return undefined;
  return {
    type: "basic",
    username: tool.secret("username", "User name"),
    password: tool.secret("password", "Password"),
  };
}

/** Text of a document in a setting: it must not act as a template. */
export function literal(text: string): string {
  return text.replaceAll("{{", "@{{").replaceAll("{!!", "@{!!");
}

export function annotationsFor(method: string): Json {
  return {
    readOnlyHint: ["GET", "HEAD", "OPTIONS"].includes(method),
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
