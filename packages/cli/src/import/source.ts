import { readFileSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { ProxyFetch } from "mci-ts/proxy";
import { CliError } from "../cli-error.ts";
import type { Context } from "../command.ts";
import { proxyFromEnv } from "../project/proxy.ts";

/** A document to import. */
export interface Source {
  readonly text: string;
  /** Where it came from, absolute. */
  readonly address: string;
  /** Reads a document beside it. */
  load(address: string): Promise<string>;
}

const MAX_BYTES = 100 * 1024 * 1024;
const TIMEOUT_MS = 60_000;

/** Reads a file or an http(s) address. */
export async function readSource(
  source: string,
  { cwd, env, signal }: Pick<Context, "cwd" | "env" | "signal">,
): Promise<Source> {
  if (/^https?:\/\//i.test(source)) {
    const address = new URL(source);
    address.hash = "";
    // The user named this address: it may redirect. Documents it refers to may not.
    const text = await download(address.href, "follow", env, signal);
    return { text, address: address.href, load: (other) => download(other, "error", env, signal) };
  }
  const path = resolve(cwd, source);
  return {
    text: readText(path, source),
    address: pathToFileURL(path).href,
    load: async (other) => readText(fileURLToPath(other), fileURLToPath(other)),
  };
}

function readText(path: string, displayName: string): string {
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) throw new CliError(`${displayName} is larger than ${MAX_BYTES} bytes.`);
    return readFileSync(path, "utf8");
  } catch (cause) {
    if (cause instanceof CliError) throw cause;
    const { code } = cause as NodeJS.ErrnoException;
    const message =
      code === "ENOENT" ? `File not found: ${displayName}` : `Cannot read ${displayName} (${code})`;
    throw new CliError(message, { hint: "Name a file, or an address that begins with https://.", cause });
  }
}

/** The text at an address, of at most `maxBytes`. */
export async function download(
  address: string,
  redirect: "follow" | "error",
  env: Context["env"],
  signal: AbortSignal,
  maxBytes: number = MAX_BYTES,
): Promise<string> {
  const proxied = await openProxied(env);
  try {
    const response = await (proxied?.fetch ?? fetch)(address, {
      redirect,
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    if (!response.ok) throw new CliError(`${address} responded with status ${response.status}.`);
    const chunks: Uint8Array[] = [];
    let total = 0;
    for await (const chunk of response.body ?? []) {
      chunks.push(chunk);
      total += chunk.length;
      if (total > maxBytes) throw new CliError(`${address} is larger than ${maxBytes} bytes.`);
    }
    return Buffer.concat(chunks).toString("utf8");
  } catch (cause) {
    if (cause instanceof CliError || signal.aborted) throw cause;
    const reason =
      cause instanceof Error ? ((cause.cause as Error | undefined)?.message ?? cause.message) : String(cause);
    throw new CliError(`${address} could not be read: ${reason}`, {
      hint: "Download the document and name the file.",
      cause,
    });
  } finally {
    await proxied?.close();
  }
}

async function openProxied(env: Context["env"]): Promise<ProxyFetch | undefined> {
  const proxy = await proxyFromEnv(env);
  if (proxy === undefined) return undefined;
  const { openProxyFetch } = await import("mci-ts/proxy");
  return openProxyFetch(proxy);
}
