import { isObject } from "@mci-ts/primitives/is-object";
import { McpError } from "../errors.ts";
import type { InputRequest } from "../input.ts";

/** Values that one form may ask for, and characters of a question. A person reads it as a whole before answering. */
const MAX_FIELDS = 100;
const MAX_QUESTION_LENGTH = 200_000;

/** What a server asks for, checked. Sampling and roots are deprecated, and not offered. */
export function readInputRequest(request: {
  readonly method?: unknown;
  readonly params?: unknown;
}): InputRequest {
  if (request.method !== "elicitation/create" || !isObject(request.params))
    throw new McpError(
      "refused",
      `the server requests input, which is not supported (${String(request.method)})`,
    );
  if (JSON.stringify(request.params, withBigInts).length > MAX_QUESTION_LENGTH)
    throw new McpError(
      "refused",
      `the server asks a question of more than ${MAX_QUESTION_LENGTH} characters`,
    );
  const { mode = "form", message, requestedSchema, url, elicitationId } = request.params;
  const text = typeof message === "string" ? message : "";
  if (mode === "url") return { mode: "url", message: text, url: pageOf(url), ...idOf(elicitationId) };
  if (mode !== "form")
    throw new McpError("refused", `the server requests input of an unknown kind (${String(mode)})`);
  const form = isObject(requestedSchema) ? requestedSchema : {};
  const fields = isObject(form["properties"]) ? Object.keys(form["properties"]).length : 0;
  if (fields > MAX_FIELDS)
    throw new McpError("refused", `the server asks for ${fields} values at once, more than ${MAX_FIELDS}`);
  return { mode: "form", message: text, requestedSchema: form };
}

/** An address for a browser, and nothing that a browser or an operating system would run. */
function pageOf(url: unknown): string {
  const parsed = typeof url === "string" ? URL.parse(url) : null;
  if (parsed !== null && /^https?:$/.test(parsed.protocol) && parsed.username + parsed.password === "")
    return parsed.href;
  throw new McpError("refused", "the server asks to open an address that is not a web page");
}

function idOf(id: unknown): { elicitationId?: string } {
  return typeof id === "string" ? { elicitationId: id } : {};
}

function withBigInts(_: string, value: unknown): unknown {
  return typeof value === "bigint" ? String(value) : value;
}
