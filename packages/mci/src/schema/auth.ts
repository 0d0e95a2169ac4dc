import * as z from "zod/mini";
import { label, list, optional, text } from "./fields.ts";

export const apiKeyAuth = z.object({
  type: z.literal("apiKey"),
  in: z.enum(["header", "query"]).check(z.describe("Where the key is sent.")),
  name: label("Name of the header or query parameter."),
  value: text("The key, typically {{env.API_KEY}}."),
});

export const bearerAuth = z.object({
  type: z.literal("bearer"),
  token: text("The token, typically {{env.BEARER_TOKEN}}."),
});

export const basicAuth = z.object({
  type: z.literal("basic"),
  username: text("User name, typically {{env.USERNAME}}."),
  password: text("Password, typically {{env.PASSWORD}}."),
});

export const oauth2Auth = z.object({
  type: z.literal("oauth2"),
  flow: z.literal("clientCredentials").check(z.describe("The only flow there is: OAuth 2 client credentials.")),
  tokenUrl: text("Address of the token endpoint."),
  clientId: text("Client id."),
  clientSecret: text("Client secret, typically {{env.CLIENT_SECRET}}."),
  scopes: optional(list(z.string(), "Scopes to ask for; may hold placeholders.")),
});

export const auth = z
  .discriminatedUnion("type", [apiKeyAuth, bearerAuth, basicAuth, oauth2Auth])
  .check(z.describe("How the request proves who it is."));

export type Auth = z.output<typeof auth>;
export type OAuth2Auth = z.output<typeof oauth2Auth>;
