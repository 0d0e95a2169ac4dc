import type { FetchLike } from "@modelcontextprotocol/client";
import type { LoginOptions } from "../../login/login-options.ts";
import type { LoginStore } from "../../login/login-store.ts";

/** `auth` of an MCP server, every template filled in. */
export interface LoginSettings {
  /** How tokens are obtained. Default "authorizationCode": a person logs in. */
  readonly flow?: "authorizationCode" | "clientCredentials" | "jwtBearer" | "enterprise";
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The address of a client id metadata document: the client's id where the authorization server takes such documents. */
  readonly clientMetadataUrl?: string;
  /** The authorization server that the client's id and secret belong to. Others never get them. */
  readonly issuer?: string;
  readonly scopes?: readonly string[];
  /** Where the browser returns to. Default: that of the options. */
  readonly redirectUri?: string;
  /** In PEM, for a client that signs instead of sending a secret. */
  readonly privateKey?: string;
  /** Default "ES256". */
  readonly algorithm?: string;
  /** The token of a workload, or of the person at the identity provider. */
  readonly assertion?: string;
  /** The identity provider of "enterprise". */
  readonly identityProvider?: {
    readonly tokenUrl: string;
    readonly clientId: string;
    readonly clientSecret?: string;
  };
}

/** One MCP server that asks for a login. */
export interface LoginTarget {
  readonly name: string;
  readonly url: URL;
  readonly settings: LoginSettings;
  readonly options: LoginOptions & { readonly store: LoginStore };
  readonly fetch: FetchLike;
  /** Called with every token, so that none is shown. */
  readonly onSecret: (value: string) => void;
}

/** What a server said when it refused a request. */
export interface Challenge {
  readonly resourceMetadataUrl?: URL | undefined;
  readonly scope?: string | undefined;
  /** More is needed than the token allows: a new one of the same kind would not help. */
  readonly isStepUp?: boolean;
}
