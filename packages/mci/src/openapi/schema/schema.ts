/** A JSON Schema 2020-12 that is being made. */
export type Schema = Record<string, unknown>;
