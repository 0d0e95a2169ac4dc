// biome-ignore-all lint/suspicious/noExplicitAny: documents may have any shape
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse } from "yaml";
import { MCIClient } from "../../../src/index.ts";
import { type ImportResult, importOpenApi } from "../../../src/openapi/index.ts";
import { checkRequest } from "./check-request.ts";
import { contractOf } from "./contract.ts";
import { sampleInput } from "./sample.ts";
import { recordingServer } from "./server.ts";

export interface WireReport {
  readonly operations: number;
  readonly tools: number;
  /** Calls made: two for each tool, one if both are the same. */
  readonly calls: number;
  readonly passed: number;
  readonly failures: readonly string[];
  /** Calls for which no input could be generated. */
  readonly ungenerated: readonly string[];
  readonly skipped: ImportResult["skipped"];
  readonly importMs: number;
  /** Memory of the process at its peak, when the import was done. */
  readonly importPeakBytes: number;
  readonly largestSchema: number;
}

/**
 * Imports a document, calls each tool with all and with only its required properties, and checks every request that
 * arrives at a local server against the document.
 */
export async function proveWireForm(text: string): Promise<WireReport> {
  await using server = await recordingServer();
  const folder = mkdtempSync(join(tmpdir(), "mci-openapi-"));
  try {
    const started = performance.now();
    const result = importOpenApi(text, { includeDeprecated: true, baseUrl: server.origin });
    const importMs = Math.round(performance.now() - started);
    const importPeakBytes = process.resourceUsage().maxRSS * 1024;
    const document = /^\s*\{/.test(text) ? JSON.parse(text) : parse(text);
    const file = join(folder, "tools.mci.json");
    writeFileSync(file, JSON.stringify(localTokens(result.toolset, server.origin)));
    writeFileSync(join(folder, "upload.txt"), "content");
    const env = Object.fromEntries(
      result.variables.filter(({ secret }) => secret).map(({ name }) => [name, "secret"]),
    );
    await using client = await MCIClient.load(file, { env, auth: { onAuthorize: agree } });
    const failures: string[] = [];
    const ungenerated: string[] = [];
    let calls = 0;
    for (const [index, { name, method, path }] of result.tools.entries()) {
      const schema = result.toolset.tools[index]!.inputSchema;
      const contract = contractOf(document, method, path);
      for (const which of ["all", "required"] as const) {
        const input = sampleInput(schema, which);
        if (input === undefined) {
          ungenerated.push(`${name} (${which})`);
          continue;
        }
        calls += 1;
        const problems = await call(
          client,
          name,
          withFiles(input, schema, result.toolset.tools[index]!.execution),
        );
        const requests = server.take().filter(({ url }) => url !== "/oauth-token");
        const [request] = requests;
        if (request === undefined) problems.push("nothing was sent");
        else problems.push(...attempt(() => checkRequest(request, contract, which === "all")));
        if (problems.length > 0) failures.push(`${name} (${which}): ${problems.slice(0, 3).join("; ")}`);
      }
    }
    return {
      operations: result.tools.length + result.skipped.length,
      tools: result.tools.length,
      calls,
      passed: calls - failures.length,
      failures,
      ungenerated,
      skipped: result.skipped,
      importMs,
      importPeakBytes,
      largestSchema: Math.max(
        0,
        ...result.toolset.tools.map((tool) => Buffer.byteLength(JSON.stringify(tool.inputSchema))),
      ),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function call(client: MCIClient, name: string, input: Record<string, unknown>): Promise<string[]> {
  try {
    const result = await client.execute(name, input);
    return result.isError ? [result.text] : [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

function attempt(check: () => string[]): string[] {
  try {
    return check();
  } catch (error) {
    return [`cannot be read: ${error instanceof Error ? error.message : error}`];
  }
}

/** Tokens come from the local server, too: nothing leaves this machine. */
function localTokens(toolset: object, origin: string): unknown {
  const tokenUrl = `${origin}/oauth-token`;
  return JSON.parse(JSON.stringify(toolset), (key, value) => {
    if (key !== "auth" || value?.type !== "oauth2") return value;
    const { issuer, ...rest } = value;
    return { ...rest, tokenUrl, ...(issuer && { authorizationUrl: "https://login.example.com" }) };
  });
}

/** A person who agrees to every login. */
async function agree(url: URL): Promise<string> {
  const parameters = new URLSearchParams({ code: "code", state: url.searchParams.get("state")! });
  return `${url.searchParams.get("redirect_uri")}?${parameters}`;
}

/** Properties that name a file get one that exists. */
function withFiles(
  input: Record<string, unknown>,
  schema: Record<string, any>,
  execution: Record<string, any>,
): Record<string, unknown> {
  const isFile = (name: string) =>
    /Path of the file to upload\.$/.test(schema.properties[name]?.description ?? "");
  if (execution.body?.type !== "file" && execution.body?.type !== "multipart") return input;
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [
      name,
      isFile(name) ? (Array.isArray(value) ? ["upload.txt", "upload.txt"] : "upload.txt") : value,
    ]),
  );
}
