import type { Diagnostic } from "../../load/diagnostics.ts";
import type { HttpExecution } from "../../schema/execution.ts";
import type { JsonPath } from "../../template-api.ts";
import type { PropertyLookup } from "../input-properties.ts";
import { stringsIn } from "../settings.ts";

const WHOLE = /^\{\{\s*((?:props|input|properties)\.([\w-]+))\s*\}\}$/;

/** Warns where a number, boolean, list or object of the caller's is sent as text in a JSON body. */
export function textInJsonBody(
  { body }: HttpExecution,
  place: JsonPath,
  property: PropertyLookup,
): Diagnostic[] {
  if (body?.type !== "json") return [];
  return [...stringsIn(body.content, [])].flatMap(({ source, place: inside }): Diagnostic[] => {
    const [, path = "", name = ""] = WHOLE.exec(source.trim()) ?? [];
    const type = property(name)?.type;
    if (type === undefined || type === "string" || type === "null") return [];
    const article = type === "array" || type === "object" ? "an" : "a";
    return [
      {
        place: [...place, "body", "content", ...inside],
        severity: "warning",
        message: `'${path}' is ${article} ${type}, and is sent as text: "{{ }}" prints`,
        hint: `to send ${article} ${type} write "{!!${path}!!}"`,
      },
    ];
  });
}
