import { join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type LoadOptions, MCIClient, type MCIClientError } from "../../src/index.ts";

export { temporaryFolder as project } from "../../../../test/temporary-folder.ts";

export async function load(root: string, options: LoadOptions = {}): Promise<MCIClient> {
  const client = await MCIClient.load(join(root, "tools.mci.json"), options);
  onTestFinished(() => client.close());
  return client;
}

export async function loadFails(root: string, options: LoadOptions = {}): Promise<MCIClientError> {
  const client = await load(root, options).catch((error: MCIClientError) => error);
  if (client instanceof MCIClient) expect.unreachable("should not load");
  return client as MCIClientError;
}

/** A tool that says its own name. */
export const tool = (name: string, ...tags: string[]) => ({
  name,
  tags,
  execution: { type: "text", text: `I am ${name}` },
});

export const file = (...tools: object[]) => ({ schemaVersion: "1.0", tools });

export const entry = (toolsets: unknown, more: object = {}) => ({ schemaVersion: "1.0", toolsets, ...more });
