import { isObject } from "@mci-ts/primitives/is-object";
import { McpError } from "../errors.ts";
import type { InputRequest } from "../input.ts";

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
  const { mode = "form", message, requestedSchema, url, elicitationId } = request.params;
  const text = typeof message === "string" ? message : "";
  if (mode === "url") return { mode: "url", message: text, url: pageOf(url), ...idOf(elicitationId) };
  if (mode !== "form")
    throw new McpError("refused", `the server requests input of an unknown kind (${String(mode)})`);
  return { mode: "form", message: text, requestedSchema: isObject(requestedSchema) ? requestedSchema : {} };
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
