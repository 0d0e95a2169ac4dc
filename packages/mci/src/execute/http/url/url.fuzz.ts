import * as fc from "fast-check";
import { ToolError } from "../../../errors.ts";
import { TemplateCompiler } from "../../../template/compile.ts";
import { DEFAULT_LIMITS } from "../../executor.ts";
import { compileUrl } from "./url.ts";

const compile = new TemplateCompiler({ limits: DEFAULT_LIMITS, report: () => {} });

const piece = fc.constantFrom(
  ..."/ \\ . .. ; ? # % %2e %2f %25 %5c %00 %c0%ae : @ // & = [ ] ․ ‥ ． ／ ﹒ ﹨ ︰ \t \n \r \0".split(" "),
  "evil.example",
  "127.0.0.1",
  " ",
);
const value = fc
  .array(fc.oneof(piece, fc.string({ maxLength: 4, unit: "grapheme" })), { maxLength: 12 })
  .map((parts) => parts.join(""));

function targetOf(url: string, x: string): URL | undefined {
  try {
    const { origin, path } = compileUrl(compile.text(url, []))({
      props: { x },
      env: {},
      absent: new Set(),
      onEnv: () => {},
    });
    return new URL(origin + path);
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** What a server sees that decodes a path again and again and then normalizes it. */
function decodedSegments(pathname: string): string[] {
  let text = pathname;
  for (let round = 0; round < 50; round++) {
    let decoded = text;
    try {
      decoded = decodeURIComponent(text);
    } catch {
      decoded = text.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      );
    }
    if (decoded === text) break;
    text = decoded;
  }
  return text.normalize("NFKC").split(/[/\\]/);
}

export default [
  {
    name: "URLs: a value in the path stays one segment of the author's URL",
    property: fc.property(value, (x) => {
      const url = targetOf("https://api.example.com/v1/{{props.x}}/end?q=1", x);
      if (url === undefined) return true;
      const segments = url.pathname.split("/");
      const isPlace = url.origin === "https://api.example.com" && url.search === "?q=1" && url.hash === "";
      return isPlace && segments.length === 4 && segments[1] === "v1" && segments[3] === "end";
    }),
  },
  {
    name: "URLs: no value climbs, however often it is decoded",
    property: fc.property(value, (x) => {
      const url = targetOf("https://api.example.com/v1/{{props.x}}", x);
      return (
        url === undefined ||
        !decodedSegments(url.pathname).some((segment) => segment === "." || segment === "..")
      );
    }),
  },
  {
    name: "URLs: a value in the query stays one value",
    property: fc.property(value, (x) => {
      const url = targetOf("https://api.example.com/v1?a={{props.x}}&b=2", x);
      if (url === undefined) return true;
      const pairs = [...url.searchParams];
      return (
        url.pathname === "/v1" &&
        pairs.length === 2 &&
        pairs[0]![1] === x.toWellFormed() &&
        pairs[1]![1] === "2"
      );
    }),
  },
  {
    name: "URLs: a value in the host never leaves the author's domain",
    property: fc.property(value, (x) => {
      const url = targetOf("https://{{props.x}}.example.com/v1", x);
      return (
        url === undefined ||
        (url.hostname.endsWith(".example.com") && url.pathname === "/v1" && url.username === "")
      );
    }),
  },
];
