import { OMITTED } from "../../../template-api.ts";
import { withHeader } from "../headers.ts";
import type { AuthType } from "./auth-type.ts";

export const bearer: AuthType<{ type: "bearer"; token: string }> = (auth, compile, place) => {
  const tokenText = compile.text(auth.token, [...place, "token"]);
  return (scope) => {
    const token = tokenText.render(scope);
    if (token === OMITTED) return undefined;
    return {
      sign: (request) => ({
        ...request,
        headers: withHeader(request.headers, "Authorization", `Bearer ${token}`),
      }),
    };
  };
};
