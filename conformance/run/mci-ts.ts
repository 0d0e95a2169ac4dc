import { MCIClient, MCIClientError } from "mci-ts";
import type { Adapter, ObservedCall, ObservedFailure, Task } from "./adapter.ts";
import type { Json } from "./case.ts";

/** This repository's library. */
export const mciTs: Adapter = async ({ file, env, load, filter, calls }) => {
  let client: MCIClient;
  try {
    client = await MCIClient.load(file, { env, ...load });
  } catch (error) {
    return { failure: failure(error) };
  }
  await using _ = client;
  const observed: ObservedCall[] = [];
  for (const call of calls) observed.push(await execute(client, call));
  return {
    listed: client.listTools(filter),
    tools: client.tools() as readonly Json[],
    warnings: client.warnings,
    calls: observed,
  };
};

async function execute(
  client: MCIClient,
  { tool, properties }: Task["calls"][number],
): Promise<ObservedCall> {
  try {
    const { result } = await client.execute(tool, properties);
    return { result: { ...result, content: result.content as unknown as readonly Json[] } };
  } catch (error) {
    return { thrown: failure(error) };
  }
}

/** Anything but the library's own exception is a defect and fails the case. */
function failure(error: unknown): ObservedFailure {
  if (!(error instanceof MCIClientError)) throw error;
  const { code, message, problems } = error;
  return { code, message, problems };
}
