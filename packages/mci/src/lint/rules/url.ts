import type { Diagnostic } from "../../load/diagnostics.ts";
import type { JsonPath } from "../../template-api.ts";

/** A URL that no call can use: it is not, or does not begin, an http or https URL. */
export function invalidUrl(source: string, place: JsonPath): Diagnostic[] {
  const [written = ""] = source.split(/\{\{|\{!!/, 1);
  const isUsable = written === source ? isHttp(source) : mayBeHttp(written.trimStart().toLowerCase());
  if (isUsable) return [];
  return [
    {
      place,
      severity: "error",
      message: "The URL is not an absolute http:// or https:// address",
      hint: "begin it with https:// and a host",
    },
  ];
}

function isHttp(url: string): boolean {
  return /^https?:$/.test(URL.parse(url)?.protocol ?? "");
}

/** A beginning, before the first placeholder. */
function mayBeHttp(beginning: string): boolean {
  return ["http://", "https://"].some(
    (scheme) => scheme.startsWith(beginning) || beginning.startsWith(scheme),
  );
}
