import * as z from "zod/mini";
import {
  about,
  type DeepReadonly,
  label,
  lazily,
  list,
  map,
  optional,
  optionalLabel,
  optionalText,
  scalarText,
  text,
} from "./fields.ts";

const apiKeyAuth = () =>
  z
    .object({
      type: z.literal("apiKey"),
      in: z.enum(["header", "query", "cookie"]).register(about, { description: "Where the key is sent." }),
      name: label("Name of the header, query parameter or cookie."),
      value: text("The key, typically {{env.API_KEY}}."),
    })
    .register(about, { id: "apiKeyAuth", description: "A key in a header, in the query or in a cookie." });

const bearerAuth = () =>
  z
    .object({
      type: z.literal("bearer"),
      token: text("The token, typically {{env.BEARER_TOKEN}}."),
    })
    .register(about, { id: "bearerAuth", description: "Authorization: Bearer <token>." });

const basicAuth = () =>
  z
    .object({
      type: z.literal("basic"),
      username: text("User name, typically {{env.USERNAME}}."),
      password: text("Password, typically {{env.PASSWORD}}."),
    })
    .register(about, {
      id: "basicAuth",
      description: "Authorization: Basic, from a user name and a password.",
    });

const oauth2Auth = () =>
  z
    .object({
      type: z.literal("oauth2"),
      flow: z
        .literal("clientCredentials")
        .register(about, { description: "The program itself is the client: OAuth 2 client credentials." }),
      tokenUrl: label("Address of the token endpoint."),
      clientId: text("Client id."),
      clientSecret: text("Client secret, typically {{env.CLIENT_SECRET}}."),
      scopes: optional(list(z.string(), "Scopes to request; may contain placeholders.")),
    })
    .register(about, {
      id: "oauth2Auth",
      description: "A token fetched from an OAuth 2 token endpoint, and cached until it expires.",
    });

const loginAuth = () =>
  z
    .object({
      type: z.literal("oauth2"),
      flow: z.enum(["authorizationCode", "deviceCode"]).register(about, {
        description:
          "A person logs in with 'mci login': in the browser (authorization code with PKCE), or with a code on another device.",
      }),
      name: optionalLabel("What 'mci login' calls it. Default: the host of the issuer or token endpoint."),
      issuer: optionalLabel(
        "The authorization server; its metadata has the addresses that are not set here.",
      ),
      authorizationUrl: optionalLabel("Address of the login page, without an issuer."),
      tokenUrl: optionalLabel("Address of the token endpoint, without an issuer."),
      deviceAuthorizationUrl: optionalLabel("Address that gives device codes, without an issuer."),
      clientId: text("Client id."),
      clientSecret: optionalText("Client secret, typically {{env.CLIENT_SECRET}}. Default: a public client."),
      scopes: optional(list(z.string(), "Scopes to request; may contain placeholders.")),
      redirectUri: optionalLabel("Where the browser returns to. Default: a free port of this machine."),
      resource: optionalLabel(
        "The API that the token is for; sent as resource indicator, and its origin alone gets the token. Default: the origin of the url.",
      ),
      parameters: optional(
        map(scalarText("The parameter's value."), "Further parameters of the login, such as audience."),
      ),
    })
    .register(about, {
      id: "loginAuth",
      description: "The token of a person, stored outside the project and renewed when it expires.",
    });

const tokenExchangeAuth = () =>
  z
    .object({
      type: z.literal("tokenExchange"),
      tokenUrl: label("Address of the token endpoint."),
      clientId: text("Client id."),
      clientSecret: optionalText("Client secret, typically {{env.CLIENT_SECRET}}."),
      audience: optionalLabel("The API that the new token is for."),
      resource: optionalLabel("Its address, as resource indicator."),
      scopes: optional(list(z.string(), "Scopes to request; may contain placeholders.")),
    })
    .register(about, {
      id: "tokenExchangeAuth",
      description:
        "The token of the caller, behind 'mci run --oauth-issuer', exchanged for one of the API (RFC 8693).",
    });

export const auth = lazily(() =>
  z
    .discriminatedUnion("type", [
      apiKeyAuth(),
      bearerAuth(),
      basicAuth(),
      z.discriminatedUnion("flow", [oauth2Auth(), loginAuth()]),
      tokenExchangeAuth(),
    ])
    .register(about, { id: "auth", description: "How the request authenticates itself." }),
);

export type Auth = DeepReadonly<z.output<typeof auth>>;
export type OAuth2Auth = Extract<Auth, { type: "oauth2" }>;
export type LoginAuth = Extract<Auth, { flow: "authorizationCode" | "deviceCode" }>;
