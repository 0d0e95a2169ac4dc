import { createHash } from "node:crypto";

/** Providers accept at most this many characters in the name of a tool or property. */
const MAX_NAME = 64;

interface Named {
  readonly method: string;
  readonly path: string;
  readonly operationId: string | undefined;
}

/**
 * Tool names that every model accepts, each once: from the operation id, else from method and path. All operations are
 * named together, so that a name does not depend on which of them are chosen.
 */
export function nameTools(operations: readonly Named[], prefix = ""): string[] {
  const taken = new Set<string>();
  return operations.map((operation) => {
    const { method, path, operationId } = operation;
    const base = toolName(operationId) || toolName(`${method.toLowerCase()}${path}`) || method.toLowerCase();
    const key = `${method} ${path}`;
    const whole = fit(startsWell(`${prefix}${base}`), key);
    const name = taken.has(whole) ? withHash(whole, key) : whole;
    taken.add(name);
    return name;
  });
}

/** The name is not only what the operation is called: another has that name, or it was too long. */
export function isEnded(name: string, { method, path }: Named): boolean {
  return name.endsWith(`_${digestOf(`${method} ${path}`)}`);
}

function toolName(source: string | undefined): string {
  if (source !== undefined && /^\w+$/.test(source)) return source;
  return (source ?? "").replace(/[^A-Za-z0-9_]+/g, "_").replace(/^_+|_+$/g, "");
}

function startsWell(name: string): string {
  return /^[A-Za-z_]/.test(name) ? name : `_${name}`;
}

function fit(name: string, key: string): string {
  return name.length <= MAX_NAME ? name : withHash(name, key);
}

/** The digest of what it stands for keeps a shortened or repeated name apart, and the same tomorrow. */
function withHash(name: string, key: string): string {
  const digest = digestOf(key);
  return `${name.slice(0, MAX_NAME - digest.length - 1)}_${digest}`;
}

function digestOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 8);
}

/** Names of properties, unique in one tool. Providers refuse `filter[id]`, `$top` and long ones. */
export class PropertyNames {
  readonly #taken = new Set<string>();

  /** `place` (path, query, body, …) goes before a name that is taken. */
  add(name: string, place: string): string {
    const base = propertyName(name);
    let free = base;
    for (let number = 1; this.#taken.has(free); number++) {
      const tail = number === 1 ? "" : `_${number}`;
      free = `${`${place}_${base}`.slice(0, MAX_NAME - tail.length)}${tail}`;
    }
    this.#taken.add(free);
    return free;
  }
}

function propertyName(name: string): string {
  const isValid = /^[A-Za-z_]\w*$/.test(name) && name !== "__proto__";
  const bare = isValid ? name : name.replace(/\W+/g, "_").replace(/^_+|_+$/g, "");
  return fit(startsWell(bare || "value"), name);
}

/** Words of a title that do not tell one API from another. */
const COMMON =
  /^(?:the|an?|api|apis|rest|restful|http|https|json|openapi|open|swagger|spec|specification|public|official|service|reference|documentation|extension|v?\d[\d.]*\w?)$/i;

/** What names of variables begin with, after the title of the API: `GitHub v3 REST API` -> `GITHUB`. */
export function variablePrefix(title: string): string {
  const words = title
    .replace(/['’]s\b/g, "")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "");
  const telling = words.filter((word) => !COMMON.test(word));
  const name = (telling.length > 0 ? telling : words).slice(0, 2).join("_");
  return variableName(name.toUpperCase()) || "API";
}

export function variableName(text: string): string {
  const name = text
    .replace(/([a-z]\d*)([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .replace(/^_+|_+$/g, "")
    .toUpperCase();
  return /^\d/.test(name) ? `_${name}` : name;
}
