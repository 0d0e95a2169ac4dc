import { isObject } from "@mci-ts/primitives/is-object";
import { bodyBranch } from "../../schema/body.ts";
import type { JsonPath } from "../../template-api.ts";

/**
 * The intended branch of a union without a `type`, by its distinguishing keys, so that messages are about that branch
 * only. Undefined if it is ambiguous, or for a union of scalars.
 */
export function unionBranch(place: JsonPath, value: unknown): number | undefined {
  if (isToolset(place)) return typeof value === "string" ? 0 : isObject(value) ? 1 : undefined;
  if (!isObject(value)) return undefined;
  if (isServer(place)) return "command" in value ? 0 : "url" in value ? 1 : undefined;
  return isBody(place) ? bodyBranch(value) : undefined;
}

export const isToolset = (place: JsonPath) => place[0] === "toolsets" && place.length === 2;
export const isServer = (place: JsonPath) => place[0] === "mcp_servers" && place.length === 2;
export const isBody = (place: JsonPath) => place.length === 4 && place[0] === "tools" && place[3] === "body";
