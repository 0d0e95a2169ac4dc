import {
  type Caller,
  createResourceServer,
  type GuardError,
  type RequestPlace,
  type ResourceServer,
} from "@mci-ts/http-guard";
import type { CallerIdentity, ToolFilter } from "mci-ts";
import type { ReloadableClient } from "../reloadable-client.ts";
import type { IssuerOptions } from "./issuer-options.ts";

/** One caller of a served file: what calls know about them, and which tools they have. */
export interface ServedCaller {
  readonly identity: CallerIdentity;
  /** Tools that pass one of these; undefined: every tool. */
  readonly filters: readonly ToolFilter[] | undefined;
}

/** Which tools the scopes of a token allow. */
export class CallerAccess {
  readonly #options: IssuerOptions;
  readonly server: ResourceServer;

  constructor(options: IssuerOptions, onError: (error: Error) => void) {
    this.#options = options;
    const { issuer, audience, introspection } = options;
    const scopes = [...options.scopes.keys()];
    this.server = createResourceServer({
      ...{ issuer, audience, scopes, realm: "mci", onError },
      ...(introspection && { introspection }),
    });
  }

  /** Throws `GuardError` for a token that is refused, or that has none of the scopes. */
  async authenticate(authorization: string | undefined, place: RequestPlace): Promise<ServedCaller> {
    const caller = await this.server.authenticate(authorization, place);
    const { scopes } = this.#options;
    const identity = this.#identity(caller);
    if (scopes.size === 0) return { identity, filters: undefined };
    const held = caller.scopes.filter((scope) => scopes.has(scope));
    if (held.length === 0) throw this.server.insufficientScope([...scopes.keys()], place);
    const filters = held.map((scope) => scopes.get(scope));
    const isLimited = filters.every((filter) => filter !== undefined);
    return { identity, filters: isLimited ? filters : undefined };
  }

  /** The refusal of a call of a tool that another scope would allow; undefined if the call may go on. */
  refusal(
    message: unknown,
    caller: ServedCaller,
    client: ReloadableClient,
    place: RequestPlace,
  ): GuardError | undefined {
    if (caller.filters === undefined) return undefined;
    for (const one of [message].flat()) {
      const { method, params } = (one ?? {}) as { method?: unknown; params?: { name?: unknown } | null };
      const name = params?.name;
      if (method !== "tools/call" || typeof name !== "string") continue;
      const found = client.pages.find(name);
      if (found === undefined || client.pagesFor(caller.filters).find(name) !== undefined) continue;
      const needed = [...this.#options.scopes].flatMap(([scope, filter]) =>
        client.pagesFor(filter && [filter]).find(name) === undefined ? [] : [scope],
      );
      if (needed.length > 0) return this.server.insufficientScope(needed, place);
    }
    return undefined;
  }

  #identity({ sub, scopes, claims, token }: Caller): CallerIdentity {
    const chosen = this.#options.claims.filter((name) => Object.hasOwn(claims, name));
    return { sub, scopes, token, claims: Object.fromEntries(chosen.map((name) => [name, claims[name]])) };
  }
}
