import type { HTTP_METHODS } from "@mci-ts/primitives/http-methods";
import type { HeaderList } from "./headers.ts";
import type { Target } from "./url/url.ts";

export type Method = (typeof HTTP_METHODS)[number];

/** One call's request, complete; its credentials are added by signing it. */
export interface HttpRequest {
  readonly method: Method;
  readonly target: Target;
  /** Path and query, `params` included. */
  readonly path: string;
  readonly headers: HeaderList;
  /** The bytes that go over the wire. */
  readonly body: Uint8Array | undefined;
  /** The body holds env values. */
  readonly secretBody: boolean;
  /** Env values and credentials in the query: never sent to another origin. */
  readonly secrets: readonly unknown[];
  readonly allowPrivateNetwork: boolean;
}
