const LINE_END = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Hands a stream on until it grows beyond the limit. */
export function byteLimit(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new Error(`a response of more than ${maxBytes} bytes`);
      controller.enqueue(chunk);
    },
  });
}

/** Hands a stream of server-sent events on, until one of them grows beyond the limit. */
export function eventLimit(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  /** Bytes of the event so far, and of its current line. */
  let event = 0;
  let line = 0;
  let last = 0;
  const count = (bytes: number) => {
    line += bytes;
    event += bytes;
    if (event > maxBytes) throw new Error(`an event of more than ${maxBytes} bytes`);
  };
  return new TransformStream({
    transform(chunk, controller) {
      let start = 0;
      for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
        count(end - start);
        if (end > 0) last = chunk[end - 1]!;
        // An empty line ends the event.
        if (line === 0 || (line === 1 && last === CARRIAGE_RETURN)) event = 0;
        line = 0;
        start = end + 1;
      }
      count(chunk.length - start);
      last = chunk.at(-1) ?? last;
      controller.enqueue(chunk);
    },
  });
}
