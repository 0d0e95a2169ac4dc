import { isObject } from "@mci-ts/primitives/is-object";
import { parseJson } from "@mci-ts/primitives/parse-json";
import type { Setting } from "mci-ts/authoring";
import { CliError } from "../../cli-error.ts";
import { isCredentialValue, isHarmless, namesCredential } from "../credentials.ts";
import { mediaTypeSetting } from "../media-type.ts";
import {
  askEach,
  checkedKey,
  fileBody,
  type Json,
  optionalField,
  type RequestTool,
  settingOf,
} from "../request.ts";
import { type CurlRequest, ifHarmless } from "./options.ts";

/** The body of a command. Takes the Content-Type out of the headers where the type of the body says it. */
export function bodyOf(request: CurlRequest, headers: Headers, tool: RequestTool): Json | undefined {
  if (request.form.length > 0) return multipartOf(request.form, tool, request.warnings);
  if (request.upload !== undefined) return fileBody(tool, request.upload);
  if (request.data.length === 0 || request.isGet) return undefined;
  const type = new ContentType(headers, request.headers);
  const [first, ...more] = request.data;
  if (first!.isFile && more.length === 0) {
    if (!type.isSet) headers["Content-Type"] = "application/x-www-form-urlencoded";
    return fileBody(tool, first!.text);
  }
  const text = request.data.map(({ text, isFile }) => (isFile ? "" : text)).join("&");
  for (const { text: file, isFile } of request.data)
    if (isFile) request.warnings.push(`The content of the file${ifHarmless(file)} is left out.`);
  const json = type.isJson || !type.isSet ? parseJson(text) : undefined;
  if (isObject(json) && !type.isSet)
    request.warnings.push("The body is JSON, and curl would have called it a form; it is sent as JSON.");
  if (isObject(json)) {
    if (type.is("application/json")) type.remove();
    return { type: "json", content: askEach(Object.entries(json), tool, { default: true }) };
  }
  if (json !== undefined && type.isJson)
    return { type: "json", content: settingOf("body", json, tool, { default: true }) };
  // Text that is not a field of a form would become the name of one.
  if (type.isForm && text.split("&").some((field) => field !== "" && !field.includes("="))) {
    if (!type.isSet) headers["Content-Type"] = FORM;
    request.warnings.push("The body is not a form of names and values; it has to be given as a text.");
    return { type: "raw", content: tool.askText("body", text, { required: true }) };
  }
  if (type.isForm) {
    type.remove();
    return { type: "form", content: askEach([...new URLSearchParams(text)], tool, { default: true }) };
  }
  return { type: "raw", content: tool.askText("body", text, { default: true }) };
}

type Headers = Record<string, string | Setting>;

/** The Content-Type among headers; curl's own is a form. */
class ContentType {
  readonly #headers: Headers;
  readonly #name: string | undefined;
  readonly #value: string;

  constructor(headers: Headers, raw: readonly (readonly [string, string])[]) {
    this.#headers = headers;
    const isType = (name: string) => name.toLowerCase() === "content-type";
    this.#name = Object.keys(headers).find(isType);
    const [, value = FORM] = raw.findLast(([name]) => isType(name)) ?? [];
    this.#value = value.toLowerCase();
  }

  get isSet(): boolean {
    return this.#name !== undefined;
  }

  get isJson(): boolean {
    return this.#value.includes("json");
  }

  get isForm(): boolean {
    return this.#value.includes(FORM);
  }

  is(type: string): boolean {
    return this.#value === type;
  }

  remove(): void {
    if (this.#name !== undefined) delete this.#headers[this.#name];
  }
}

const FORM = "application/x-www-form-urlencoded";

/** `name=text;type=text/csv`, `name=@file;type=image/png;filename=a.png`, `name=<file`. */
function multipartOf(parts: readonly string[], tool: RequestTool, warnings: string[]): Json {
  const texts: [string, unknown][] = [];
  const files: Json = {};
  const contentTypes: Json = {};
  for (const part of parts) {
    const [, name, value = ""] = /^([^=]*)=([\s\S]*)$/.exec(part) ?? [];
    if (name === undefined)
      throw new CliError("A part of the form (-F) has no '=' between its name and its content.", {
        exitCode: 2,
      });
    const [content = "", ...settings] = value.split(/;(?=(?:type|filename|headers|encoder)=)/);
    const { type, filename, headers, encoder } = readSettings(settings);
    for (const [key, setting] of Object.entries({ headers, encoder }))
      if (setting !== undefined) warnings.push(`The setting ;${key}= of the part '${name}' is left out.`);
    if (content.startsWith("@")) {
      files[checkedKey(name)] = uploadOf(name, content.slice(1), { type, filename }, tool);
      continue;
    }
    if (content.startsWith("<"))
      warnings.push(`The content of the file of the part '${name}' is left out; it has to be given.`);
    texts.push([name, content.startsWith("<") ? "" : content]);
    if (type !== undefined) contentTypes[name] = mediaTypeSetting(`${name}_type`, type, tool);
  }
  const content = askEach(texts, tool, { default: true });
  return {
    type: "multipart",
    content,
    ...optionalField("files", files),
    ...optionalField("contentTypes", contentTypes),
  };
}

function readSettings(settings: readonly string[]): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    settings.map((setting) => {
      const [name = "", value = ""] = setting.split(/=(.*)/s, 2);
      return [name, value.replace(/^"(.*)"$/, "$1")];
    }),
  );
}

function uploadOf(
  name: string,
  file: string,
  { type, filename }: Readonly<Record<string, string | undefined>>,
  tool: RequestTool,
): unknown {
  const such = isHarmless("", file) ? `, such as ${file}` : "";
  const path = tool.ask(name, "", { required: true, description: `Path of the file to upload${such}.` });
  if (type === undefined && filename === undefined) return path;
  const isSecret = filename !== undefined && (isCredentialValue(filename) || namesCredential(filename));
  const filenameValue = isSecret
    ? tool.secret(`${name}_filename`, `File name of '${name}'`, filename)
    : filename;
  return {
    path,
    ...(filenameValue ? { filename: filenameValue } : {}),
    ...(type ? { contentType: mediaTypeSetting(`${name}_type`, type, tool) } : {}),
  };
}
