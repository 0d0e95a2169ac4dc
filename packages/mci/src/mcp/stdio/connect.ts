import { SdkError, SdkErrorCode, UnsupportedProtocolVersionError } from "@modelcontextprotocol/client";
import { MAX_TIMER_MS } from "../../abort.ts";
import type { Connection, ConnectOptions } from "../connection.ts";
import type { StdioConfig } from "../server-config.ts";
import { handshake } from "../session/handshake.ts";
import { toConnectError } from "../session/request-errors.ts";
import { SdkConnection } from "../session/sdk-connection.ts";
import { StdioTransport } from "./transport.ts";

/** Milliseconds to wait for a response to the probe for the newer protocol. */
const PROBE_TIMEOUT_MS = 5000;

interface HandshakeMode {
  readonly mode: "auto" | "legacy";
  readonly probeTimeoutMs: number;
}

/** Starts a server. */
export function connectStdio(
  config: StdioConfig,
  options: ConnectOptions,
  signal: AbortSignal,
): Promise<Connection> {
  const probeTimeoutMs = Math.min(PROBE_TIMEOUT_MS, options.timeoutMs / 2);
  return start(config, options, signal, [{ mode: "auto", probeTimeoutMs }]);
}

async function start(
  config: StdioConfig,
  options: ConnectOptions,
  signal: AbortSignal,
  attempted: readonly HandshakeMode[],
): Promise<Connection> {
  const transport = new StdioTransport(config, options);
  let ending: string | undefined;
  try {
    const stop = () => {
      // How it exited by itself; that we terminate it now says nothing.
      ending = transport.ending;
      return transport.close({ graceful: false });
    };
    const session = await handshake(transport, {
      ...attempted.at(-1)!,
      signal,
      stop,
      session: options.session,
      onMessage: options.onMessage,
    });
    return new SdkConnection(session, {
      ending: () => transport.ending,
      stderr: () => transport.stderrTail,
      close: () => transport.close(),
      mask: options.mask,
    });
  } catch (error) {
    const nextMode = attempted.length === 1 && !signal.aborted && otherMode(error);
    if (nextMode) return start(config, options, signal, [...attempted, nextMode]);
    throw toConnectError(error, { ending, hint: startHint(error, config.command), mask: options.mask });
  }
}

function startHint(error: unknown, command: string): string | undefined {
  if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) return undefined;
  return /[/\\]/.test(command)
    ? "there is no such program: correct its path, or install it"
    : "the command was not found in PATH: install it, or give its full path";
}

/** A server can misunderstand the first handshake; it is then started again with the other mode. */
function otherMode(error: unknown): HandshakeMode | undefined {
  // An older server that exited on the probe is not probed again.
  if (error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed) {
    return { mode: "legacy", probeTimeoutMs: 0 };
  }
  // A newer server that was too slow to respond to the probe, and does not support the legacy handshake.
  if (error instanceof UnsupportedProtocolVersionError) return { mode: "auto", probeTimeoutMs: MAX_TIMER_MS };
  return undefined;
}
