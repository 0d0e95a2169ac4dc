import { isObject } from "@mci-ts/primitives/is-object";
import { field, type JsonObject, listField, objectField, textField } from "../json.ts";
import type { Operation } from "../read/operations.ts";
import type { References } from "../read/references.ts";
import { AllOfMerger } from "../schema/all-of.ts";
import { typesOf } from "../schema/keywords.ts";
import { successResponse, successSchema } from "../schema/output.ts";

export interface ImportedPagination {
  readonly next: "link" | { readonly select: string; readonly param?: string };
  readonly items?: string;
}

/** `undefined`: it shows no pages. `"unclear"`: it has pages, but does not say how one leads to the next. */
export type FoundPagination = ImportedPagination | "unclear" | undefined;

/** Parameters that ask for a later page, without case and punctuation. */
const CURSORS =
  /^(cursor|pagecursor|nextcursor|pagetoken|nextpagetoken|nexttoken|after|startingafter|startafter|marker|bookmark|continuation|continuationtoken)$/;
const NUMBERS = /^(page|pagenumber|pageindex|offset|start|skip|startindex|startat)$/;
/** Fields of a page that name the next one. */
const NEXT =
  /^(next|nextcursor|nextpage|nextpagetoken|nexttoken|nextpageuri|nextpageurl|nexturi|nexturl|nextlink|odatanextlink|nextoffset|nextmarker|continuation|continuationtoken|endcursor)$/;
const CURSOR_FIELD = /^(cursor|after|marker|bookmark|scrollid)$/;
const MORE = /^(hasmore|hasnext|hasnextpage|hasmoreitems|more|istruncated|nextpage)$/;
const ADDRESS = /(uri|url|link)$/;
const LISTS = /^(data|items|results|records|entries|values|value|list|rows|elements|objects|content)$/;

/** How the pages of a list follow each other, where the document shows it. */
export function paginationOf(operation: Operation, references: References): FoundPagination {
  if (operation.method !== "GET") return undefined;
  const { value, parameters, path } = operation;
  const queries = parameters.filter((parameter) => parameter.in === "query");
  const named = (pattern: RegExp) => queries.filter(({ name }) => pattern.test(plain(String(name))));
  const cursor = textField(named(CURSORS)[0], "name");
  const number = textField(named(NUMBERS).find(isNumber), "name");
  const page = new Page(successSchema(value, references), references);
  const items = page.list(path);
  if (hasLinkHeader(value, references) && items !== undefined) return { next: "link", ...listed(items) };
  const next = items === undefined ? undefined : page.next(cursor, number, items);
  if (next !== undefined) return { next, ...listed(items!) };
  return cursor === undefined && number === undefined ? undefined : "unclear";
}

/** `start` may be a date. */
function isNumber(parameter: JsonObject): boolean {
  const types = typesOf(objectField(parameter, "schema"));
  return types.length === 0 || types.includes("integer") || types.includes("number");
}

const listed = (items: string) => (items === "@" ? {} : { items });

/** `next_page` and `nextPage` are one name. */
function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}

function hasLinkHeader(operation: JsonObject, references: References): boolean {
  const headers = objectField(successResponse(operation, references), "headers");
  return Object.keys(headers).some((name) => name.toLowerCase() === "link");
}

interface Field {
  /** A JMESPath expression. */
  readonly path: string;
  readonly name: string;
  readonly schema: JsonObject;
  readonly types: readonly string[];
}

/** The fields of a page and of the objects in it. */
class Page {
  readonly #references: References;
  readonly #allOf: AllOfMerger;
  readonly #root: JsonObject;
  readonly #outer: readonly Field[];
  readonly #inner: readonly Field[];
  readonly #innermost: readonly Field[];

  constructor(schema: unknown, references: References) {
    this.#references = references;
    this.#allOf = new AllOfMerger(references);
    this.#root = this.#resolve(schema);
    this.#outer = this.#fieldsOf(this.#root, "");
    const below = ({ path, schema: inner }: Field) => this.#fieldsOf(inner, `${path}.`);
    this.#inner = this.#outer.flatMap(below);
    this.#innermost = this.#inner.flatMap(below);
  }

  /** The list in the page, `@` if the page is the list; undefined if there is none, or more than one. */
  list(path: string): string | undefined {
    if (typesOf(this.#root).includes("array")) return "@";
    const resource = plain(path.replace(/\.json$/, "").slice(path.lastIndexOf("/") + 1));
    for (const fields of [this.#outer, this.#inner]) {
      const lists = fields.filter(({ types }) => types.includes("array"));
      if (lists.length === 1) return lists[0]!.path;
      const named = lists.filter(({ name }) => plain(name) === resource || LISTS.test(plain(name)));
      if (lists.length > 1) return named.length === 1 ? named[0]!.path : undefined;
    }
    return undefined;
  }

  next(
    cursor: string | undefined,
    number: string | undefined,
    items: string,
  ): Exclude<ImportedPagination["next"], "link"> | undefined {
    const fields = [...this.#outer, ...this.#inner];
    const texts = fields.filter(isCursor);
    const named = texts.filter(({ name }) => NEXT.test(plain(name)));
    const address = named.find(isAddress);
    if (address !== undefined) return { select: address.path };
    const param = cursor ?? number;
    if (param === undefined) return undefined;
    const next = named[0];
    if (next !== undefined) return { select: next.path, param };
    // { cursor: { before, after } } names the neighbours by the parameters that lead to them.
    const neighbour = [...texts, ...this.#innermost.filter(isCursor)].find(
      ({ name, path }) => name === param && /\b(?:cursors?|paging|pagination)\.\w+$/.test(path),
    );
    if (neighbour !== undefined) return { select: neighbour.path, param };
    const more = fields.find(({ name, types }) => types.includes("boolean") && MORE.test(plain(name)));
    const own = texts.find(({ name }) => CURSOR_FIELD.test(plain(name)));
    // A cursor without a flag is not known to be the next page's: it may be the one that was asked for.
    if (cursor !== undefined && own !== undefined && more !== undefined)
      return { select: `${more.path} && ${own.path}`, param: cursor };
    if (cursor === undefined || more === undefined || !/after$/.test(plain(cursor))) return undefined;
    return this.#itemsHaveId(items)
      ? { select: `${more.path} && ${items}[-1].id`, param: cursor }
      : undefined;
  }

  #itemsHaveId(items: string): boolean {
    const list = [...this.#outer, ...this.#inner].find(({ path }) => path === items)?.schema;
    return isObject(objectField(this.#resolve(field(list, "items")), "properties").id);
  }

  #fieldsOf(schema: JsonObject, above: string): Field[] {
    return Object.entries(objectField(schema, "properties")).flatMap(([name, value]) => {
      // Names that could be anything but a name in an expression are not looked at.
      if (!/^[@\w.$-]{1,64}$/.test(name)) return [];
      const inner = this.#resolve(value);
      const path = above + (/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name));
      return [{ path, name, schema: inner, types: this.#typesOf(inner) }];
    });
  }

  /** Those that all alternatives have, if the schema has none itself. */
  #typesOf(schema: JsonObject): readonly string[] {
    const types = typesOf(schema);
    const alternatives = [...listField(schema, "anyOf"), ...listField(schema, "oneOf")];
    if (types.length > 0 || alternatives.length === 0) return types;
    const [first = [], ...others] = alternatives.map((value) => typesOf(this.#resolve(value)));
    return first.filter((type) => others.every((other) => other.includes(type)));
  }

  #resolve(schema: unknown): JsonObject {
    const resolved = this.#references.resolve(schema);
    return resolved === undefined ? {} : (this.#allOf.merge(resolved) ?? resolved);
  }
}

function isCursor({ types }: Field): boolean {
  return types.some((type) => type === "string" || type === "integer" || type === "number");
}

function isAddress({ name, schema, types }: Field): boolean {
  if (!types.includes("string")) return false;
  if (ADDRESS.test(plain(name)) || /^(uri|url)(-reference)?$/.test(textField(schema, "format") ?? ""))
    return true;
  return /\b(?:URL|URI|link)\b/i.test(textField(schema, "description") ?? "");
}
