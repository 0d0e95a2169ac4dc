import { readdirSync, readFileSync } from "node:fs";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
};

/**
 * What the page may do: run its own script, talk to its own origin, show images and audio that tools returned as data. No
 * inline script, no frames, no form that leaves, nothing from elsewhere.
 */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "media-src data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

interface ConsoleFile {
  readonly plain: Uint8Array<ArrayBuffer>;
  /** Compressed when it is first asked for: the editor is half of all, and most visits do not open it. */
  gzip?: Uint8Array<ArrayBuffer>;
  readonly headers: Readonly<Record<string, string>>;
}

/** The built page, read on the first request: a service that is never looked at with a browser does not pay for it. */
export class ConsoleFiles {
  readonly #directories: readonly string[];
  #files: ReadonlyMap<string, ConsoleFile> | undefined;

  /** `directories`: where the built page may be; the first that has one counts. */
  constructor(directories: readonly URL[]) {
    this.#directories = directories.map((url) => fileURLToPath(url));
  }

  /** The file at this path (`index.html`, `assets/…`), or undefined where there is none. */
  respond(path: string, acceptEncoding = ""): Response | undefined {
    this.#files ??= readFiles(this.#directories);
    const file = this.#files.get(path);
    if (!file) return undefined;
    if (!/\bgzip\b/.test(acceptEncoding)) return new Response(file.plain, { headers: file.headers });
    file.gzip ??= new Uint8Array(gzipSync(file.plain));
    return new Response(file.gzip, { headers: { ...file.headers, "content-encoding": "gzip" } });
  }
}

function readFiles(directories: readonly string[]): ReadonlyMap<string, ConsoleFile> {
  for (const directory of directories) {
    try {
      const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
      const files = names.filter((name) => extname(name) in TYPES);
      if (files.includes("index.html"))
        return new Map(files.map((name) => [name.split(sep).join("/"), readConsoleFile(directory, name)]));
    } catch {
      // Not built there.
    }
  }
  return new Map();
}

function readConsoleFile(directory: string, name: string): ConsoleFile {
  return {
    plain: new Uint8Array(readFileSync(join(directory, name))),
    headers: {
      "content-type": TYPES[extname(name)]!,
      // Names of assets change with their content; the page itself is asked for again.
      "cache-control": name === "index.html" ? "no-store" : "public, max-age=31536000, immutable",
      "content-security-policy": CONTENT_SECURITY_POLICY,
      "cross-origin-opener-policy": "same-origin",
      "cross-origin-resource-policy": "same-origin",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-frame-options": "DENY",
      vary: "accept, accept-encoding",
    },
  };
}
