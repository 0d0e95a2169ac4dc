import { ToolError } from "../../errors.ts";
import type { ProxyRules } from "../../proxy/settings.ts";
import { type LoginOptions, type LoginWay, loginCommand } from "../login-options.ts";
import { type Login, type LoginStore, sameLogin, secretsOf } from "../login-store.ts";
import { missingScope, scopeUnion } from "../scopes.ts";
import { FINAL_ERRORS, isExpiring, toTokens } from "../tokens.ts";
import type { ApiLogin } from "./api-login.ts";
import { withApiServer } from "./api-server.ts";
import { performApiLogin } from "./perform-api-login.ts";

export interface ApiLoginsOptions {
  readonly login: LoginOptions & { readonly store: LoginStore };
  readonly proxy: ProxyRules | undefined;
}

/** One call that needs a token. */
export interface TokenUse {
  /** The token that the API has just refused. */
  readonly refused: string | undefined;
  readonly signal?: AbortSignal;
  /** Called with everything secret that the login has, so that none of it is shown. */
  readonly onSecret: (value: string) => void;
}

/** The logins of the APIs of one client. Nothing here waits for a person, except `logIn`. */
export class ApiLogins {
  readonly #options: ApiLoginsOptions;
  readonly #pending = new Map<string, Promise<void>>();

  constructor(options: ApiLoginsOptions) {
    this.#options = options;
  }

  /** The stored token, renewed where it expires or was `refused`. Throws `login_required`. */
  async token(target: ApiLogin, use: TokenUse): Promise<string> {
    const { refused, onSecret } = use;
    const login = await this.#stored(target);
    if (login !== undefined) secretsOf(login).forEach(onSecret);
    const { tokens } = login ?? {};
    if (tokens === undefined) throw this.#loginRequired(target);
    if (tokens.access_token !== refused && !isExpiring(tokens)) return tokens.access_token;
    if (tokens.refresh_token === undefined) {
      // Perhaps the clocks differ: the API says whether it has expired.
      if (tokens.access_token !== refused) return tokens.access_token;
      throw this.#loginRequired(target);
    }
    return this.#renew(target, tokens.access_token, use);
  }

  /** The API wants a scope that the token lacks: the next login asks for it. Does nothing for another refusal. */
  async widen(target: ApiLogin, challenge: string): Promise<void> {
    const scope = missingScope(challenge);
    if (scope === undefined) return;
    const { store } = this.#options.login;
    await store.exclusively(target.resource, async () => {
      const login = await this.#stored(target);
      if (login !== undefined && scope !== "") await store.save({ ...login, missingScope: scope });
    });
    throw this.#loginRequired(target, scope);
  }

  /** A person logs in. Calls that need it at the same time share one login. */
  async logIn(target: ApiLogin, way: LoginWay): Promise<void> {
    const key = JSON.stringify([target.issuer, target.clientId, target.resource]);
    const pending =
      this.#pending.get(key) ?? this.#logIn(target, way).finally(() => this.#pending.delete(key));
    this.#pending.set(key, pending);
    await pending;
  }

  async #logIn(target: ApiLogin, way: LoginWay): Promise<void> {
    const { login: options, proxy } = this.#options;
    const before = await this.#stored(target);
    const scope = scopeUnion(target.scopes.join(" "), before?.missingScope);
    const login = await performApiLogin(target, { ...way, scope, options, proxy });
    await options.store.exclusively(target.resource, () => options.store.save(login));
  }

  /** One call of one process does it for all that wait: the others find the new token. */
  async #renew(target: ApiLogin, old: string, { refused, signal, onSecret }: TokenUse): Promise<string> {
    const { login: options, proxy } = this.#options;
    const { store } = options;
    return store.exclusively(target.resource, async () => {
      const login = await this.#stored(target);
      if (login?.tokens === undefined) throw this.#loginRequired(target);
      secretsOf(login).forEach(onSecret);
      if (login.tokens.access_token !== old) return login.tokens.access_token;
      const refreshToken = login.tokens.refresh_token!;
      try {
        const tokens = await withApiServer(target, { proxy, signal }, async (server) => {
          const { oauth, metadata, client, clientAuth, request } = server;
          const more =
            target.indicator === undefined ? {} : { additionalParameters: { resource: target.indicator } };
          const response = await oauth.refreshTokenGrantRequest(metadata, client, clientAuth, refreshToken, {
            ...request,
            ...more,
          });
          return oauth.processRefreshTokenResponse(metadata, client, response);
        });
        // What the server did not repeat stays as it was.
        const { refresh_token = refreshToken, scope = login.tokens.scope } = tokens;
        const renewed = toTokens({ ...tokens, refresh_token, scope });
        secretsOf({ ...login, tokens: renewed }).forEach(onSecret);
        // Before it is used: a process that ends here has the token that the server now expects.
        await store.save({ ...login, tokens: renewed, savedAt: Date.now() });
        return renewed.access_token;
      } catch (error) {
        const code = (error as { cause?: { error?: unknown } }).cause?.error;
        if (FINAL_ERRORS.includes(String(code))) {
          const { tokens: _, ...rest } = login;
          await store.save({ ...rest, savedAt: Date.now() });
          throw this.#loginRequired(target, undefined, error);
        }
        // The old one may still do; the API decides.
        if (refused === undefined) return old;
        throw error;
      }
    });
  }

  async #stored(target: ApiLogin): Promise<Login | undefined> {
    return (await this.#options.login.store.list()).find((login) => sameLogin(login, target));
  }

  #loginRequired({ name }: ApiLogin, scope = "", cause?: unknown): ToolError {
    const more = scope === "" ? "" : ` with the scope '${scope}'`;
    const command = loginCommand(name, this.#options.login);
    const message = `needs login${more}: ${command}`;
    return new ToolError("login_required", message, { cause, hint: `run '${command}'` });
  }
}
