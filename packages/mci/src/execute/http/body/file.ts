import { extname } from "node:path";
import { OMITTED } from "../../../template-api.ts";
import { mediaType } from "../../file/media.ts";
import type { BodyType } from "./body-type.ts";

/** The bytes of a file, read under the rules for paths. */
export const file: BodyType<"file"> = (body, compile, place) => {
  const path = compile.text(body.content, [...place, "content"]);
  return (scope) => {
    const filePath = path.render(scope);
    if (filePath === OMITTED) return undefined;
    return {
      read: async (readFile) => {
        const { bytes } = await readFile(filePath);
        return { bytes, contentType: fileMediaType(bytes, filePath) };
      },
    };
  };
};

/** Known by the first bytes or the name; servers refuse some uploads without a type. */
export function fileMediaType(bytes: Uint8Array, name: string): string {
  return mediaType(bytes, name) ?? TYPES[extname(name).toLowerCase()] ?? "application/octet-stream";
}

const TYPES: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".htm": "text/html",
  ".html": "text/html",
  ".json": "application/json",
  ".jsonl": "application/jsonl",
  ".md": "text/markdown",
  ".mp4": "video/mp4",
  ".pdf": "application/pdf",
  ".svg": "image/svg+xml",
  ".txt": "text/plain",
  ".xml": "application/xml",
  ".yaml": "application/yaml",
  ".yml": "application/yaml",
  ".zip": "application/zip",
};
