import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { text } from "node:stream/consumers";
import { parseExact } from "@mci-ts/primitives/exact-json";
import { isObject } from "@mci-ts/primitives/is-object";
import { shellWord } from "@mci-ts/primitives/shell-word";
import { CliError, usageError } from "../cli-error.ts";
import type { Context } from "../command.ts";

export interface PropertySources {
  /** `key=value`, `key=@file`. */
  readonly pairs: readonly string[];
  /** A JSON object, `@file`, or `-` for standard input. */
  readonly params?: string;
  /** The tool's inputSchema. */
  readonly schema: Readonly<Record<string, unknown>>;
}

/**
 * The properties of a call. Strings are handed on as they are: the library turns them into numbers, booleans and so on
 * where the schema asks for it. Lists are made here, since only here a key can be given twice.
 */
export async function readProperties(
  { pairs, params, schema }: PropertySources,
  context: Context,
): Promise<Record<string, unknown>> {
  const lists = new Map<string, string[]>();
  for (const pair of pairs) {
    const equals = pair.indexOf("=");
    if (equals < 1)
      throw usageError(
        `'${pair}' is not a property.`,
        pair.startsWith("{")
          ? `Write --params ${shellWord(pair)}`
          : "Write KEY=VALUE; quote it if it holds spaces.",
      );
    const key = pair.slice(0, equals);
    const value = await readValue(pair.slice(equals + 1), context);
    lists.set(key, [...(lists.get(key) ?? []), value]);
  }
  const base = params === undefined ? {} : await readParams(params, schema, context);
  return {
    ...base,
    ...Object.fromEntries([...lists].map(([key, values]) => [key, typed(key, values, schema)])),
  };
}

function typed(key: string, values: readonly string[], schema: PropertySources["schema"]): unknown {
  const [first = ""] = values;
  const wantsList = typesOf(schema, key).includes("array");
  if (values.length > 1) {
    if (wantsList || typesOf(schema, key).length === 0) return values;
    throw usageError(`'${key}' is given ${values.length} times, but is not a list.`, "Give it once.");
  }
  // One value for a list is a list of one, unless it is written as a JSON array.
  return wantsList && !typesOf(schema, key).includes("string") && !/^\s*\[/.test(first) ? [first] : first;
}

function typesOf({ properties }: PropertySources["schema"], key: string): readonly unknown[] {
  const property = isObject(properties) && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const type = isObject(property) ? property.type : undefined;
  return Array.isArray(type) ? type : type === undefined ? [] : [type];
}

async function readValue(value: string, context: Context): Promise<string> {
  if (value.startsWith("@@")) return value.slice(1);
  return value.startsWith("@") ? readText(value.slice(1), context) : value;
}

async function readParams(
  params: string,
  { properties }: PropertySources["schema"],
  context: Context,
): Promise<Record<string, unknown>> {
  const isFile = params.startsWith("@");
  const json =
    params === "-"
      ? await text(context.stdin)
      : isFile
        ? await readText(params.slice(1), context, "Check the path given with --params.")
        : params;
  const [property = "name"] = Object.keys(isObject(properties) ? properties : {});
  const example = `--params '${JSON.stringify({ [property]: "Ada" })}'`;
  try {
    const data: unknown = parseExact(json);
    if (isObject(data)) return data;
  } catch (cause) {
    throw usageError(
      `--params is not well-formed JSON: ${(cause as Error).message}`,
      `Write a JSON object: ${example}`,
    );
  }
  throw usageError("--params must be a JSON object.", `For example: ${example}`);
}

async function readText(
  path: string,
  { cwd, stdin }: Context,
  hint = "Write @@ for a value that starts with @.",
): Promise<string> {
  if (path === "-") return text(stdin);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(await readFile(resolve(cwd, path)));
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT") throw usageError(`File not found: ${resolve(cwd, path)}`, hint);
    throw new CliError(
      `Cannot read ${path}: ${code === "ERR_ENCODING_INVALID_ENCODED_DATA" ? "it is not UTF-8 text" : code}`,
      { cause },
    );
  }
}
