import type { Readable, Writable } from "node:stream";
import { stringifyExact } from "@mci-ts/primitives/exact-json";
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { JsonLines, RefusedMessage } from "./json-lines.ts";

/**
 * One JSON-RPC message per line. Unlike the SDK's own transport it stays open when its input ends, so that every
 * request in flight can still be answered before it is closed.
 */
export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onerror?: (error: Error) => void;
  onclose?: () => void;
  /** Called with each message that arrives, before it is handled. */
  onreceive?: (message: JSONRPCMessage) => void;
  /** Resolves at the end of input. */
  readonly inputEnded: Promise<void>;
  readonly #input: Readable;
  readonly #output: Writable;
  readonly #lines = new JsonLines();
  readonly #unanswered = new Set<RequestId>();
  #onAnswered: (() => void) | undefined;
  #onInputEnd: () => void = () => {};
  #outgoing = "";
  #isClosed = false;

  constructor(input: Readable, output: Writable) {
    this.#input = input;
    this.#output = output;
    this.inputEnded = new Promise((resolve) => {
      this.#onInputEnd = resolve;
    });
  }

  async start(): Promise<void> {
    const end = () => this.#onInputEnd();
    this.#input.on("data", this.#read);
    this.#input.once("end", end).once("close", end).once("error", end);
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return;
    // Responses of one turn of the event loop are written together: a write costs more than most calls.
    if (this.#outgoing === "") process.nextTick(() => this.#flush());
    this.#outgoing += `${stringifyExact(message)}\n`;
    if (!("method" in message)) this.#markAnswered(message.id);
    // Backpressure: a client that does not read must not fill our memory.
    if (this.#output.writableNeedDrain)
      await new Promise<void>((resolve) => this.#output.once("drain", resolve));
  }

  /** Reads nothing more. */
  pause(): void {
    this.#input.off("data", this.#read).pause();
  }

  /** Resolves when every request that was read has been answered or cancelled. */
  answered(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#unanswered.size === 0) resolve();
      else this.#onAnswered = resolve;
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#flush();
    this.#isClosed = true;
    // A paused pipe would still keep the process alive.
    this.#input.destroy();
    this.onclose?.();
  }

  #flush(): void {
    if (this.#outgoing !== "") this.#output.write(this.#outgoing);
    this.#outgoing = "";
  }

  readonly #read = (chunk: Buffer): void => {
    for (const message of this.#lines.read(chunk)) {
      if (message instanceof RefusedMessage) this.#reject(message);
      else if (message instanceof Error) this.onerror?.(message);
      else {
        this.#trackRequest(message);
        this.onreceive?.(message);
        this.onmessage?.(message);
      }
    }
  };

  #reject(error: RefusedMessage): void {
    this.onerror?.(error);
    if (error.id === undefined) return;
    const { id, message } = error;
    void this.send({ jsonrpc: "2.0", id: id as RequestId, error: { code: -32_600, message } });
  }

  #trackRequest(message: JSONRPCMessage): void {
    if (!("method" in message)) return;
    // A subscription is answered when it ends.
    if ("id" in message && message.method !== "subscriptions/listen") this.#unanswered.add(message.id);
    if (message.method === "notifications/cancelled")
      this.#markAnswered((message.params as { requestId?: RequestId } | undefined)?.requestId);
  }

  #markAnswered(id: RequestId | undefined): void {
    if (id === undefined) return;
    this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#onAnswered?.();
  }
}
