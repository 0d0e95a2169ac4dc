import { isObject } from "@mci-ts/primitives/is-object";
import { SkippedOperation } from "../errors.ts";
import { field, type JsonObject, objectField } from "../json.ts";
import { shapesOf } from "../schema/shapes.ts";
import type { ParameterContext } from "./parameters.ts";

export type BodyKind = "json" | "form" | "multipart" | "text" | "file";

export interface Media {
  readonly kind: BodyKind;
  /** The media type as the document writes it. */
  readonly type: string;
  readonly schema: unknown;
  readonly encoding: JsonObject;
}

/** The media type to send, of those a body may have: the one that says most to a model. undefined: no body at all. */
export function chooseMedia(content: JsonObject, context: ParameterContext): Media | undefined {
  const candidates = Object.entries(content)
    .filter(([, value]) => isObject(value))
    .map(([type, value]) => readMedia(type, value as JsonObject, context));
  if (candidates.length === 0) return undefined;
  const [best] = candidates
    .filter((media): media is Media => media !== undefined)
    .toSorted((a, b) => rank(a) - rank(b));
  if (best === undefined)
    throw new SkippedOperation(`its body is ${Object.keys(content).join(", ")}, which MCI cannot send`);
  for (const type of Object.keys(content))
    if (type.trim() !== best.type) context.leftOut.add("media", type.trim());
  return best;
}

function readMedia(type: string, value: JsonObject, context: ParameterContext): Media | undefined {
  const essence = type.split(";")[0]!.trim().toLowerCase();
  const schema = field(value, "schema");
  const kind = kindOf(essence, schema, context);
  return kind && { kind, type: type.trim(), schema, encoding: objectField(value, "encoding") };
}

function kindOf(essence: string, schema: unknown, context: ParameterContext): BodyKind | undefined {
  if (/^application\/x-www-form-urlencoded$/.test(essence)) return "form";
  if (essence === "multipart/form-data") return "multipart";
  if (essence.startsWith("multipart/")) return undefined;
  const isSequence = /json-?(seq|lines)|jsonl|ndjson/.test(essence);
  if (/[/+]json$/.test(essence) && !isSequence) return "json";
  const converted = context.converter.convert(schema ?? {});
  const { isBinary } = shapesOf(converted, context.converter.definitions);
  if (isBinary) return "file";
  if (essence === "*/*" || essence === "application/*") return schema === undefined ? "file" : "json";
  const isText =
    isSequence || /^text\/|[/+](xml|yaml|x-yaml|graphql|javascript|csv|sql|toml|html)$/.test(essence);
  if (isText || converted.type === "string") return "text";
  return "file";
}

/** Smaller is better. A JSON Patch comes after other JSON: models write a changed object more reliably. */
function rank({ kind, type }: Media): number {
  const essence = type.split(";")[0]!.trim().toLowerCase();
  if (essence === "application/json") return 0;
  if (kind === "json") return essence.includes("json-patch") ? 3 : essence.includes("merge-patch") ? 1 : 2;
  return { form: 4, multipart: 5, text: essence.includes("xml") ? 7 : 6, file: 8 }[kind];
}
