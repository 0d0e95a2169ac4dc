import type { HttpPreview } from "../../preview.ts";
import type { Call } from "../executor.ts";
import { readAllowed } from "../file/read.ts";
import type { HttpPlan } from "./compile.ts";
import type { HeaderList } from "./headers.ts";

const MASK = "***";

/** The first request of a call as it would be sent. No token is fetched: one that would be is shown as `***`. */
export async function previewHttp(plan: HttpPlan, call: Call): Promise<HttpPreview> {
  const { request: rendered, credentials, readBody } = plan.request(call.scope);
  const request = readBody ? await readBody((path) => readAllowed(path, call)) : rendered;
  const context = {
    agent: undefined,
    signal: call.signal,
    onSecret: (value: string) => call.scope.onEnv(value, "credential"),
    mask: call.mask,
  };
  const signed = credentials === undefined ? request : await credentials.sign(request, context);
  // A key in the query is masked by its value, since its place in the address has no mark.
  for (const secret of signed.secrets) call.scope.onEnv(secret);
  return {
    type: "http",
    method: signed.method,
    url: signed.target.origin + signed.path,
    headers: shownHeaders(signed.headers, request.headers),
    ...shownBody(signed.body),
  };
}

/** Whatever signing added is a credential, also one that stands in the file itself. */
export function shownHeaders(signed: HeaderList, unsigned: HeaderList): Record<string, string> {
  const before = new Map(pairs(unsigned));
  return Object.fromEntries(
    [...pairs(signed)].map(([name, value]) => {
      const isAdded = before.get(name) !== value;
      return [name, isAdded || isCredential(name) ? withoutCredential(name, value, before) : value];
    }),
  );
}

/** What stands for a variable without a value; there is nothing to hide. */
const UNSET = /<\w+ not set>/g;

function isCredential(name: string): boolean {
  return /^(?:proxy-)?authorization$/i.test(name);
}

function withoutCredential(name: string, value: string, before: ReadonlyMap<string, string>): string {
  const unset = value.match(UNSET);
  if (unset !== null) return `${/^\w+ +/.exec(value)?.[0] ?? ""}${unset.join(" ")}`;
  if (isCredential(name)) return value.replace(/^(\S+ +)?.*$/s, (_, scheme = "") => scheme + MASK);
  if (name.toLowerCase() !== "cookie") return MASK;
  const secretHeaders = new Set(
    [...before].flatMap(([key, text]) => (key.toLowerCase() === "cookie" ? text.split("; ") : [])),
  );
  return value
    .split("; ")
    .map((pair) => (secretHeaders.has(pair) ? pair : `${pair.split("=", 1)[0]}=${MASK}`))
    .join("; ");
}

/** Headers carry the bytes of UTF-8. */
function* pairs(list: HeaderList): Generator<[name: string, value: string]> {
  for (let i = 0; i < list.length; i += 2)
    yield [list[i]!, Buffer.from(list[i + 1]!, "latin1").toString("utf8")];
}

export function shownBody(bytes: Uint8Array | undefined): Pick<HttpPreview, "body" | "bodyEncoding"> {
  if (bytes === undefined) return {};
  try {
    return { body: new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes) };
  } catch {
    return { body: Buffer.from(bytes).toString("base64"), bodyEncoding: "base64" };
  }
}
