/** A way by which clients reach the tools: standard input and output, or HTTP. */
export interface Endpoint {
  /** Where it is, for people. */
  readonly where: string;
  /** Resolves when the only client has left, which ends the server; never for HTTP. Rejects if nothing can be served any more. */
  readonly ended: Promise<void>;
  /** Tells connected clients that there are other tools now. */
  toolsChanged(): void;
  /** Takes nothing new and waits until everything under way has been answered, or the time is up. */
  drain(milliseconds: number): Promise<void>;
  /** Ends what is left. */
  close(): Promise<void>;
}
