import { GuardError } from "./error.ts";

/** Loaded with the first token: a server on standard input and output has none, and starts without it. */
const nodeCrypto = () => process.getBuiltinModule("node:crypto");

/** Throws unless the Authorization header has the token. */
export type TokenCheck = (authorization: string | undefined) => void;

/** Without a token every request passes. */
export function createTokenCheck(
  token: string | undefined,
  { realm, name = "TOKEN" }: { readonly realm: string; readonly name?: string },
): TokenCheck {
  if (token === undefined) return () => {};
  const expected = digest(token);
  return (authorization = "") => {
    const [, presented] = /^Bearer +(\S+)$/i.exec(authorization) ?? [];
    // Digests have one length and take the same time to compare, so a response says nothing about how close a guess was.
    if (presented !== undefined && nodeCrypto().timingSafeEqual(digest(presented), expected)) return;
    const message =
      authorization === ""
        ? `A token is required: send it as 'Authorization: Bearer ${name}'`
        : `The token is wrong: send the right one as 'Authorization: Bearer ${name}'`;
    throw new GuardError("unauthorized", message, {
      headers: { "www-authenticate": `Bearer realm="${realm}"` },
    });
  };
}

/** A header cannot carry blanks or other than visible ASCII characters: such a token could never be sent. */
export function isUsableToken(token: string): boolean {
  return /^[!-~]+$/.test(token);
}

export function createToken(): string {
  return nodeCrypto().randomBytes(32).toString("base64url");
}

function digest(text: string): Buffer {
  return nodeCrypto().createHash("sha256").update(text).digest();
}
