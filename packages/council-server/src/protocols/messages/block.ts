/** A block of a message's content. */
export type Block = Record<string, unknown>;
