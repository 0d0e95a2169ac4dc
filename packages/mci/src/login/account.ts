/** Who logged in, as an ID token says it. Only shown: it came from the token endpoint itself, and nothing is decided by it. */
export function accountOf(idToken: string | undefined): string | undefined {
  const [, payload] = idToken?.split(".") ?? [];
  if (payload === undefined) return undefined;
  try {
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as Record<string, unknown>;
    const name = [claims["email"], claims["preferred_username"], claims["name"], claims["sub"]].find(
      (claim) => typeof claim === "string" && claim !== "",
    );
    return (name as string | undefined)?.slice(0, MAX_LENGTH);
  } catch {
    return undefined;
  }
}

const MAX_LENGTH = 200;
