import { OMITTED } from "../../../template-api.ts";
import type { BodyType } from "./body-type.ts";
import { compileContent } from "./content.ts";

/** A string that is not one `{!! !!}` is sent as a JSON string. */
export const json: BodyType = (content, compile, place) => {
  const render = compileContent(content, compile, place);
  return (scope) => {
    const value = render(scope);
    if (value === OMITTED) return undefined;
    const text = JSON.stringify(value);
    return text === undefined ? undefined : { bytes: Buffer.from(text), contentType: "application/json" };
  };
};
