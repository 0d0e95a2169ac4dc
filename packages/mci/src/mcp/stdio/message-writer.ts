import type { Writable } from "node:stream";
import { type JSONRPCMessage, serializeMessage } from "@modelcontextprotocol/client";

interface Outgoing {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Messages into a pipe, each written alone. A stream left to itself writes together what waits together, and if that
 * fails all of it has failed: messages among it that the reader has understood, and acted upon, would be sent again.
 */
export class MessageWriter {
  readonly #pipe: Writable;
  /** The first is being written. */
  readonly #outgoing: Outgoing[] = [];
  #onSettled?: () => void;

  constructor(pipe: Writable) {
    this.#pipe = pipe;
  }

  /** Rejects if the message was not written whole; it was not understood then: its line has no end. */
  write(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#outgoing.push({ line: serializeMessage(message), resolve, reject });
      if (this.#outgoing.length === 1) this.#next();
    });
  }

  /** Resolves once it is known of every message whether it has left. */
  async settled(): Promise<void> {
    if (this.#outgoing.length === 0) return;
    await new Promise<void>((resolve) => {
      this.#onSettled = resolve;
    });
  }

  #next(): void {
    const [first] = this.#outgoing;
    if (first === undefined) {
      this.#onSettled?.();
      return;
    }
    const done = (error?: Error | null) => {
      this.#outgoing.shift();
      if (error) first.reject(error);
      else first.resolve();
      this.#next();
    };
    // To write into a pipe that was ended would break it off, with what is still in it.
    if (this.#pipe.writable) this.#pipe.write(first.line, done);
    else process.nextTick(done, new Error("the pipe is closed"));
  }
}
