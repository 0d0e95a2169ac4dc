import type { FetchLike } from "@modelcontextprotocol/client";
import type { LoginOptions } from "../../login/login-options.ts";
import type { LoginStore } from "../../login/login-store.ts";
import type { LoginSettings } from "./login-settings.ts";

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
  /** The token should be of use only with a key of this client. */
  readonly wantsDpop?: boolean;
}
