import { isObject } from "../../../../mci/src/is-object.ts";
import { askEach, fileBody, type Json, parsed, type RequestTool, some, textPlaceholder } from "../request.ts";
import type { CurlRequest } from "./options.ts";

/** The body of a command. Takes the Content-Type out of the headers where the type of the body says it. */
export function bodyOf(
  request: CurlRequest,
  headers: Record<string, string>,
  tool: RequestTool,
): Json | undefined {
  if (request.form.length > 0) return multipartOf(request.form, tool);
  if (request.upload !== undefined) return fileBody(tool, request.upload);
  if (request.data.length === 0 || request.isGet) return undefined;
  const type = new ContentType(headers);
  const [first, ...more] = request.data;
  if (first!.isFile && more.length === 0) {
    if (!type.isSet) headers["Content-Type"] = "application/x-www-form-urlencoded";
    return fileBody(tool, first!.text);
  }
  const text = request.data.map(({ text, isFile }) => (isFile ? "" : text)).join("&");
  for (const { text: file, isFile } of request.data)
    if (isFile) request.warnings.push(`The content of the file ${file} is left out.`);
  const json = type.isJson || !type.isSet ? parsed(text) : undefined;
  if (isObject(json) && !type.isSet)
    request.warnings.push("The body is JSON, and curl would have called it a form; it is sent as JSON.");
  if (isObject(json)) {
    if (type.is("application/json")) type.remove();
    return { type: "json", content: askEach(Object.entries(json), tool, { default: true }) };
  }
  if (json !== undefined && type.isJson)
    return { type: "json", content: tool.ask("body", json, { default: true }) };
  if (type.isForm) {
    type.remove();
    return { type: "form", content: askEach([...new URLSearchParams(text)], tool, { default: true }) };
  }
  return { type: "raw", content: textPlaceholder(tool.ask("body", text, { default: true })) };
}

/** The Content-Type among headers; curl's own is a form. */
class ContentType {
  readonly #headers: Record<string, string>;
  readonly #name: string | undefined;
  readonly #value: string;

  constructor(headers: Record<string, string>) {
    this.#headers = headers;
    this.#name = Object.keys(headers).find((name) => name.toLowerCase() === "content-type");
    this.#value = this.#name === undefined ? FORM : headers[this.#name]!.toLowerCase();
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

/** `name=text`, `name=@file;type=image/png;filename=a.png`, `name=<file`. */
function multipartOf(parts: readonly string[], tool: RequestTool): Json {
  const texts: [string, unknown][] = [];
  const files: Json = {};
  for (const part of parts) {
    const [, name = "", value = ""] = /^([^=]*)=([\s\S]*)$/.exec(part) ?? [];
    const [content = "", ...settings] = value.split(/;(?=(?:type|filename|headers|encoder)=)/);
    if (!content.startsWith("@")) texts.push([name, content.startsWith("<") ? "" : content]);
    else files[name] = uploadOf(name, content.slice(1), settings, tool);
  }
  const content = askEach(texts, tool, { default: true });
  return { type: "multipart", content, ...some("files", files) };
}

function uploadOf(name: string, file: string, settings: readonly string[], tool: RequestTool): unknown {
  const path = tool.ask(name, "", {
    required: true,
    description: `Path of the file to upload, such as ${file}.`,
  });
  const setting = (key: string) =>
    settings
      .find((text) => text.startsWith(`${key}=`))
      ?.slice(key.length + 1)
      .replace(/^"(.*)"$/, "$1");
  const [contentType, filename] = [setting("type"), setting("filename")];
  if (contentType === undefined && filename === undefined) return path;
  return { path, ...(filename ? { filename } : {}), ...(contentType ? { contentType } : {}) };
}
