import { CallLog, type ToolsSource } from "@mci-ts/console/tools";
import { integersAsText } from "@mci-ts/primitives/exact-json";
import type { Context } from "../command.ts";
import type { Environment } from "../project/env.ts";
import type { ReloadableClient } from "../serve/reloadable-client.ts";
import { type ConsoleHandler, createConsoleHandler } from "./console-handler.ts";
import { createConsoleLogins } from "./console-logins.ts";
import { createToolsSource } from "./tools-source.ts";

export interface ServedConsole {
  readonly handler: ConsoleHandler;
  readonly source: ToolsSource;
  /** The address that opens the console, beside this address of MCP. */
  open(mcpAddress: string): string;
}

/** The console of `mci run --ui`: the same page, which cannot change the file, with the calls of MCP clients. */
export async function openServedConsole(
  client: ReloadableClient,
  file: string,
  { environment, plans }: { readonly environment: () => Promise<Environment>; readonly plans: string },
  context: Context,
): Promise<ServedConsole> {
  const { stderr } = context;
  const calls = new CallLog();
  client.observeCalls((tool, input, call) => record(calls, tool, input, call));
  const source = createToolsSource({
    file,
    client,
    env: environment,
    calls,
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
  };
}

function record(
  calls: CallLog,
  tool: string,
  input: Readonly<Record<string, unknown>>,
  call: ReturnType<ReloadableClient["call"]>,
): void {
  const id = calls.start(tool, integersAsText(input), "client");
  const began = performance.now();
  const end = (isError: boolean, error?: string) =>
    calls.end(id, {
      state: isError ? "failed" : "succeeded",
      duration_ms: performance.now() - began,
      ...(error === undefined ? {} : { error: error.slice(0, 500) }),
    });
  call.then(
    ({ isError, error }) => end(isError, error),
    (error: Error) => end(true, error.message),
  );
}
