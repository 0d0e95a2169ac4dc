import { basename } from "node:path";
import { stringifyExact } from "@mci-ts/primitives/exact-json";
import { isObject } from "@mci-ts/primitives/is-object";
import { ToolError } from "../../../errors.ts";
import type { BodyOf } from "../../../schema/body.ts";
import { type Compile, type JsonPath, OMITTED, type Scope } from "../../../template-api.ts";
import type { BodyType, EncodedBody, ReadFile } from "./body-type.ts";
import { compileContent } from "./content.ts";
import { fileMediaType } from "./file.ts";

/** `multipart/form-data`: parts by name, and files that are read under the rules for paths. */
export const multipart: BodyType<"multipart"> = (body, compile, place) => {
  const content = compileContent(body.content ?? {}, compile, [...place, "content"]);
  const files = Object.entries(body.files ?? {}).map(([name, file]) => ({
    name,
    render: compileFile(file, compile, [...place, "files", name]),
  }));
  const types = body.contentTypes ?? {};
  return (scope) => {
    const value = content(scope);
    const fields = value === OMITTED || value === null ? {} : value;
    if (!isObject(fields))
      throw new ToolError("invalid_config", "The multipart body must be an object of parts.");
    const parts = Object.entries(fields).flatMap(([name, item]) =>
      textParts(name, item, Object.hasOwn(types, name) ? types[name] : undefined),
    );
    const uploads = files.flatMap(({ name, render }) => render(scope).map((upload) => ({ name, ...upload })));
    if (body.omitEmpty && parts.length === 0 && uploads.length === 0) return undefined;
    if (uploads.length === 0) return assemble(parts);
    return {
      read: async (readFile) =>
        assemble([...parts, ...(await Promise.all(uploads.map((upload) => filePart(upload, readFile))))]),
    };
  };
};

interface Part {
  readonly name: string;
  readonly filename?: string;
  readonly contentType?: string | undefined;
  readonly bytes: Uint8Array;
}

interface Upload {
  readonly path: string;
  readonly filename: string | undefined;
  readonly contentType: string | undefined;
}

type FileSetting = NonNullable<BodyOf<"multipart">["files"]>[string];

function compileFile(setting: FileSetting, compile: Compile, place: JsonPath): (scope: Scope) => Upload[] {
  const { path, filename, contentType } = typeof setting === "string" ? { path: setting } : setting;
  const paths = compileContent(path, compile, [...place, "path"]);
  const optionalText = (source: string | undefined, field: string) => {
    const text = source === undefined ? undefined : compile.text(source, [...place, field]);
    return (scope: Scope) => {
      const value = text?.render(scope);
      return value === OMITTED ? undefined : value;
    };
  };
  const name = optionalText(filename, "filename");
  const type = optionalText(contentType, "contentType");
  return (scope) => {
    const value = paths(scope);
    const list = value === OMITTED || value === null ? [] : [value].flat();
    return list.map((item) => ({ path: String(item), filename: name(scope), contentType: type(scope) }));
  };
}

async function filePart(upload: Upload & { readonly name: string }, readFile: ReadFile): Promise<Part> {
  const { bytes } = await readFile(upload.path);
  const filename = upload.filename ?? basename(upload.path);
  return {
    name: upload.name,
    filename,
    contentType: upload.contentType ?? fileMediaType(bytes, filename),
    bytes,
  };
}

/** Lists repeat the name; objects are JSON; null is left out. */
function textParts(name: string, value: unknown, contentType: string | undefined): Part[] {
  if (Array.isArray(value))
    return value.flatMap((item) =>
      textParts(name, Array.isArray(item) ? stringifyExact(item) : item, contentType),
    );
  if (value === null || value === undefined) return [];
  const isJson = typeof value === "object" || /[/+]json/i.test(contentType ?? "");
  const text = typeof value === "string" && !isJson ? value : isJson ? stringifyExact(value) : String(value);
  const type = contentType ?? (isJson ? "application/json" : undefined);
  return [{ name, contentType: type, bytes: Buffer.from(text) }];
}

/**
 * The boundary is a digest of the parts: no value can contain it, and the same request has the same bytes each time it is
 * shown, sent and repeated.
 */
function assemble(parts: readonly Part[]): EncodedBody {
  const heads = parts.map(headOf);
  // Loaded when it is needed: most files have no such body.
  const hash = process.getBuiltinModule("node:crypto").createHash("sha256");
  for (const [index, { bytes }] of parts.entries())
    hash.update(heads[index]!).update(`${bytes.length}:`).update(bytes);
  const boundary = `mci-${hash.digest("hex").slice(0, 40)}`;
  const chunks = parts.flatMap(({ bytes }, index) => [
    Buffer.from(`--${boundary}\r\n${heads[index]}\r\n\r\n`),
    bytes,
    Buffer.from("\r\n"),
  ]);
  return {
    bytes: Buffer.concat([...chunks, Buffer.from(`--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

function headOf({ name, filename, contentType }: Part): string {
  const file = filename === undefined ? "" : `; filename="${quoted(filename)}"`;
  const type = contentType === undefined ? "" : `\r\nContent-Type: ${checkType(contentType)}`;
  return `Content-Disposition: form-data; name="${quoted(name)}"${file}${type}`;
}

/** As browsers do it: what would end the quotes or the line is percent-encoded. */
function quoted(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.toWellFormed().replace(/[\x00-\x1f"\x7f]/g, (char) => encodeURIComponent(char));
}

function checkType(type: string): string {
  if (/^[\t\x20-\x7e]+$/.test(type)) return type;
  throw new ToolError(
    "header_refused",
    "The content type of a part holds a line break or another character it cannot hold.",
  );
}
