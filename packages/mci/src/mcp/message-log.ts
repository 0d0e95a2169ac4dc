import { isObject } from "@mci-ts/primitives/is-object";

/** A message of the Model Context Protocol, as text. */
export interface McpMessage {
  readonly server: string;
  /** `sent` to the server or `received` from it. */
  readonly direction: "sent" | "received";
  /** ISO 8601. */
  readonly at: string;
  /** Its JSON, without secrets, and at most its first 64 kB. */
  readonly text: string;
  /** Characters of the whole message. */
  readonly size: number;
}

const MAX_MESSAGE_CHARS = 64 * 1024;

/** Masked before it is cut: half a secret is not found. */
export function messageOf(
  server: string,
  mask: (text: string) => string,
  direction: McpMessage["direction"],
  message: unknown,
): McpMessage {
  // Each text and name by itself, which may be JSON in JSON, or end with a part of a secret; then all that is no text.
  const each = (_: string, value: unknown) => {
    if (typeof value === "string") return mask(value);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [mask(name), item]));
  };
  const text = mask(JSON.stringify(message, each) ?? "null");
  return {
    server,
    direction,
    at: new Date().toISOString(),
    text: text.slice(0, MAX_MESSAGE_CHARS),
    size: text.length,
  };
}
