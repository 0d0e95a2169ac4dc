import { OMITTED } from "../../../template-api.ts";
import { withHeader } from "../headers.ts";
import type { AuthType } from "./auth-type.ts";

export const basic: AuthType<{ type: "basic"; username: string; password: string }> = (
  auth,
  compile,
  place,
) => {
  const usernameText = compile.text(auth.username, [...place, "username"]);
  const passwordText = compile.text(auth.password, [...place, "password"]);
  return (scope) => {
    const username = usernameText.render(scope);
    const password = passwordText.render(scope);
    if (username === OMITTED || password === OMITTED) return undefined;
    const value = basicAuthorization(`${username}:${password}`);
    return {
      sign: (request) => ({ ...request, headers: withHeader(request.headers, "Authorization", value) }),
    };
  };
};

/** Names and passwords are UTF-8. */
export function basicAuthorization(userinfo: string): string {
  return `Basic ${Buffer.from(userinfo, "utf8").toString("base64")}`;
}
