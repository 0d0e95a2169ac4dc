import type { StreamedEvent } from "../protocol.ts";

/** An event whose type stands in its data, too. */
export const event = (type: string, fields: object): StreamedEvent => ({
  event: type,
  data: JSON.stringify({ type, ...fields }),
});

/** The pieces in which a text is streamed. */
export const pieces = (text: string) => text.match(/[\s\S]{1,400}/g) ?? [];
