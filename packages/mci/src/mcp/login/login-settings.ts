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
