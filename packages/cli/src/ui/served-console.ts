import { type CallLog, type MessageLog, type ToolsSource, takesPassword } from "@mci-ts/console/tools";
import { integersAsText } from "@mci-ts/primitives/exact-json";
import type { ExecutionResult } from "mci-ts";
import type { Context } from "../command.ts";
import type { Environment } from "../project/env.ts";
import type { CallObserver, ReloadableClient } from "../serve/reloadable-client.ts";
import { callsOf } from "./calls-file.ts";
import { type ConsoleHandler, createConsoleHandler } from "./console-handler.ts";
import { createConsoleLogins } from "./console-logins.ts";
import { createToolsSource } from "./tools-source.ts";

export interface ServedConsole {
  readonly handler: ConsoleHandler;
  readonly source: ToolsSource;
  /** The address that opens the console, beside this address of MCP. */
  open(mcpAddress: string): string;
  /** Waits for calls that are being stored. */
  close(): Promise<void>;
}

/** The console of `mci run --ui`: the same page, which cannot change the file, with the calls of MCP clients. */
export async function openServedConsole(
  client: ReloadableClient,
  file: string,
  {
    environment,
    plans,
    storeCalls,
    messages,
  }: {
    readonly environment: () => Promise<Environment>;
    readonly plans: string;
    readonly storeCalls: boolean;
    readonly messages: MessageLog;
  },
  context: Context,
): Promise<ServedConsole> {
  const { stderr } = context;
  const calls = await callsOf(file, { client, environment, context, isStored: storeCalls });
  client.observeCalls((tool, input) => record(calls, tool, input, client));
  const source = createToolsSource({
    file,
    client,
    env: environment,
    calls,
    messages,
    writable: false,
    logins: createConsoleLogins({ file, client, env: environment, context }),
    plans,
  });
  let base = "";
  const handler = createConsoleHandler({
    source,
    live: true,
    onOpened: (path) => stderr.write(`Console opened. For another tab: ${base}${path}\n`),
  });
  return {
    handler,
    source,
    open(mcpAddress) {
      base = new URL(mcpAddress).origin;
      return `${base}${handler.path}`;
    },
    close: () => calls.close(),
  };
}

function record(
  calls: CallLog,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  client: ReloadableClient,
): ReturnType<CallObserver> {
  const schema = client.current.tools().find(({ name }) => name === tool)?.inputSchema;
  const id = calls.start(tool, integersAsText(input), "client", { isPrivate: takesPassword(schema) });
  const began = performance.now();
  const requested = client.current.preview(tool, input).then(
    (request) => calls.setRequest(id, request),
    () => {},
  );
  const end = async (isError: boolean, error?: string, result?: ExecutionResult) => {
    const duration_ms = performance.now() - began;
    await requested;
    calls.end(
      id,
      {
        state: isError ? "failed" : "succeeded",
        duration_ms,
        ...(error === undefined ? {} : { error: error.slice(0, 500) }),
      },
      result?.result,
    );
  };
  return {
    onExchange: (exchange) => calls.addExchange(id, exchange),
    follow: (call) =>
      call.then(
        (result) => void end(result.isError, result.error, result),
        (error: Error) => void end(true, error.message),
      ),
  };
}
