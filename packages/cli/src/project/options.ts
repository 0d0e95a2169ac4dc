import { usageError } from "../cli-error.ts";
import type { Options } from "../command.ts";

/** The value of an option that is a number; `example` is one that fits the pattern. */
export function readNumber(
  option: string,
  text: string,
  pattern: RegExp,
  what: "milliseconds" | "a whole number",
  example: number,
): number {
  if (pattern.test(text)) return Number(text);
  throw usageError(`--${option} cannot be '${text}'.`, `Write ${what}, e.g. --${option} ${example}.`);
}

export const MILLISECONDS = /^[1-9]\d{0,8}$/;

/** Which file to work with. */
export const FILE = {
  file: {
    type: "string",
    short: "f",
    value: "FILE",
    complete: "file",
    help: "The MCI file. Default: mci.json, mci.yaml or mci.yml, else the only *.mci.* file of the folder.",
  },
} as const satisfies Options;

/** What templates see as env. */
export const ENV = {
  env: {
    type: "string",
    short: "e",
    value: "NAME=VALUE",
    multiple: true,
    help: "Set a variable for templates; wins over files and the environment.",
  },
  dotenv: {
    type: "string",
    value: "FILE",
    multiple: true,
    complete: "file",
    help: "Read variables from this file instead of .env.mci or .env.",
  },
} as const satisfies Options;

/** How long MCP servers may take to start and list their tools. */
export const MCP_TIMEOUT = {
  "mcp-timeout": {
    type: "string",
    value: "MS",
    help: "Time for an MCP server to start and list its tools, in milliseconds. Default 30000.",
  },
} as const satisfies Options;

/** Where `mci lock` writes, beside the MCI file. */
export const LOCK_FILE = "mci.lock.json";

export const FILTER = {
  filter: {
    type: "string",
    value: "TYPE:A,B",
    multiple: true,
    help: "Select tools: only:, except:, tags:, withoutTags:, toolsets:. Several combine.",
  },
} as const satisfies Options;
