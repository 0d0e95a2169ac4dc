import { isObject } from "@mci-ts/primitives/is-object";
import type { Diagnostic } from "../diagnostics.ts";

/** What each flow needs where the file names no issuer, whose metadata would say it. */
const ENDPOINTS: Readonly<Record<string, readonly string[]>> = {
  authorizationCode: ["authorizationUrl", "tokenUrl"],
  deviceCode: ["deviceAuthorizationUrl", "tokenUrl"],
};

/** A login needs to know where its person goes. */
export function checkLogins(tools: unknown): Diagnostic[] {
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool, index): Diagnostic[] => {
    const execution = isObject(tool) ? tool.execution : undefined;
    const auth = isObject(execution) ? execution.auth : undefined;
    if (!isObject(auth) || auth.type !== "oauth2" || typeof auth.flow !== "string") return [];
    const needed = Object.hasOwn(ENDPOINTS, auth.flow) ? ENDPOINTS[auth.flow]! : [];
    const isComplete = isSet(auth.issuer) || needed.every((name) => isSet(auth[name]));
    if (needed.length === 0 || isComplete) return [];
    const names = needed.map((name) => `'${name}'`).join(" and ");
    const message = `Flow ${auth.flow} needs 'issuer', or ${names}`;
    return [{ place: ["tools", index, "execution", "auth"], severity: "error", message }];
  });
}

const isSet = (value: unknown) => value !== undefined && value !== null;
