/** What was agreed with an authorization server for one resource: an MCP server or an API. */
export interface Login extends LoginKey {
  /** How the file calls the resource. Only shown. */
  readonly name?: string;
  /** Who logged in, where the server said so. Only shown. */
  readonly account?: string;
  readonly client: LoginClient;
  /** None after the server has revoked them: the client is still registered. */
  readonly tokens?: LoginTokens;
  /** Scopes that a request was refused for; asked for with the next login. */
  readonly missingScope?: string;
  /** Milliseconds since 1970. */
  readonly savedAt: number;
}

/** A token belongs to all three: it is never sent elsewhere. */
export interface LoginKey {
  readonly issuer: string;
  readonly clientId: string;
  /** The address of the MCP server, or the origin of the API. */
  readonly resource: string;
}

/** The client as the authorization server knows it. */
export interface LoginClient {
  readonly client_id: string;
  readonly client_secret?: string;
  readonly client_secret_expires_at?: number;
  readonly token_endpoint_auth_method?: string;
  /** The address that it was registered with; its port is used again. */
  readonly redirect_uri?: string;
}

export interface LoginTokens {
  readonly access_token: string;
  readonly token_type: string;
  readonly refresh_token?: string;
  readonly scope?: string;
  /** Milliseconds since 1970; absent if the server did not say. */
  readonly expiresAt?: number;
  /** The tokens are of use only with this key (DPoP). Absent: whoever has them can use them. */
  readonly dpopKey?: DpopKey;
}

/** A private key as JWK. */
export interface DpopKey {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly d: string;
}

/**
 * Where logins are stored. `fileLoginStore` is one file per user; a keychain or a vault implements the same.
 */
export interface LoginStore {
  /** The newest first. */
  list(): Promise<readonly Login[]>;
  /** Replaces the login with the same issuer, client and resource. */
  save(login: Login): Promise<void>;
  /** Whether there was one. */
  remove(key: LoginKey): Promise<boolean>;
  /** Runs `work` while no one else does for this resource, other processes included: a refresh token can be used once. */
  exclusively<T>(resource: string, work: () => Promise<T>): Promise<T>;
}

/** What must never be shown of a login. */
export function secretsOf({ client, tokens }: Login): string[] {
  return [tokens?.access_token, tokens?.refresh_token, tokens?.dpopKey?.d, client.client_secret].filter(
    (secret) => secret !== undefined,
  );
}

export const sameLogin = (a: LoginKey, b: LoginKey): boolean =>
  a.issuer === b.issuer && a.clientId === b.clientId && a.resource === b.resource;

/** Ends with the process. */
export function memoryLoginStore(): LoginStore {
  let logins: readonly Login[] = [];
  const queue = new ExclusiveQueue();
  return {
    list: async () => logins,
    async save(login) {
      logins = withLogin(logins, login);
    },
    async remove(key) {
      const left = logins.filter((one) => !sameLogin(one, key));
      const removed = left.length < logins.length;
      logins = left;
      return removed;
    },
    exclusively: (resource, work) => queue.run(resource, work),
  };
}

export function withLogin(logins: readonly Login[], login: Login): Login[] {
  return [login, ...logins.filter((one) => !sameLogin(one, login))].sort((a, b) => b.savedAt - a.savedAt);
}

/** Work of one name, one after the other in this process. */
export class ExclusiveQueue {
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(name) ?? Promise.resolve();
    const result = before.then(work);
    const settled = result.catch(() => {});
    this.#last.set(name, settled);
    try {
      return await result;
    } finally {
      if (this.#last.get(name) === settled) this.#last.delete(name);
    }
  }
}
