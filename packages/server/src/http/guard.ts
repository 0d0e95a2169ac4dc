import { createHash, timingSafeEqual } from "node:crypto";
import { isIP } from "node:net";
import { hostname } from "node:os";
import { type HttpConfig, isLoopback } from "../config/config.ts";
import { HttpError } from "./errors.ts";

/** Who may knock: the right Host (against DNS rebinding), no foreign web page, and the token where one is set. */
export interface Guard {
  host(header: string | undefined): void;
  /** True when the origin is another than the service's own and was allowed: it needs CORS headers. */
  origin(header: string | undefined, host: string | undefined): boolean;
  token(header: string | undefined): void;
}

export function createGuard(config: HttpConfig): Guard {
  const loopback = isLoopback(config.host);
  const names = new Set(["localhost", ...config.allowedHosts.map((name) => name.toLowerCase())]);
  if (!loopback) names.add(hostname().toLowerCase());
  if (isIP(config.host) === 0) names.add(config.host.toLowerCase());
  const expected = config.token === undefined ? undefined : digest(config.token);
  return {
    host(header) {
      const name = hostOf(header);
      // Rebinding needs a name of the attacker's; an address is the machine itself. On loopback only its own addresses make sense.
      const address = name !== undefined && isIP(name) !== 0 && (!loopback || isLoopback(name));
      if (name !== undefined && (address || names.has(name))) return;
      throw new HttpError(
        "forbidden_host",
        `Host "${header ?? ""}" is not served here; add it to MCI_ALLOWED_HOSTS if it should be`,
      );
    },
    origin(header, host) {
      if (header === undefined) return false;
      if (config.allowedOrigins.includes(header)) return true;
      // Same scheme is not asked for: a TLS proxy in front changes it, and the host was checked already.
      if (URL.canParse(header) && new URL(header).host === host?.toLowerCase()) return false;
      throw new HttpError(
        "forbidden_origin",
        `Pages of ${header} may not call this service; add the origin to MCI_ALLOWED_ORIGINS if they should`,
      );
    },
    token(header) {
      if (expected === undefined) return;
      const given = /^Bearer\s+(.+)$/i.exec(header ?? "")?.[1];
      // Digests have one length, so the comparison takes the same time whatever was sent.
      if (given !== undefined && timingSafeEqual(digest(given), expected)) return;
      throw new HttpError("unauthorized", "Send the service's token as Authorization: Bearer <MCI_TOKEN>", {
        headers: { "www-authenticate": 'Bearer realm="council"' },
      });
    },
  };
}

/** The host's name or address without port and brackets. */
function hostOf(header: string | undefined): string | undefined {
  if (header === undefined || !URL.canParse(`http://${header}`)) return undefined;
  const { hostname, pathname, username } = new URL(`http://${header}`);
  return pathname === "/" && username === "" ? hostname.replace(/^\[|\]$/g, "") : undefined;
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
