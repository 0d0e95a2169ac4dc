import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { ApiFailure } from "./failure.ts";
import { json } from "./json-response.ts";
import type { ToolsRequest, ToolsSource } from "./source.ts";
import type { FileState } from "./types.ts";

export async function readSource(source: ToolsSource): Promise<Response> {
  return json(await fileState(source));
}

/** Another text than the file's own only from those who may save it: problems tell what a text makes lint look at. */
export async function validate(source: ToolsSource, { body }: ToolsRequest): Promise<Response> {
  const text = textOf(body);
  if (text !== undefined) requireWritable(source);
  return json({ problems: (await source.lint(text)).problems });
}

export async function saveSource(source: ToolsSource, { body }: ToolsRequest): Promise<Response> {
  requireWritable(source);
  const text = textOf(body);
  const version = (body as { version?: unknown } | undefined)?.version;
  if (text === undefined || typeof version !== "string")
    throw new ApiFailure(400, "invalid_request", "Send { text, version }.");
  await fileState(source);
  if (!(await source.save(text, (current) => versionOf(current) === version))) {
    throw new ApiFailure(
      409,
      "changed",
      "The file was changed by something else since it was opened. Reload it first.",
    );
  }
  await source.reload().catch(() => undefined);
  return json(await fileState(source));
}

function requireWritable({ writable }: ToolsSource): void {
  if (!writable) throw new ApiFailure(403, "read_only", "This page may not change the file.");
}

/** Changes with the content. */
function versionOf(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

async function fileState({ file, writable, loadError }: ToolsSource): Promise<FileState> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new ApiFailure(404, "file_missing", `The file cannot be read: ${error.code ?? error.message}.`);
  });
  const load_error = loadError();
  return {
    path: file,
    text,
    version: versionOf(text),
    writable,
    ...(load_error === undefined ? {} : { load_error }),
  };
}

function textOf(body: unknown): string | undefined {
  const text = (body as { text?: unknown } | undefined)?.text;
  return typeof text === "string" ? text : undefined;
}
