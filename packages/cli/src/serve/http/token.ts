import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { Check } from "./hosts.ts";

/** Refuses requests without the bearer token. */
export function tokenCheck(token: string): Check {
  const expected = digest(token);
  return ({ headers: { authorization = "" } }) => {
    const [, given = ""] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    // Digests are of one length and compared in one time, so that an answer tells nothing about how close a guess was.
    if (timingSafeEqual(digest(given), expected)) return undefined;
    const message =
      authorization === ""
        ? "A token is needed: send it as 'Authorization: Bearer TOKEN'"
        : "The token is not the right one";
    return { status: 401, message, headers: { "www-authenticate": 'Bearer realm="mci"' } };
  };
}

export function newToken(): string {
  return randomBytes(32).toString("base64url");
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
