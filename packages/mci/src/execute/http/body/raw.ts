import { OMITTED } from "../../../template-api.ts";
import type { BodyType } from "./body-type.ts";

/** A text, sent as it is. */
export const raw: BodyType<"raw"> = (body, compile, place) => {
  const text = compile.text(body.content, [...place, "content"]);
  return (scope) => {
    const value = text.render(scope);
    return value === OMITTED ? undefined : { bytes: Buffer.from(value), contentType: "text/plain" };
  };
};
