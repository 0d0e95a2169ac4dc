import { decodeUri } from "@mci-ts/primitives/decode-uri";
import { ToolError } from "../../../errors.ts";
import { OMITTED, type Part, type Scope, type TemplateString } from "../../../template-api.ts";
import { encodePart } from "./query.ts";
import { explainEnvError } from "./url-errors.ts";

/** Where a request goes. */
export interface Target {
  /** Scheme, host and port. */
  readonly origin: string;
  readonly hostname: string;
  /** Path and query, ready for the request line. */
  readonly path: string;
  /** Origin and path for messages and resource addresses: no query, and `***` where the path holds an env value. */
  readonly displayUrl: string;
  /** The host came from the caller, at least in part: it may only lead to public addresses. */
  readonly callerHost: boolean;
  /** `user:password` that the author wrote into the address. */
  readonly userinfo?: string;
}

/**
 * Author and env text is used as it stands. What the caller gave is encoded for its place, so that it can never be
 * more than one path segment, one query value, one host label or one port; as the beginning of the address it must be
 * an absolute http(s) address itself.
 */
export function compileUrl(
  text: Pick<TemplateString, "parts" | "isConstant" | "source">,
): (scope: Scope) => Target {
  let constant: Target | undefined;
  return (scope) => {
    if (constant !== undefined) return constant;
    const parts = text.parts(scope);
    if (parts === OMITTED) throw urlError("The URL is empty: the property it consists of was not given.");
    try {
      const target = assemble(parts, scope.publicValues);
      if (text.isConstant) constant = target;
      return target;
    } catch (refusal) {
      throw explainEnvError(refusal, parts, text.source, scope);
    }
  };
}

function assemble(parts: readonly Part[], publicValues?: ReadonlySet<string>): Target {
  let url = "";
  let displayUrl = "";
  let callerBase = false;
  let callerHost = false;
  const inPath: [start: number, end: number][] = [];
  for (let index = 0; index < parts.length; index++) {
    const { text, origin } = parts[index]!;
    if (origin === "author") {
      url += text;
      displayUrl += text;
      continue;
    }
    const place = placeAt(url);
    if (origin === "env") {
      url += text;
      displayUrl += publicValues?.has(text) ? text : hidePath(text, place);
      continue;
    }
    if (place === "start") callerBase ||= checkStart(url, text, parts[index + 1]?.text) === "address";
    else if (place === "host") callerHost = checkHost(text, url);
    else if (place === "port") checkPort(text);
    const added = place === "path" || place === "query" ? encodePart(text) : text;
    if (place === "path") inPath.push([url.length, url.length + added.length]);
    url += added;
    displayUrl += added;
  }
  for (const [start, end] of inPath) checkSegment(url, start, end);
  const parsed = parse(url);
  if (!callerBase && parts.length > 1) checkAuthority(parsed, url);
  const visible = displayUrl === url ? parsed : parse(displayUrl);
  return {
    origin: parsed.origin,
    hostname: parsed.hostname,
    path: parsed.pathname + parsed.search,
    displayUrl: visible.origin + visible.pathname,
    callerHost: callerHost || callerBase,
    userinfo: parsed.username || parsed.password ? userinfo(parsed) : undefined,
  };
}

type UrlPlace = "start" | "host" | "port" | "path" | "query";

/** What comes next after the text so far. A fragment is never sent; it counts as query. */
function placeAt(url: string): UrlPlace {
  const scheme = url.indexOf("://");
  if (scheme < 0) return "start";
  const rest = url.slice(scheme + 3);
  if (/[?#]/.test(rest)) return "query";
  if (/[/\\]/.test(rest)) return "path";
  if (rest.lastIndexOf("[") > rest.lastIndexOf("]")) return "host"; // Inside of an IPv6 address a colon does not begin a port.
  return /:\d*$/.test(rest) ? "port" : "host";
}

/** An env value without the path it brings: webhooks carry their secret there. The host stays. */
function hidePath(text: string, place: UrlPlace): string {
  if (place === "path" || place === "query") return text === "" ? "" : "***";
  const scheme = text.indexOf("://");
  const host = scheme < 0 ? 0 : scheme + 3;
  const path = text.slice(host).search(/[/\\?#]/);
  return path < 0 || host + path === text.length - 1 ? text : `${text.slice(0, host + path)}/***`;
}

function checkStart(before: string, value: string, next: string | undefined): "scheme" | "address" {
  const completesScheme = before !== "" || next?.startsWith("://");
  if (completesScheme) {
    // After "http:/" a value would be the host, however few slashes are there.
    if (/^[a-z]*$/i.test(before + value)) return "scheme";
    throw urlError("A value at the start of the URL must be the scheme http or https.");
  }
  const address = URL.canParse(value) ? new URL(value) : undefined;
  if (!/^https?:\/\//i.test(value) || address === undefined) {
    throw urlError("A value at the start of the URL must be an absolute http:// or https:// address.");
  }
  if (address.username || address.password)
    throw urlError("A URL given by the caller must not hold a user name or password.");
  if (next !== undefined && /[?#]/.test(value)) {
    throw urlError(
      "A value at the start of the URL must not bring a query or fragment, since more text follows it.",
    );
  }
  return "address";
}

function checkPort(value: string): void {
  if (!/^\d{1,5}$/.test(value)) throw urlError("A value in the port of the URL must be a number.");
}

/** Letters of any script: the URL parser turns them into their ASCII form. */
const LABELS =
  /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}])?(?:\.[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}_-]*[\p{L}\p{M}\p{N}])?)*$/u;

function checkHost(value: string, before: string): true {
  // A host name has at most 253 characters; the cap also keeps the pattern cheap.
  if (value.length > 253 || !LABELS.test(value)) {
    throw urlError(
      "A value in the host of the URL must be a host name or a part of one: letters, digits, dots and inner hyphens.",
    );
  }
  // After "https://api.example.com" a value with dots would make it a name below another domain.
  if (value.includes(".") && !/[/.@]$/.test(before)) {
    throw urlError(
      "A value that continues a name in the host of the URL must not hold dots. If it belongs to the path, write a / before it.",
    );
  }
  return true;
}

/** No segment that holds a caller's value may be, or hide, `.` or `..`. */
function checkSegment(url: string, start: number, end: number): void {
  let from = start;
  while (!isSlash(url[from - 1])) from--;
  let to = end;
  while (to < url.length && !isSlash(url[to]) && url[to] !== "?" && url[to] !== "#") to++;
  let segment = url.slice(from, to);
  if (!segment.includes(".") && !segment.includes("%")) return;
  // Servers and proxies may decode more than once, and a decoded slash makes new segments.
  for (let round = 0; round < MAX_DECODINGS; round++) {
    // The URL parser drops the author's line breaks, others drop what they decode: white space, NUL and the like.
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is what they drop
    segment = segment.replace(/[\x00-\x20\x7f]+/g, "").normalize("NFKC");
    // A decoded `?`, `#` or `;` ends the segment for a server that splits after decoding.
    if (segment.split(/[/\\]/).some((piece) => /^\.\.?(?:[;?#]|$)/.test(piece))) throw climbs();
    const decoded = decodeOnce(segment);
    if (decoded === segment) return;
    segment = decoded;
  }
  throw climbs();
}

/** No honest value is encoded more often; layers of `%25` are undone together. */
const MAX_DECODINGS = 20;

function climbs(): ToolError {
  return urlError("A value in the path of the URL would make it climb to another folder ('.' or '..').");
}

const isSlash = (char: string | undefined): boolean => char === "/" || char === "\\";

/**
 * One layer of escapes: `%u002e`, the overlong forms of dot and slash that lenient decoders accept, and UTF-8. Characters
 * that normalization turns into dots and slashes are handled by the caller.
 */
function decodeOnce(text: string): string {
  return text
    .replace(/%(?:25)+/g, "%")
    .replace(/%(?:c0|e0%80|f0%80%80)%ae/gi, ".")
    .replace(/%(?:c0|e0%80|f0%80%80)%af|%(?:c1|e0%81|f0%80%81)%9c/gi, "/")
    .replace(/%u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replace(/(?:%[0-9a-f]{2})+/gi, (run) => Buffer.from(run.replaceAll("%", ""), "hex").toString("utf8"));
}

function parse(url: string): URL {
  try {
    const parsed = new URL(url);
    if (parsed.protocol === "http:" || parsed.protocol === "https:") return parsed;
  } catch {
    // Said below.
  }
  throw urlError(
    "The URL is not an absolute http:// or https:// address. Check the tool's url and the values in it.",
  );
}

/** The last word: what will be sent must go where the text before the path says. */
function checkAuthority(parsed: URL, url: string): void {
  // Almost always the text begins with the origin in its canonical form.
  if (url.startsWith(parsed.origin) && url[parsed.origin.length] === "/") return;
  const scheme = url.indexOf("://");
  const end = url.slice(scheme + 3).search(/[/\\?#]/);
  const head = scheme < 0 || end < 0 ? url : url.slice(0, scheme + 3 + end);
  const expected = URL.canParse(head) ? new URL(head) : undefined;
  if (
    expected?.origin !== parsed.origin ||
    expected.username !== parsed.username ||
    expected.password !== parsed.password
  ) {
    throw urlError("A value in the URL would have changed where the request goes.");
  }
}

function userinfo(url: URL): string {
  return `${decodeUri(url.username)}:${decodeUri(url.password)}`;
}

function urlError(message: string): ToolError {
  return new ToolError("url_refused", message);
}
