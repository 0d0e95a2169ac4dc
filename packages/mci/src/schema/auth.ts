import * as z from "zod/mini";
import { about, type DeepReadonly, label, lazily, list, optional, text } from "./fields.ts";

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
        .register(about, { description: "The only supported flow: OAuth 2 client credentials." }),
      tokenUrl: label("Address of the token endpoint."),
      clientId: text("Client id."),
      clientSecret: text("Client secret, typically {{env.CLIENT_SECRET}}."),
      scopes: optional(list(z.string(), "Scopes to request; may contain placeholders.")),
    })
    .register(about, {
      id: "oauth2Auth",
      description: "A token fetched from an OAuth 2 token endpoint, and cached until it expires.",
    });

export const auth = lazily(() =>
  z
    .discriminatedUnion("type", [apiKeyAuth(), bearerAuth(), basicAuth(), oauth2Auth()])
    .register(about, { id: "auth", description: "How the request authenticates itself." }),
);

export type Auth = DeepReadonly<z.output<typeof auth>>;
export type OAuth2Auth = Extract<Auth, { type: "oauth2" }>;
