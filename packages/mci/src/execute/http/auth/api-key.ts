import { OMITTED } from "../../../template-api.ts";
import { cookieName, cookiePair, withCookies } from "../cookies.ts";
import { withHeader } from "../headers.ts";
import { replaceParameter } from "../url/query.ts";
import type { AuthType } from "./auth-type.ts";
import { required } from "./required.ts";

/** A key in a header, in the query or in a cookie; it replaces what stands there under the same name. */
export const apiKey: AuthType<{
  type: "apiKey";
  in: "header" | "query" | "cookie";
  name: string;
  value: string;
}> = (auth, compile, place) => {
  const nameText = compile.text(auth.name, [...place, "name"]);
  const valueText = compile.text(auth.value, [...place, "value"]);
  return (scope) => {
    const value = valueText.render(scope);
    if (value === OMITTED) return undefined;
    const name = required(nameText, scope, "auth.name");
    if (auth.in === "header") {
      return {
        sign: (request) => ({ ...request, headers: withHeader(request.headers, name, value) }),
      };
    }
    if (auth.in === "cookie") {
      const cookie = cookiePair(cookieName(name), value);
      return { sign: (request) => ({ ...request, headers: withCookies(request.headers, [cookie]) }) };
    }
    return {
      sign: (request) => ({
        ...request,
        path: replaceParameter(request.path, name, value),
        secrets: [...request.secrets, value],
      }),
    };
  };
};
