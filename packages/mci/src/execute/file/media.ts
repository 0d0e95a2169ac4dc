import { extname } from "node:path";

/** The media type of an image or audio file, by its first bytes, else by the file's name; undefined for everything else. */
export function mediaType(bytes: Uint8Array, name: string): string | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 16)).toString("latin1");
  const signature = SIGNATURES.find(([, ...marks]) =>
    marks.every(([offset, mark]) => start.startsWith(mark, offset)),
  );
  return signature?.[0] ?? EXTENSIONS[extname(name).toLowerCase()];
}

type Mark = readonly [offset: number, bytes: string];

const SIGNATURES: readonly (readonly [type: string, ...marks: Mark[]])[] = [
  ["image/png", [0, "\x89PNG\r\n\x1a\n"]],
  ["image/jpeg", [0, "\xff\xd8\xff"]],
  ["image/gif", [0, "GIF8"]],
  ["image/webp", [0, "RIFF"], [8, "WEBP"]],
  ["image/avif", [4, "ftypavif"]],
  ["image/avif", [4, "ftypavis"]],
  ["image/heic", [4, "ftyphei"]],
  ["image/heic", [4, "ftypmif1"]],
  ["image/tiff", [0, "II*\0"]],
  ["image/tiff", [0, "MM\0*"]],
  ["image/bmp", [0, "BM"], [6, "\0\0\0\0"]],
  ["image/x-icon", [0, "\0\0\x01\0"]],
  ["audio/wav", [0, "RIFF"], [8, "WAVE"]],
  ["audio/ogg", [0, "OggS"]],
  ["audio/flac", [0, "fLaC"]],
  ["audio/mpeg", [0, "ID3"]],
  ["audio/mpeg", [0, "\xff\xfb"]],
  ["audio/mpeg", [0, "\xff\xf3"]],
  ["audio/mpeg", [0, "\xff\xf2"]],
  ["audio/aac", [0, "\xff\xf1"]],
  ["audio/aac", [0, "\xff\xf9"]],
  ["audio/mp4", [4, "ftypM4A"]],
  ["audio/aiff", [0, "FORM"], [8, "AIF"]],
];

const EXTENSIONS: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".avif": "image/avif",
  ".heic": "image/heic",
  ".tif": "image/tiff",
  ".tiff": "image/tiff",
  ".bmp": "image/bmp",
  ".ico": "image/x-icon",
  ".wav": "audio/wav",
  ".ogg": "audio/ogg",
  ".oga": "audio/ogg",
  ".opus": "audio/ogg",
  ".flac": "audio/flac",
  ".mp3": "audio/mpeg",
  ".aac": "audio/aac",
  ".m4a": "audio/mp4",
  ".aif": "audio/aiff",
  ".aiff": "audio/aiff",
  ".weba": "audio/webm",
};
