import { createHash, randomBytes, randomUUID } from "node:crypto";
import { createRequestStateCodec, type RequestStateCodec } from "@modelcontextprotocol/server";

/** What a request that waits for input has to give back: signed, so that a client cannot change it. */
export interface RequestState {
  /** What the request that it belongs to is: its method, target and arguments. */
  readonly digest: string;
  /** Used once. */
  readonly nonce: string;
  /** What the state of the server behind was, unchanged. */
  readonly upstream?: string;
  /** A call of this process that waits. */
  readonly call?: string;
  /** A person was asked to approve this request; or has approved it. */
  readonly approval?: "asked" | "given";
}

/** Seconds that a person has to answer. */
export const ANSWER_TIMEOUT_S = 600;
const MAX_USED = 10_000;

/** Signs states, and remembers those that may be used only once. */
export class RequestStates {
  readonly #codec: RequestStateCodec<RequestState> = createRequestStateCodec<RequestState>({
    // The key lives as long as the process: what waits for an answer ends with it.
    key: randomBytes(32),
    ttlSeconds: ANSWER_TIMEOUT_S,
  });
  readonly #used = new Set<string>();

  /** For the option of the SDK's server. */
  get verify(): RequestStateCodec<RequestState>["verify"] {
    return this.#codec.verify;
  }

  mint(state: Omit<RequestState, "nonce">): Promise<string> {
    return this.#codec.mint({ ...state, nonce: randomUUID() });
  }

  /** False if it was used before. */
  use({ nonce }: RequestState): boolean {
    if (this.#used.has(nonce)) return false;
    this.#used.add(nonce);
    if (this.#used.size > MAX_USED) this.#used.delete(this.#used.values().next().value!);
    return true;
  }
}

/** The same for the same request, whatever the order of its arguments. */
export function digestOf(method: string, params: unknown, caller = ""): string {
  const { _meta, requestState, inputResponses, ...rest } = params as Record<string, unknown>;
  return createHash("sha256")
    .update(canonical([method, rest, caller]))
    .digest("base64url");
}

function canonical(value: unknown): string {
  if (typeof value === "bigint") return String(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== "object" || value === null || isRawJson(value)) return JSON.stringify(value) ?? "null";
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${canonical((value as Record<string, unknown>)[key])}`).join()}}`;
}

/** A number that is kept as it was written. */
function isRawJson(value: object): boolean {
  return (JSON as unknown as { isRawJSON?: (value: unknown) => boolean }).isRawJSON?.(value) === true;
}
