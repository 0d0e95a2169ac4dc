import { isObject } from "@mci-ts/primitives/is-object";
import { type JsonLine, JsonLineReader } from "@mci-ts/primitives/json-lines";
import {
  isJSONRPCErrorResponse,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import type { ConnectOptions } from "../connection.ts";
import { McpError } from "../errors.ts";
import type { StdioConfig } from "../server-config.ts";
import { MessageWriter } from "./message-writer.ts";
import { ServerProcess } from "./server-process.ts";

/** Milliseconds in which the exit of a server whose input is closed is reported, with what it printed last. */
const EXIT_REPORT_MS = 100;
/** The SDK takes about 30 µs for each. */
const MESSAGES_PER_TURN = 200;
/** Milliseconds between the end of a server's output and its exit. */
const EXIT_TIMEOUT_MS = 500;

type TransportOptions = Pick<ConnectOptions, "maxMessageBytes" | "mask">;

/**
 * Messages over the pipes of a process, one per line. Differs from the SDK's own in what a pool of sessions needs: the
 * whole process tree ends with it, it does not keep the script running, it knows the end of the server's stderr, and it
 * knows whether a message was sent.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly #config: StdioConfig;
  readonly #reader: JsonLineReader;
  readonly #maxMessageBytes: number;
  readonly #mask: TransportOptions["mask"];
  #starting?: Promise<ServerProcess>;
  #process?: ServerProcess;
  #writer?: MessageWriter;
  #isClosed = false;
  #isTooLarge = false;
  #isOutputClosed = false;

  constructor(config: StdioConfig, { maxMessageBytes, mask }: TransportOptions) {
    this.#mask = mask;
    this.#config = config;
    this.#maxMessageBytes = maxMessageBytes;
    this.#reader = new JsonLineReader(maxMessageBytes);
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
    return this.#isOutputClosed ? "closed its output and was ended" : this.#process?.ending;
  }

  /** The end of what the server printed to stderr, without secrets. */
  get stderrTail(): string {
    return this.#process?.stderr ?? "";
  }

  async start(): Promise<void> {
    if (this.#isClosed) throw new McpError("unavailable", "the session was closed before it began");
    this.#starting = ServerProcess.start(this.#config, this.#mask);
    this.#process = await this.#starting;
    const { child } = this.#process;
    const writer = new MessageWriter(child.stdin);
    this.#writer = writer;
    child.stdout.on("data", (chunk: Buffer) => this.#receive(chunk));
    child.stdout.on("error", (error) => this.onerror?.(error));
    // Usually it is about to exit by itself.
    child.stdout.once("end", () => setTimeout(() => this.#onOutputEnd(), EXIT_TIMEOUT_MS).unref());
    child.stdin.on("error", (error) => this.onerror?.(error));
    // The session ends only after it is known, and reported, which messages were sent.
    const finish = () => setImmediate(() => this.onclose?.());
    child.once("close", () => void writer.settled().then(finish));
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if (this.#writer === undefined) throw new McpError("not_sent", "the server is not running");
    try {
      await this.#writer.write(message);
    } catch (cause) {
      // A pipe can break a moment before the exit is known, which says more.
      await this.#process?.untilClosed(EXIT_REPORT_MS);
      throw new McpError("not_sent", `the server ${this.ending ?? "takes no more input"}`, { cause });
    }
  }

  async close({ graceful = true } = {}): Promise<void> {
    this.#isClosed = true;
    // A process that is still being started cannot be terminated yet.
    await this.#starting?.catch(() => {});
    await this.#process?.end({ graceful });
    this.#reader.clear();
  }

  /** A server that has closed its output can never respond. */
  #onOutputEnd(): void {
    this.#isOutputClosed = !this.#isClosed && this.#process?.ending === undefined;
    void this.close({ graceful: false });
  }

  /**
   * Hands on a few messages per turn of the event loop: a server that sends very many at once must not keep timers, and
   * so deadlines, from firing. No more input is read meanwhile.
   */
  #receive(chunk: Buffer): void {
    if (this.#isTooLarge) return;
    const messages = this.#messages(chunk);
    const { stdout } = this.#process!.child;
    const deliver = () => {
      for (let count = 0; count < MESSAGES_PER_TURN; count++) {
        const { value, done } = messages.next();
        if (done || this.#isClosed) {
          if (stdout.isPaused()) stdout.resume();
          return;
        }
        this.#deliver(value);
      }
      stdout.pause();
      setImmediate(deliver);
    };
    deliver();
  }

  *#messages(chunk: Buffer): Generator<JSONRPCMessage, void> {
    for (const line of this.#reader.read(chunk)) {
      if ("error" in line && line.error === "too_long") {
        this.#isTooLarge = true;
        this.onerror?.(new Error(`a message of more than ${this.#maxMessageBytes} bytes`));
        void this.close({ graceful: false });
        return;
      }
      yield* messagesOf(line);
    }
  }

  /** A message that cannot be handled does not affect the next. */
  #deliver(message: JSONRPCMessage): void {
    try {
      this.onmessage?.(errorIfMalformed(message));
    } catch (error) {
      this.onerror?.(error as Error);
    }
  }
}

/** Servers also print lines that are not messages, such as a banner: those are skipped. 2025-03-26 allowed batches. */
function* messagesOf(line: JsonLine): Generator<JSONRPCMessage> {
  if ("error" in line) return;
  for (const value of Array.isArray(line.value) ? line.value : [line.value]) {
    if (typeof value === "object" && value !== null) yield value;
  }
}

/** JSON-RPC error code of a response that cannot be read; outside the range that servers use. */
const MALFORMED = -31_998;

/**
 * The message itself, or an error in its place if it is a malformed response: the SDK would ignore that, and the call
 * would wait for its deadline.
 */
function errorIfMalformed(message: JSONRPCMessage): JSONRPCMessage {
  const { id, method, result }: Readonly<Record<string, unknown>> = message;
  if (method !== undefined || (typeof id !== "number" && typeof id !== "string")) return message;
  // The SDK's check is slow, and nearly every response is a plain result.
  if (isPlainResult(message, result) || isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message))
    return message;
  return { jsonrpc: "2.0", id, error: { code: MALFORMED, message: "the response is not JSON-RPC" } };
}

function isPlainResult(message: JSONRPCMessage, result: unknown): boolean {
  if (!isObject(result) || message.jsonrpc !== "2.0" || Object.keys(message).length !== 3) return false;
  return result["_meta"] === undefined || isObject(result["_meta"]);
}
