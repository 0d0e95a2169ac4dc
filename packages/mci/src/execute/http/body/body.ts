import type { Body } from "../../../schema/body.ts";
import type { Compile, JsonPath } from "../../../template-api.ts";
import type { BodyType } from "./body-type.ts";
import { BODY_TYPES } from "./body-types.ts";

/** A new body type is a file that exports a `BodyType`, and its fields in `schema/body.ts`. */
const TYPES: { readonly [Type in Body["type"]]: BodyType<Type> } = BODY_TYPES;

export function compileBody(body: Body, compile: Compile, place: JsonPath): ReturnType<BodyType> {
  return (TYPES[body.type] as BodyType)(body, compile, place);
}
