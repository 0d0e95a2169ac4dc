import { SdkError, SdkErrorCode } from "@modelcontextprotocol/client";
import type { Connection, ConnectOptions } from "./connection.ts";
import { handshake } from "./handshake.ts";
import { SdkConnection } from "./sdk-connection.ts";
import { connectFailure } from "./sdk-failure.ts";
import type { StdioConfig } from "./server-config.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** Milliseconds that a server which does not know the newer protocol may keep silent about it. */
const PROBE_PATIENCE = 5000;

/** Starts a server. */
export async function connectStdio(
  config: StdioConfig,
  options: ConnectOptions,
  signal: AbortSignal,
  mode: "auto" | "legacy" = "auto",
): Promise<Connection> {
  const transport = new StdioTransport(config, options.maxMessageBytes);
  const probeTimeoutMs = Math.min(PROBE_PATIENCE, options.timeoutMs / 2);
  try {
    const stop = () => transport.close({ patient: false });
    const session = await handshake(transport, { mode, probeTimeoutMs, signal, stop });
    return new SdkConnection(session, { ending: () => transport.ending, close: () => transport.close() });
  } catch (error) {
    // Some older servers end when they are asked for the newer protocol. They get a second life, and are not asked again.
    const endedByQuestion = mode === "auto" && transport.ending !== undefined && isNegotiationFailure(error);
    if (endedByQuestion && !signal.aborted) return connectStdio(config, options, signal, "legacy");
    throw connectFailure(error, transport.ending);
  }
}

const isNegotiationFailure = (error: unknown) =>
  error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
