import { once } from "node:events";
import type { Server } from "node:http";

/** The server cannot listen there. The message says why. */
export class ListenError extends Error {
  override readonly name = "ListenError";
  /** The code of the operating system: `EADDRINUSE`. */
  readonly code: string;

  constructor(address: string, cause: NodeJS.ErrnoException) {
    const code = cause.code ?? "";
    super(`Cannot listen on ${address}: ${REASONS[code] ?? cause.message}`, { cause });
    this.code = code;
  }

  /** Whether another port would help, as opposed to another host. */
  get isAboutPort(): boolean {
    return this.code === "EADDRINUSE" || this.code === "EACCES";
  }
}

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use by another program",
  EACCES: "permission denied",
  EADDRNOTAVAIL: "this machine does not have that address",
  ENOTFOUND: "there is no such host",
  EAI_AGAIN: "the host name cannot be resolved at the moment",
};

/** Room for a burst that arrives while the event loop is busy; the default drops connections beyond 511. */
const BACKLOG = 4096;

export async function listen(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  await once(server.listen({ port, host, backlog: BACKLOG }), "listening").catch((cause) => {
    throw new ListenError(`${host}:${port}`, cause);
  });
}
