import { isObject } from "@mci-ts/primitives/is-object";

/** A property of a tool's input whose value clients repeat in a header, so that proxies can route by it. */
interface HeaderProperty {
  readonly path: readonly string[];
  readonly header: string;
  readonly isNumeric: boolean;
}

export interface HeaderMismatch {
  readonly header: string;
  readonly message: string;
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * Compares `Mcp-Param-*` headers with the arguments of a call, as the 2026-07-28 revision requires: whatever a proxy
 * decided by the header must be what the tool gets. Returns the first that differs.
 */
export function findHeaderMismatch(
  inputSchema: Schema,
  args: unknown,
  headers: Pick<Headers, "get">,
): HeaderMismatch | undefined {
  for (const { path, header, isNumeric } of headerProperties(inputSchema)) {
    const value = valueAt(args, path);
    const text = asText(value);
    // A header without an argument is ignored: the server must not expect it.
    if (text === undefined) continue;
    const sent = headers.get(header);
    const name = path.join(".");
    if (sent === null)
      return { header, message: `the body has ${name}, but the ${header} header is missing` };
    const decoded = decode(sent);
    if (decoded === undefined) return { header, message: `the ${header} header is not valid Base64` };
    const isEqual = isNumeric && DECIMAL.test(decoded) ? Number(decoded) === value : decoded === text;
    if (!isEqual) return { header, message: `the ${header} header differs from ${name} in the body` };
  }
  return undefined;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
const NUMERIC = new Set(["integer", "number"]);

/** Declared by `x-mcp-header` on properties, at any depth of `properties`. */
function headerProperties(schema: Schema): HeaderProperty[] {
  const found: HeaderProperty[] = [];
  const pending: { readonly node: Schema; readonly path: readonly string[] }[] = [{ node: schema, path: [] }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, path } = next;
    const name = node["x-mcp-header"];
    if (path.length > 0 && typeof name === "string" && TOKEN.test(name))
      found.push({ path, header: `Mcp-Param-${name}`, isNumeric: NUMERIC.has(node.type as string) });
    if (!isObject(node.properties)) continue;
    for (const [key, child] of Object.entries(node.properties))
      if (isObject(child)) pending.push({ node: child, path: [...path, key] });
  }
  return found;
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const key of path) value = isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
  return value;
}

/** Undefined for what no header can carry. */
function asText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean" || Number.isSafeInteger(value)) return String(value);
  return typeof value === "number" && !Number.isInteger(value) && Number.isFinite(value)
    ? String(value)
    : undefined;
}

/** Values that a header cannot carry as they are come as `=?base64?…?=`. */
function decode(value: string): string | undefined {
  const [, base64] = /^=\?base64\?(.*)\?=$/.exec(value) ?? [];
  if (base64 === undefined) return value;
  const bytes = Buffer.from(base64, "base64");
  if (bytes.toString("base64") !== base64) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
