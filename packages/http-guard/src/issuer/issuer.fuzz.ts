import * as fc from "fast-check";
import { GuardError } from "../error.ts";
import { scopesOf } from "./caller.ts";
import { readMetadata } from "./issuer-metadata.ts";
import { createResourceServer } from "./resource-server.ts";

const ISSUER = "https://auth.example.com";

const value = fc.oneof(
  fc.constantFrom<unknown>(
    ...[
      "https://auth.example.com/keys",
      "http://auth.example.com/keys",
      "https://a:b@auth.example.com/",
      "file:///etc/passwd",
      "//x",
      null,
    ],
  ),
  fc.webUrl({ validSchemes: ["http", "https", "ftp"] }),
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<unknown>,
);
const document = fc.oneof(
  fc.record(
    {
      issuer: fc.oneof({ weight: 3, arbitrary: fc.constant<unknown>(ISSUER) }, value),
      jwks_uri: value,
      introspection_endpoint: value,
      authorization_endpoint: value,
      token_endpoint: value,
    },
    { requiredKeys: [] },
  ),
  fc.jsonValue() as fc.Arbitrary<unknown>,
);

/** An issuer that cannot be reached: what passes the first look is refused for that reason. */
const server = createResourceServer({
  issuer: "http://127.0.0.1:1",
  audience: "https://tools.example.com/mcp",
  realm: "mci",
  scopes: ["read"],
});
const HEADER = /^Bearer realm="mci"(, [a-z_]+="[\x20-\x21\x23-\x5B\x5D-\x7E]*")*$/;

export default [
  {
    name: "issuers: any metadata is refused, or that of the issuer with https addresses",
    property: fc.property(document, (json) => {
      try {
        const { issuer, ...addresses } = readMetadata(json, ISSUER);
        return (
          issuer === ISSUER && Object.values(addresses).every((address) => address.startsWith("https://"))
        );
      } catch (error) {
        return error instanceof Error;
      }
    }),
  },
  {
    name: "issuers: scopes of any claims are a list of texts",
    property: fc.property(fc.dictionary(fc.constantFrom("scope", "scp", "scopes", "x"), value), (claims) =>
      scopesOf(claims).every((scope) => typeof scope === "string" && scope !== ""),
    ),
  },
  {
    name: "issuers: any Authorization header without a usable token is refused with a challenge that is one header",
    property: fc.asyncProperty(
      fc.oneof(
        fc.string(),
        fc.string().map((text) => `Basic ${text}`),
        fc.constantFrom("Bearer", "Bearer ", "Bearer a b", "bearer é"),
      ),
      fc.string({ maxLength: 20 }),
      async (authorization, scope) => {
        fc.pre(!/^Bearer +[!-~]+$/i.test(authorization));
        const place = { host: "tools.example.com", path: "/mcp" };
        const error = await server.authenticate(authorization, place).catch((reason: unknown) => reason);
        const step = server.insufficientScope([scope], place);
        return (
          error instanceof GuardError &&
          error.code === "unauthorized" &&
          [error, step].every(({ headers }) => HEADER.test(headers["www-authenticate"]!))
        );
      },
    ),
  },
];
