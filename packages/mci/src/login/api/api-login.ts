import type { Auth, LoginAuth } from "../../schema/auth.ts";
import type { LoginKey } from "../login-store.ts";

/** The login of a person that HTTP tools need, every template filled in. */
export interface ApiLogin extends LoginKey {
  /** What 'mci login' calls it. */
  readonly name: string;
  readonly flow: "authorizationCode" | "deviceCode";
  /** Whether the file names the issuer: then its metadata has the addresses that are not set here. */
  readonly hasMetadata: boolean;
  readonly authorizationUrl?: string | undefined;
  readonly tokenUrl?: string | undefined;
  readonly deviceAuthorizationUrl?: string | undefined;
  readonly clientSecret?: string | undefined;
  readonly scopes: readonly string[];
  readonly redirectUri?: string | undefined;
  /** The resource indicator, if the file has one. */
  readonly indicator?: string | undefined;
  readonly parameters: Readonly<Record<string, string>>;
}

export function isLoginAuth(auth: Auth | undefined): auth is LoginAuth {
  return auth?.type === "oauth2" && auth.flow !== "clientCredentials";
}
