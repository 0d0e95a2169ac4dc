import { ToolError } from "../../../errors.ts";
import type { Auth } from "../../../schema/auth.ts";
import {
  type Compile,
  type JsonPath,
  OMITTED,
  type Scope,
  type TemplateString,
} from "../../../template-api.ts";
import { compileUrl, type Target } from "../url.ts";

/** How one request proves who it is. */
export interface Credentials {
  readonly header?: readonly [name: string, value: string];
  readonly query?: readonly [name: string, value: string];
  readonly oauth?: TokenRequest;
}

/** What it takes to get a token, and all that tells one token from another. */
export interface TokenRequest {
  readonly target: Target;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Separated by spaces; empty if none are asked for. */
  readonly scope: string;
}

/** No credentials when the property they consist of was not given. */
export function compileAuth(auth: Auth, compile: Compile, place: JsonPath): (scope: Scope) => Credentials {
  const field = (source: string, name: string) => compile.text(source, [...place, name]);
  switch (auth.type) {
    case "apiKey": {
      const name = field(auth.name, "name");
      const value = field(auth.value, "value");
      return (scope) => {
        const key = value.render(scope);
        return key === OMITTED ? {} : { [auth.in]: [required(name, scope, "auth.name"), key] };
      };
    }
    case "bearer": {
      const token = field(auth.token, "token");
      return (scope) => {
        const value = token.render(scope);
        return value === OMITTED ? {} : { header: ["Authorization", `Bearer ${value}`] };
      };
    }
    case "basic": {
      const username = field(auth.username, "username");
      const password = field(auth.password, "password");
      return (scope) => {
        const user = username.render(scope);
        const pass = password.render(scope);
        return user === OMITTED || pass === OMITTED
          ? {}
          : { header: ["Authorization", basic(`${user}:${pass}`)] };
      };
    }
    case "oauth2": {
      const target = compileUrl(field(auth.tokenUrl, "tokenUrl"));
      const clientId = field(auth.clientId, "clientId");
      const clientSecret = field(auth.clientSecret, "clientSecret");
      const scopes = (auth.scopes ?? []).map((source, index) =>
        compile.text(source, [...place, "scopes", index]),
      );
      return (scope) => ({
        oauth: {
          target: target(scope),
          clientId: required(clientId, scope, "auth.clientId"),
          clientSecret: required(clientSecret, scope, "auth.clientSecret"),
          scope: scopes
            .map((text) => text.render(scope))
            .filter((text) => text !== OMITTED && text !== "")
            .join(" "),
        },
      });
    }
  }
}

/** Names and passwords are UTF-8. */
export function basic(userAndPassword: string): string {
  return `Basic ${Buffer.from(userAndPassword, "utf8").toString("base64")}`;
}

function required(text: TemplateString, scope: Scope, setting: string): string {
  const value = text.render(scope);
  if (value === OMITTED)
    throw new ToolError("invalid_config", `${setting} is empty: the property it consists of was not given.`);
  return value;
}
