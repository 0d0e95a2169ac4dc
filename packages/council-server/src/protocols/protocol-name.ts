/** The protocols that agents speak. Apart from the rest, whose types the published declarations must not need. */
export type ProtocolName = "chat" | "responses" | "messages";
