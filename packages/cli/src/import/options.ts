import type { Values } from "../command.ts";

const CHOOSE = {
  tag: { type: "string", value: "TAG", multiple: true, help: "Only operations with this tag." },
  path: {
    type: "string",
    value: "PATH",
    multiple: true,
    help: "Only paths that begin with this; * is one segment, ** any number.",
  },
  method: { type: "string", value: "METHOD", multiple: true, help: "Only this method." },
  operation: {
    type: "string",
    value: "NAME",
    multiple: true,
    help: "Only this operation id or tool; * is any text.",
  },
  "read-only": { type: "boolean", help: "Only operations that change nothing." },
  exclude: { type: "string", value: "NAME", multiple: true, help: "Leave out this operation, tag or /path." },
  "include-deprecated": { type: "boolean", help: "Deprecated operations, too." },
} as const;

export const IMPORT_OPTIONS = {
  out: {
    type: "string",
    short: "o",
    value: "FILE",
    complete: "file",
    help: "Write here (.json, .yaml). Default: standard output.",
  },
  ...CHOOSE,
  "base-url": {
    type: "string",
    value: "URL",
    help: "Address of the API instead of the document's servers; no path can leave its host.",
  },
  prefix: { type: "string", value: "PREFIX", help: "Prefix for tool names." },
  name: { type: "string", value: "NAME", help: "Name of the tool made from a curl command." },
  auth: {
    type: "string",
    value: "AUTH",
    help: "A security scheme, bearer, basic, apiKey:header:NAME, or none.",
  },
  "write-env": {
    type: "string",
    value: "FILE",
    complete: "file",
    help: "Add the secrets that were taken out to this env file (.env), which only you can read.",
  },
  "max-description": { type: "string", value: "N", help: "Characters of a description. Default 1024." },
  "output-schemas": { type: "boolean", help: "Describe results as well." },
  force: {
    type: "boolean",
    help: "Overwrite a file that holds more than an import; write tools although references do not resolve.",
  },
  format: {
    type: "string",
    value: "FORMAT",
    choices: ["text", "json"],
    help: "How to print the summary. Default text.",
  },
} as const;

export type ImportValues = Values<typeof IMPORT_OPTIONS>;
