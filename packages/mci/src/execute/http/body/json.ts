import { stringifyExact } from "@mci-ts/primitives/exact-json";
import { OMITTED } from "../../../template-api.ts";
import type { BodyType } from "./body-type.ts";
import { compileContent, isEmpty } from "./content.ts";

/** A string that is not one `{!! !!}` is sent as a JSON string. */
export const json: BodyType<"json"> = (body, compile, place) => {
  const render = compileContent(body.content, compile, [...place, "content"]);
  return (scope) => {
    const value = render(scope);
    if (value === OMITTED || (body.omitEmpty && isEmpty(value))) return undefined;
    const text = stringifyExact(value);
    return text === undefined ? undefined : { bytes: Buffer.from(text), contentType: "application/json" };
  };
};
