import type { Body } from "../../../schema/body.ts";
import type { Compile, JsonPath } from "../../../template-api.ts";
import type { BodyType } from "./body-type.ts";
import { file } from "./file.ts";
import { form } from "./form.ts";
import { json } from "./json.ts";
import { multipart } from "./multipart.ts";
import { raw } from "./raw.ts";

/** A new body type is a file that exports a `BodyType`, and a line here. */
const BODY_TYPES: { readonly [Type in Body["type"]]: BodyType<Type> } = { json, form, raw, multipart, file };

export function compileBody(body: Body, compile: Compile, place: JsonPath): ReturnType<BodyType> {
  return (BODY_TYPES[body.type] as BodyType)(body, compile, place);
}
