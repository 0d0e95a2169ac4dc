/** Where MCP is served over HTTP. */
export const MCP_PATH = "/mcp";
/** The address that MCP reserves for the card of a server. */
export const CARD_PATH = `${MCP_PATH}/server-card`;
/** Where a host lists the cards of its servers. */
export const CATALOG_PATH = "/.well-known/ai-catalog.json";

/** How clients reach the tools: standard input and output, or HTTP. */
export interface Endpoint {
  /** Where clients connect, for people to read. */
  readonly address: string;
  /** Resolves when the only client has left, which ends the server; never for HTTP. */
  readonly ended: Promise<void>;
  /** Notifies connected clients that a list has changed. */
  listChanged(list: "tools" | "prompts" | "resources"): void;
  /** Notifies the clients that watch the resource. */
  resourceUpdated(uri: string): void;
  /** Accepts nothing new and waits until every request in flight is answered, or the time is up. */
  drain(milliseconds: number): Promise<void>;
  /** Ends what is left. */
  close(): Promise<void>;
}
