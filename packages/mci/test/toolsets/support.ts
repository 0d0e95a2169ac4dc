import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished } from "vitest";
import { type LoadOptions, MCIClient, type MCIClientError } from "../../src/index.ts";

/** A directory with these files, gone after the test. Objects are written as JSON. */
export function project(files: Readonly<Record<string, unknown>>): string {
  const root = mkdtempSync(join(tmpdir(), "mci-toolsets-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [name, content] of Object.entries(files)) {
    const file = join(root, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
  }
  return root;
}

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
