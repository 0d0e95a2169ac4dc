import { type JSONRPCMessage, serializeMessage, type Transport } from "@modelcontextprotocol/client";
import { McpError } from "./errors.ts";
import { MessageReader } from "./message-reader.ts";
import type { StdioConfig } from "./server-config.ts";
import { ServerProcess } from "./server-process.ts";

/** Milliseconds between the end of a server's output and that of the server. */
const LAST_BREATH = 500;

/**
 * Messages over the pipes of a process, one per line. Differs from the SDK's own in what a pool of sessions needs: the
 * whole process tree ends with it, it does not keep the script running, it knows what the server said last, and it
 * knows whether a message has left.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #config: StdioConfig;
  readonly #reader: MessageReader;
  /** Messages on their way into the pipe. */
  #leaving = 0;
  #process?: ServerProcess;
  readonly #maxMessageBytes: number;
  #isTooLarge = false;

  constructor(config: StdioConfig, maxMessageBytes: number) {
    this.#config = config;
    this.#maxMessageBytes = maxMessageBytes;
    this.#reader = new MessageReader(maxMessageBytes);
  }

  /** The SDK tells a transport over pipes by this and `stderr`. */
  get pid(): number | null {
    return this.#process?.child.pid ?? null;
  }

  get stderr(): null {
    return null;
  }

  /** How the server's process ended; undefined while it runs. */
  get ending(): string | undefined {
    if (this.#isTooLarge) return `sent more than ${this.#maxMessageBytes} bytes in one message and was ended`;
    return this.#process?.ending;
  }

  async start(): Promise<void> {
    this.#process = await ServerProcess.start(this.#config);
    const { child } = this.#process;
    child.stdout.on("data", (chunk: Buffer) => this.#receive(chunk));
    child.stdout.on("error", (error) => this.onerror?.(error));
    // A server that will never answer again is as good as dead. Most often it is about to end by itself.
    child.stdout.once("end", () =>
      setTimeout(() => void this.close({ patient: false }), LAST_BREATH).unref(),
    );
    child.stdin.on("error", (error) => this.onerror?.(error));
    child.once("close", () => this.#finish());
  }

  send(message: JSONRPCMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      const stdin = this.#process?.child.stdin;
      // A message that could not be written whole was not understood either: its line has no end.
      const unsent = (cause?: unknown) =>
        reject(new McpError("unsent", `the server ${this.ending ?? "is not running"}`, { cause }));
      if (stdin === undefined || !stdin.writable) return unsent();
      this.#leaving += 1;
      stdin.write(serializeMessage(message), (error) => {
        this.#leaving -= 1;
        if (error) unsent(error);
        else resolve();
      });
    });
  }

  async close({ patient = true } = {}): Promise<void> {
    await this.#process?.end({ patient });
    this.#reader.clear();
  }

  /** First it must be clear which messages have left, then the session may be over. */
  #finish(): void {
    if (this.#leaving === 0) this.onclose?.();
    else setImmediate(() => this.#finish());
  }

  #receive(chunk: Buffer): void {
    try {
      for (const message of this.#reader.read(chunk)) this.#deliver(message);
    } catch (error) {
      this.#isTooLarge = true;
      this.onerror?.(error as Error);
      void this.close({ patient: false });
    }
  }

  /** One message that nobody can handle does not spoil the next. */
  #deliver(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(message);
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}
