import { MCIClient } from "mci-ts";
import { problemPrinter } from "../print/problems.ts";
import { spinner } from "../print/spinner.ts";
import type { ServeOptions } from "./options.ts";

/** Loads the file with its toolsets and MCP servers. What went wrong without being fatal is said on stderr. */
export async function loadTools(
  { file, env, filter, context }: ServeOptions,
  signal: AbortSignal,
): Promise<MCIClient> {
  const waiting = new Set<string>();
  const progress = spinner(context.stderr);
  try {
    const client = await MCIClient.load(file, {
      env: await env(),
      filter,
      signal,
      onMcpServer: (server, state) => {
        if (state === "asked") waiting.add(server);
        else waiting.delete(server);
        progress.show(waiting.size === 0 ? "" : `Waiting for MCP servers: ${[...waiting].join(", ")}`);
      },
    });
    progress.stop();
    client.warnings.forEach(problemPrinter(context, context.stderr));
    return client;
  } finally {
    progress.stop();
  }
}
