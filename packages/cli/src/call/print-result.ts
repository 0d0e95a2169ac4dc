import { writeFile } from "node:fs/promises";
import { parse, resolve } from "node:path";
import type { ContentItem, ExecutionResult, ToolErrorCode } from "mci-ts";
import { CliError } from "../cli-error.ts";
import type { Context, Output } from "../command.ts";
import { escapeControls, oneLine, toJson } from "../print/escape-controls.ts";
import { shortPath } from "../print/problems.ts";
import { style } from "../print/style.ts";

export interface PrintOptions {
  readonly format: "text" | "json";
  /** Where to write images and audio. */
  readonly output?: string;
  /** The properties of the call. */
  readonly properties: object;
}

/** Prints a result: text to standard output, a failure to standard error. The number is the exit code. */
export async function printResult(
  result: ExecutionResult,
  options: PrintOptions,
  context: Context,
): Promise<number> {
  const { stdout, stderr } = context;
  const exitCode = result.isError ? 1 : 0;
  const written =
    options.output === undefined || result.isError
      ? false
      : await writeOutput(result.content, options.output, context);

  if (options.format === "json") {
    stdout.write(toJson(result));
    return exitCode;
  }
  if (result.isError) {
    printToolError(result, options.properties, stderr);
    return exitCode;
  }
  for (const item of result.content) {
    const text = textOf(item);
    // A terminal would obey control characters; another program gets every byte.
    if (text !== undefined && written !== "text")
      stdout.write(ending(stdout.isTTY ? escapeControls(text) : text));
    else if (text === undefined && !written) stderr.write(`${describe(item)}; save it with --output FILE\n`);
  }
  printNotes(result, stderr);
  return exitCode;
}

/** What the text does not show by itself: pages that were not read, an expression that found nothing. */
function printNotes({ metadata: { notes } }: ExecutionResult, stderr: Output): void {
  if (!Array.isArray(notes)) return;
  for (const note of notes)
    stderr.write(`${style(stderr, ["bold", "yellow"], "note:")} ${oneLine(String(note))}\n`);
}

function printToolError(result: ExecutionResult, properties: object, stderr: Output): void {
  stderr.write(`${style(stderr, ["bold", "red"], "error:")} ${ending(escapeControls(result.text))}`);
  const code = result.metadata.error_code;
  if (code !== undefined) stderr.write(`${style(stderr, "dim", `code: ${code}`)}\n`);
  const hint = errorHint(result, properties);
  if (hint !== undefined) stderr.write(`${style(stderr, "green", "hint:")} ${escapeControls(hint)}\n`);
}

/** Writes images, audio and other binary content to files; the text if there is nothing else. */
async function writeOutput(
  content: readonly ContentItem[],
  output: string,
  context: Context,
): Promise<"binary" | "text"> {
  const binary = content.flatMap((item) => bytesOf(item) ?? []);
  const path = resolve(context.cwd, output);
  if (binary.length === 0) {
    await save(path, content.map((item) => ending(textOf(item) ?? "")).join(""), context);
    return "text";
  }
  for (const [index, bytes] of binary.entries()) await save(numbered(path, index), bytes, context);
  return "binary";
}

async function save(path: string, data: string | Uint8Array, { cwd, stderr }: Context): Promise<void> {
  try {
    await writeFile(path, data);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new CliError(`Cannot write ${path} (${code})`, {
      hint: "Check the path given with --output.",
      cause,
    });
  }
  stderr.write(`Wrote ${oneLine(shortPath(path, cwd))} (${Buffer.byteLength(data)} bytes)\n`);
}

/** `page.png`, `page-2.png`, … */
function numbered(path: string, index: number): string {
  if (index === 0) return path;
  const { dir, name, ext } = parse(path);
  return resolve(dir, `${name}-${index + 1}${ext}`);
}

function textOf(item: ContentItem): string | undefined {
  if (item.type === "text") return item.text;
  if (item.type === "resource") return item.resource.text;
  return item.type === "resource_link" ? item.uri : undefined;
}

function bytesOf(item: ContentItem): Uint8Array | undefined {
  const data =
    item.type === "image" || item.type === "audio"
      ? item.data
      : item.type === "resource"
        ? item.resource.blob
        : undefined;
  return data === undefined ? undefined : Buffer.from(data, "base64");
}

function describe(item: ContentItem): string {
  const mimeType =
    item.type === "resource" ? item.resource.mimeType : "mimeType" in item ? item.mimeType : undefined;
  return `The tool returned ${oneLine(mimeType ?? item.type)} (${bytesOf(item)?.byteLength ?? 0} bytes)`;
}

function ending(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** What to do about a tool that failed, where its message alone does not say it. `given` are the call's properties. */
function errorHint({ text, metadata }: ExecutionResult, properties: object): string | undefined {
  const { status_code: status, mcp_server: server } = metadata;
  const code = metadata.error_code as ToolErrorCode | undefined;
  if (code === undefined) return undefined;
  if (code === "template_missing") return missingValueHint(text, properties);
  if (code === "mcp_unavailable" && server !== undefined)
    return `check the entry of '${server}' under mcp_servers`;
  if (code === "http_status" && (status === 401 || status === 403))
    return "check the tool's auth, and the variables in it with 'mci envs'";
  return HINTS[code];
}

const HINTS: Partial<Record<ToolErrorCode, string>> = {
  path_refused: "allow its folder in directoryAllowList of the file, or set enableAnyPaths",
  command_not_found: "install the program, or correct the tool's command",
  command_timeout: "raise timeout_ms of the tool if it needs longer",
  mcp_timeout: "raise timeout_ms of the tool or its server if it needs longer",
};

/** The hint is about the first of the names that were not found. */
function missingValueHint(text: string, properties: object): string | undefined {
  if (/Template variable not found: env[.[]/.test(text))
    return "set it with --env NAME=VALUE, in .env.mci, or in the environment";
  const [, name] = /Template variable not found: (?:props|input|properties)\.([\w-]+)/.exec(text) ?? [];
  return name === undefined || Object.hasOwn(properties, name) ? undefined : `give it: ${name}=VALUE`;
}
