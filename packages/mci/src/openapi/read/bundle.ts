import { isObject } from "@mci-ts/primitives/is-object";
import { importError } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { parsePart, parseText } from "./parse.ts";

export interface BundleOptions {
  /** Address of the document, absolute: `file:` or `http(s):`. */
  readonly address: string;
  /** Reads another document. Only asked for those beside the document: its folder and below, or its origin. */
  readonly load: (address: string) => Promise<string>;
}

export interface Bundle {
  readonly document: JsonObject;
  /** References that were not followed, and why. */
  readonly warnings: readonly string[];
}

/** Other documents that one import may read, and their characters in all. */
const MAX_DOCUMENTS = 20_000;
const MAX_CHARACTERS = 200 * 1024 * 1024;
/** Deeper, a document is no longer looked through. */
const MAX_DEPTH = 400;
/** Where other documents stand in the bundled one. */
const PLACE = "x-mci-documents";

/** One document with all it refers to, so that every reference is local. */
export async function bundleOpenApi(source: string | object, options: BundleOptions): Promise<Bundle> {
  const repeated: string[] = [];
  const root =
    typeof source === "string"
      ? parseText(source, options.address, (what) => void repeated.push(what))
      : (source as JsonObject);
  const others = new Map<string, { readonly key: string; value: unknown }>();
  const names = new Map<string, number>();
  const pending: string[] = [];
  const warnings = new Set<string>();

  /** The local reference that replaces `reference`, which stands in the document at `base`. */
  const rewrite = (reference: string, base: string): string => {
    const url = URL.canParse(reference, base) ? new URL(reference, base) : undefined;
    if (url === undefined) return reference;
    const fragment = decodeFragment(url.hash);
    url.hash = "";
    if (url.href === options.address) return `#${fragment}`;
    const cached = others.get(url.href);
    if (cached !== undefined) return `#/${PLACE}/${cached.key}${fragment}`;
    const refusal = refusalOf(url, options.address);
    if (refusal !== undefined || others.size >= MAX_DOCUMENTS) {
      warnings.add(
        `The reference ${reference} is not followed: ${refusal ?? "there are too many documents"}.`,
      );
      return reference;
    }
    const entry = { key: freeName(documentName(url), names), value: undefined };
    others.set(url.href, entry);
    pending.push(url.href);
    return `#/${PLACE}/${entry.key}${fragment}`;
  };

  const document = copy(
    root,
    (reference) => (reference.startsWith("#") ? reference : rewrite(reference, options.address)),
    0,
  ) as JsonObject;
  /** Documents that cannot be read, by where they would stand. */
  const missing = new Map<string, string>();
  let characters = 0;
  for (let address = pending.pop(); address !== undefined; address = pending.pop()) {
    const base = address;
    const other = others.get(address)!;
    try {
      const text = await options.load(address);
      characters += text.length;
      if (characters > MAX_CHARACTERS)
        throw importError(`The documents have more than ${MAX_CHARACTERS} characters.`);
      other.value = copy(
        parsePart(
          text,
          address,
          (what) => void repeated.push(`${what} of ${shortAddress(address, options.address)}`),
        ),
        (reference) => rewrite(reference, base),
        0,
      );
    } catch (cause) {
      if (characters > MAX_CHARACTERS) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      missing.set(other.key, shortAddress(address, options.address));
      warnings.add(`A document that this one refers to cannot be read: ${reason}`);
    }
  }
  if (repeated.length > 0) {
    const more = repeated.length > 10 ? ` and ${repeated.length - 10} more` : "";
    warnings.add(`Given twice, the last one counts: ${repeated.slice(0, 10).join(", ")}${more}`);
  }
  if (others.size === 0) return { document: root, warnings: [...warnings] };
  const documents = Object.fromEntries([...others.values()].map(({ key, value }) => [key, value]));
  const bundled = { ...document, [PLACE]: documents };
  const complete = missing.size === 0 ? bundled : (copy(bundled, restore, 0) as JsonObject);
  return { document: complete, warnings: [...warnings] };

  /** A reference into a document that cannot be read, as the documents wrote it: it leads nowhere, and is listed as such. */
  function restore(reference: string): string {
    const [, place, key = "", ...rest] = reference.split("/");
    const address = place === PLACE ? missing.get(key) : undefined;
    if (address === undefined) return reference;
    return rest.length === 0 ? address : `${address}#/${rest.join("/")}`;
  }
}

/** From the folder of the first document. */
function shortAddress(address: string, root: string): string {
  const folder = new URL(".", root).href;
  return address.startsWith(folder) ? address.slice(folder.length) : address;
}

/** Why an address is not read: a document must not make us read files and hosts of its choice. */
function refusalOf(url: URL, address: string): string | undefined {
  const root = new URL(address);
  if (url.protocol !== root.protocol) return `only ${root.protocol} addresses may be read here`;
  if (root.protocol !== "file:")
    return url.origin === root.origin ? undefined : `only ${root.origin} may be read`;
  const folder = root.pathname.replace(/[^/]*$/, "");
  const isBelow = url.host === root.host && url.pathname.startsWith(folder) && !/%2f|%5c/i.test(url.pathname);
  return isBelow ? undefined : "it lies outside the document's folder";
}

/** `schemas/pet.yaml` is `pet`, `schemas/pet/index.yaml` too: definitions are named after it. */
function documentName({ pathname }: URL): string {
  const steps = pathname.split("/").map((step) => step.replace(/%[0-9a-f]{2}|[^A-Za-z0-9_]/gi, "_"));
  const last = (steps.at(-1) ?? "").replace(/_(?:json|ya?ml)$/i, "");
  const name = /^(?:index|schema|)$/i.test(last) ? steps.at(-2) || last : last;
  return /^[A-Za-z]/.test(name) ? name.slice(0, 60) : `schema_${name.slice(0, 50)}`;
}

/** The name, or the name with a number that no other document has. */
function freeName(name: string, names: Map<string, number>): string {
  const count = (names.get(name) ?? 0) + 1;
  names.set(name, count);
  if (count === 1) return name;
  return freeName(`${name}_${count}`, names);
}

function decodeFragment(hash: string): string {
  return hash === "#" || hash === "" ? "" : hash.slice(1);
}

function copy(value: unknown, rewrite: (reference: string) => string, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth > MAX_DEPTH) return value;
  if (Array.isArray(value)) return value.map((item) => copy(item, rewrite, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      key === "$ref" && typeof item === "string" ? rewrite(item) : copy(item, rewrite, depth + 1),
    ]),
  );
}
