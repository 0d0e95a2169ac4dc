import { isObject } from "@mci-ts/primitives/is-object";
import { parseJson } from "@mci-ts/primitives/parse-json";

/** Who logged in, as an ID token says it. Only shown: it came from the token endpoint itself, and nothing is decided by it. */
export function accountOf(idToken: string | undefined): string | undefined {
  const [, payload] = idToken?.split(".") ?? [];
  const claims = parseJson(Buffer.from(payload ?? "", "base64url").toString("utf8"));
  if (!isObject(claims)) return undefined;
  const name = [claims["email"], claims["preferred_username"], claims["name"], claims["sub"]].find(
    (claim) => typeof claim === "string" && claim !== "",
  );
  return (name as string | undefined)?.slice(0, MAX_LENGTH);
}

const MAX_LENGTH = 200;
