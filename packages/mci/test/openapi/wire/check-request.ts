// biome-ignore-all lint/suspicious/noExplicitAny: documents may have any shape
import { checkSchema } from "./check-schema.ts";
import type { Contract, Parameter } from "./contract.ts";
import { resolve } from "./contract.ts";
import { decodeParameter, decodeValue, kindsOf } from "./decode.ts";
import { readForm, readMultipart } from "./read-body.ts";
import type { SeenRequest } from "./server.ts";

type Json = Record<string, any>;

/** Everything about a request that its document does not allow. `complete`: all parameters must have been sent. */
export function checkRequest(request: SeenRequest, contract: Contract, complete: boolean): string[] {
  const problems: string[] = [];
  const url = new URL(request.url, "http://localhost");
  if (request.method !== contract.method) problems.push(`method is ${request.method}`);
  const pathValues = matchPath(url.pathname, contract.path.split(/[?#]/)[0]!);
  if (pathValues === undefined) return [...problems, `path ${url.pathname} does not match ${contract.path}`];
  const keys = credentialNames(contract);
  const query = pairsOf(url.search.slice(1)).filter(([name]) => !contract.path.includes(`${name}=`));
  const cookies = (request.headers.cookie ?? "")
    .split("; ")
    .filter((pair) => pair !== "")
    .map(splitPair);
  const used = new Set<string>();
  for (const parameter of contract.parameters) {
    const source = {
      path: () => pathValues.get(parameter.name),
      query: () => query,
      header: () => request.headers[parameter.name.toLowerCase()],
      cookie: () => cookies,
    }[parameter.in]();
    const isCredential = keys.has(`${parameter.in} ${parameter.name.toLowerCase()}`);
    if (parameter.in === "path" && !contract.path.includes(`{${parameter.name}}`)) continue;
    const decoded = decodeParameter(parameter, source, contract.document, used);
    if (decoded === undefined) {
      if ((parameter.required || complete) && !isCredential)
        problems.push(`${parameter.in} '${parameter.name}' is missing`);
      continue;
    }
    if (isCredential) continue;
    problems.push(
      ...checkSchema(decoded, parameter.schema, contract.document).map(
        (text) => `${parameter.in} '${parameter.name}' ${text}`,
      ),
    );
  }
  for (const [name] of query) {
    const isKnown = used.has(name) || keys.has(`query ${name.toLowerCase()}`);
    if (!isKnown) problems.push(`query '${name}' is not declared`);
  }
  problems.push(...checkBody(request, contract, complete), ...checkSecurity(request, url, cookies, contract));
  return problems;
}

function matchPath(actual: string, template: string): Map<string, string> | undefined {
  const names: string[] = [];
  const source = template
    .split(/\{([^{}]*)\}/)
    .map((piece, index) => {
      if (index % 2 === 0) return decodeURIComponent(encodeURI(piece)).replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
      names.push(piece);
      return "([^/]+?)";
    })
    .join("");
  const match =
    new RegExp(`^${source}$`).exec(actual) ?? new RegExp(`^${source.replaceAll("@", "%40")}$`).exec(actual);
  return match ? new Map(names.map((name, index) => [name, match[index + 1]!])) : undefined;
}

function pairsOf(search: string): [string, string][] {
  return search
    .split("&")
    .filter((pair) => pair !== "")
    .map(splitPair)
    .map(([name, value]) => [decodeURIComponent(name), value]);
}

function splitPair(pair: string): [string, string] {
  const index = pair.indexOf("=");
  return index < 0 ? [pair, ""] : [pair.slice(0, index), pair.slice(index + 1)];
}

function checkBody(request: SeenRequest, { body, document, method }: Contract, complete: boolean): string[] {
  if (body === undefined || Object.keys(body.content).length === 0) {
    return request.body.length > 0 ? ["has a body, but none is declared"] : [];
  }
  const type = String(request.headers["content-type"] ?? "")
    .split(";")[0]!
    .toLowerCase();
  if (request.body.length === 0 && type === "") {
    const isEmptyText = Object.keys(body.content).every((name) => name.startsWith("text/"));
    return (body.required || complete) && !isEmptyText ? [`has no body in ${method}`] : [];
  }
  const declared = Object.keys(body.content).find((name) => matchesType(type, name));
  if (declared === undefined)
    return [`content type ${type} is none of ${Object.keys(body.content).join(", ")}`];
  const media = body.content[declared]!;
  const schema = media.schema ?? {};
  const check = (value: unknown) => checkSchema(value, schema, document).map((text) => `body ${text}`);
  if (/json$/.test(type) && !/ndjson|json-seq/.test(type)) return check(JSON.parse(request.body.toString()));
  if (type === "application/x-www-form-urlencoded")
    return checkFields(readForm(request.body.toString()), media, document, check);
  if (type === "multipart/form-data") {
    const { fields, files } = readMultipart(request.body, String(request.headers["content-type"]));
    return check(typed({ ...fields, ...files }, schema, document));
  }
  return request.body.length > 0 ? [] : ["body is empty"];
}

function checkFields(
  pairs: [string, string][],
  media: Json,
  document: Json,
  check: (value: unknown) => string[],
): string[] {
  const properties: Json = allProperties(media.schema, document);
  const value: Json = {};
  const used = new Set<string>();
  for (const [name, schema] of Object.entries(properties)) {
    const encoding = media.encoding?.[name] ?? {};
    const isObject = kindsOf(schema, document).has("object");
    const style = encoding.style ?? (isObject && encoding.explode === undefined ? "deepObject" : "form");
    const json = /json/.test(encoding.contentType ?? "") && encoding.style === undefined;
    const parameter: Parameter = {
      name,
      in: "query",
      required: false,
      schema: schema as Json,
      style,
      explode: encoding.explode ?? style === "form",
      json,
    };
    const decoded = decodeParameter(parameter, pairs, document, used);
    if (decoded !== undefined) value[name] = decoded;
  }
  const isOpen = Object.keys(properties).length === 0;
  const unknown = isOpen
    ? []
    : pairs.filter(([name]) => !used.has(name)).map(([name]) => `form field '${name}' is not declared`);
  return [
    ...unknown,
    ...check(isOpen ? typed(Object.fromEntries(pairs), media.schema ?? {}, document) : value),
  ];
}

export function allProperties(schema: unknown, document: Json): Json {
  const resolved = resolve(document, schema);
  return Object.assign(
    {},
    ...(resolved.allOf ?? []).map((part: unknown) => allProperties(part, document)),
    resolved.properties,
  );
}

function typed(fields: Json, schema: Json, document: Json): Json {
  const properties = allProperties(schema, document);
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => {
      const kinds = kindsOf(properties[name] ?? {}, document);
      if (kinds.has("array")) {
        const items = resolve(document, resolve(document, properties[name]).items ?? {});
        return [name, [value].flat().map((item) => decodeValue(String(item), items, document))];
      }
      return [name, decodeValue(String([value].flat()[0]), properties[name] ?? {}, document)];
    }),
  );
}

function matchesType(type: string, declared: string): boolean {
  const name = declared.split(";")[0]!.trim().toLowerCase();
  return name === type || name === "*/*" || (name.endsWith("/*") && type.startsWith(name.slice(0, -1)));
}

/** Parameters that carry a credential: `header x-key`. */
function credentialNames({ schemes }: Contract): Set<string> {
  const keys = Object.values(schemes).filter(({ type }) => type === "apiKey");
  return new Set(keys.map((scheme) => `${scheme.in} ${String(scheme.name).toLowerCase()}`));
}

function checkSecurity(
  request: SeenRequest,
  url: URL,
  cookies: [string, string][],
  { security, schemes }: Contract,
): string[] {
  if (security.length === 0) return [];
  const authorization = String(request.headers.authorization ?? "");
  const holds = (name: string): boolean => {
    const scheme: Json = schemes[name] ?? {};
    if (scheme.type === "apiKey") {
      if (scheme.in === "header") return request.headers[scheme.name.toLowerCase()] === `secret`;
      if (scheme.in === "query") return url.searchParams.get(scheme.name) === "secret";
      return cookies.some(([cookie, value]) => cookie === scheme.name && value === "secret");
    }
    if (scheme.type === "basic" || scheme.scheme?.toLowerCase() === "basic")
      return /^Basic c2VjcmV0OnNlY3JldA==$/.test(authorization);
    if (scheme.type === "http" && scheme.scheme.toLowerCase() !== "bearer")
      return authorization === `${scheme.scheme} secret`;
    return /^Bearer (secret|token)$/.test(authorization);
  };
  const isBearer = (name: string) => schemes[name] !== undefined && schemes[name].type !== "apiKey";
  const isMet = security.some((alternative) => {
    // A scheme that the document does not declare, or with a handshake, cannot be met, and the Authorization header holds
    // one of several.
    const isPossible = (name: string) => schemes[name] !== undefined && schemes[name].type !== "mutualTLS";
    const names = Object.keys(alternative).filter(isPossible);
    const bearers = names.filter(isBearer);
    return (
      names.filter((name) => !isBearer(name)).every(holds) && (bearers.length === 0 || bearers.some(holds))
    );
  });
  return isMet ? [] : [`security is not met: ${JSON.stringify(security)}`];
}
