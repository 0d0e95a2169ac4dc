import { Client, type JSONRPCMessage, type Transport } from "@modelcontextprotocol/client";
import { MAX_TIMER_MS, raceAbort } from "../../abort.ts";
import type { CallOptions, SessionOptions } from "../connection.ts";
import { AskingCalls } from "../revision/2025-11-25/asking-calls.ts";
import { TASKS, wrapTask } from "../tasks/created-task.ts";
import { Audiences } from "./audiences.ts";
import { ServerChanges } from "./changes.ts";

export interface Session {
  readonly client: Client;
  readonly progress: ProgressListeners;
  readonly audiences: Audiences;
  readonly changes: ServerChanges;
  readonly asking: AskingCalls;
  readonly options: SessionOptions;
}

export interface HandshakeOptions {
  /** "auto": probe for the newer, stateless protocol first. "legacy": the handshake of servers before 2026. */
  readonly mode: "auto" | "legacy";
  /** Milliseconds to wait for a response to the probe of "auto". */
  readonly probeTimeoutMs: number;
  readonly signal: AbortSignal;
  /** Takes the transport down; called when the handshake fails. */
  readonly stop: () => Promise<void>;
  readonly session?: SessionOptions | undefined;
  /** Called with each message, either way. */
  readonly onMessage?: OnMessage | undefined;
}

type OnMessage = (direction: "sent" | "received", message: unknown) => void;

/** Pages of a list; a server whose list never ends is stopped here. */
export const MAX_PAGES = 1000;

export async function handshake(
  transport: Transport,
  {
    mode,
    probeTimeoutMs,
    signal,
    stop,
    onMessage,
    session: options = { server: "", asksForInput: false },
  }: HandshakeOptions,
): Promise<Session> {
  const client = new Client(
    { name: "mci-ts", version: "0.1.0" },
    {
      versionNegotiation: { mode, probe: { timeoutMs: probeTimeoutMs } },
      listMaxPages: MAX_PAGES,
      capabilities: capabilitiesOf(options),
      // Who is asked depends on the call.
      inputRequired: { autoFulfill: false },
      // A result that does not match the server's outputSchema is still passed on, so it is not checked.
      jsonSchemaValidator: { getValidator: () => undefined as never },
    },
  );
  const progress = new ProgressListeners();
  const audiences = new Audiences();
  const changes = new ServerChanges();
  const asking = new AskingCalls(options.server);
  if (options.asksForInput)
    client.setRequestHandler("elicitation/create", (request, { mcpReq }) =>
      asking.answer(request, mcpReq.signal),
    );
  // The SDK calls a listener that is there before it connects, and then does its own work.
  transport.onmessage = (message) => {
    onMessage?.("received", message);
    if (options.drivesTasks) wrapTask(message);
    audiences.onMessage(message);
    progress.onMessage(message);
    changes.onMessage(message);
  };
  if (onMessage) {
    const send = transport.send.bind(transport);
    transport.send = (message, options) => {
      onMessage("sent", message);
      return send(message, options);
    };
  }
  try {
    // A transport that is closed while it connects may leave the SDK waiting for ever.
    await raceAbort(client.connect(transport, { timeout: MAX_TIMER_MS }), signal);
    return { client, progress, audiences, changes, asking, options };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** What the program can do for a server. */
export function capabilitiesOf({ asksForInput, drivesTasks, extensions }: Omit<SessionOptions, "server">) {
  const all = { ...(drivesTasks && { [TASKS]: {} }), ...extensions };
  return {
    ...(asksForInput && { elicitation: { form: {}, url: {} } }),
    ...(Object.keys(all).length > 0 && { extensions: all as Record<string, Record<string, never>> }),
  };
}

type OnProgress = NonNullable<CallOptions["onProgress"]>;

/**
 * Progress of calls, read from a session's messages as they arrive. The SDK's own callback loses what arrives together
 * with the result: results overtake notifications there.
 */
class ProgressListeners {
  readonly #listeners = new Map<string, OnProgress>();
  #count = 0;

  /** The token to send with a call whose progress is wanted. */
  add(onProgress: OnProgress): string {
    this.#count += 1;
    const token = `progress-${this.#count}`;
    this.#listeners.set(token, onProgress);
    return token;
  }

  remove(token: string): void {
    this.#listeners.delete(token);
  }

  onMessage(message: JSONRPCMessage): void {
    if (!("method" in message) || message.method !== "notifications/progress") return;
    const { progressToken, progress, total, message: text } = message.params ?? {};
    if (typeof progressToken !== "string" || typeof progress !== "number") return;
    this.#listeners.get(progressToken)?.({
      progress,
      ...(typeof total === "number" ? { total } : {}),
      ...(typeof text === "string" ? { message: text } : {}),
    });
  }
}
