import { createHash } from "node:crypto";
import { createResourceServer, createTokenCheck, RateLimiter, type ResourceServer } from "@mci-ts/http-guard";
import type { HttpConfig, IssuerConfig } from "../../config/config.ts";
import type { Viewer } from "./owned-service.ts";

export interface Authentication {
  /** Who sends the request. Throws `GuardError`. */
  viewerOf(authorization: string | undefined, host: string | undefined): Promise<Viewer>;
  requireAdmin(viewer: Viewer, host: string | undefined): void;
  readonly server: ResourceServer;
}

/** The operator's token, or one of the issuer. */
export function createAuthentication(
  { token, rateLimit }: HttpConfig,
  { scope, adminScope, ...issuer }: IssuerConfig,
  onError: (error: Error) => void,
): Authentication {
  const scopes = [...(scope === undefined ? [] : [scope]), adminScope];
  const server = createResourceServer({
    ...issuer,
    scopes: scope === undefined ? [] : [scope],
    realm: "council",
    onError,
  });
  const checkToken = createTokenCheck(token, { realm: "council", name: "<MCI_TOKEN>" });
  // One person on many machines, or many behind one address.
  const subjects = new RateLimiter({
    perSecond: rateLimit / 60,
    burst: rateLimit,
    description: `${rateLimit} a minute (MCI_RATE_LIMIT)`,
  });
  const place = (host: string | undefined) => ({ host, path: "/mcp" });
  return {
    server,
    async viewerOf(authorization, host) {
      if (token !== undefined && passes(() => checkToken(authorization)))
        return { subject: undefined, isAdmin: true };
      const caller = await server.authenticate(authorization, place(host));
      subjects.consume(createHash("sha256").update(caller.sub).digest("hex"));
      const isAdmin = caller.scopes.includes(adminScope);
      if (!isAdmin && scope !== undefined && !caller.scopes.includes(scope))
        throw server.insufficientScope(scopes, place(host));
      return { subject: caller.sub, isAdmin };
    },
    requireAdmin({ isAdmin }, host) {
      if (!isAdmin) throw server.insufficientScope([adminScope], place(host));
    },
  };
}

function passes(check: () => void): boolean {
  try {
    check();
    return true;
  } catch {
    return false;
  }
}
