/** One request on the wire and its response, without secrets. A call makes several: attempts, redirects, pages. */
export interface HttpExchange {
  /** From 1, over the attempts of one request. */
  readonly attempt: number;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationMs: number;
  readonly request: {
    readonly method: string;
    readonly url: string;
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: string;
    readonly bodyEncoding?: "base64";
  };
  /** Absent where none came. */
  readonly response?: {
    readonly status: number;
    readonly statusText: string;
    readonly headers: Readonly<Record<string, string>>;
    /** Decoded, and at most its first 262,144 characters. */
    readonly body: string;
    readonly bodyEncoding?: "base64";
    /** Bytes on the wire. */
    readonly size: number;
    /** Whether more came than `body` has. */
    readonly isCut: boolean;
  };
  /** Why no response came. */
  readonly error?: string;
}
