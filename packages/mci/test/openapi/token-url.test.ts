import { expect, test } from "vitest";
import { importOpenApi } from "../../src/openapi/index.ts";

test("the variables of OAuth credentials show to which host of the document they are sent, also with a base URL", () => {
  const flow = { tokenUrl: "https://login.elsewhere.example/token", scopes: {} };
  const document = {
    openapi: "3.1.0",
    info: { title: "A", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: { "/x": { get: { operationId: "x", security: [{ o: [] }], responses: {} } } },
    components: { securitySchemes: { o: { type: "oauth2", flows: { clientCredentials: flow } } } },
  };
  const { variables } = importOpenApi(document, { baseUrl: "https://mine.example.com" });
  expect(variables.filter(({ secret }) => secret).map(({ description }) => description)).toEqual([
    "OAuth client id, sent to https://login.elsewhere.example (security scheme 'o')",
    "OAuth client secret, sent to https://login.elsewhere.example (security scheme 'o')",
  ]);
});

const authOf = (scheme: object) => {
  const { toolset } = importOpenApi({
    openapi: "3.2.0",
    info: { title: "A", version: "1" },
    servers: [{ url: "https://api.example.com" }],
    paths: { "/x": { get: { operationId: "x", security: [{ o: ["read"] }], responses: {} } } },
    components: { securitySchemes: { o: scheme } },
  });
  return (toolset.tools[0]!.execution as { auth?: object }).auth;
};
const [authorizationUrl, tokenUrl] = ["https://a.example.com/login", "https://a.example.com/token"];
const person = { type: "oauth2", clientId: "{{env.A_CLIENT_ID}}", scopes: ["read"] };

test.each<[string, object, object]>([
  [
    "an authorization code",
    { type: "oauth2", flows: { authorizationCode: { authorizationUrl, tokenUrl, scopes: {} } } },
    { ...person, flow: "authorizationCode", authorizationUrl, tokenUrl },
  ],
  [
    "a device code",
    {
      type: "oauth2",
      flows: { deviceAuthorization: { deviceAuthorizationUrl: authorizationUrl, tokenUrl, scopes: {} } },
    },
    { ...person, flow: "deviceCode", deviceAuthorizationUrl: authorizationUrl, tokenUrl },
  ],
  [
    "OpenID Connect",
    { type: "openIdConnect", openIdConnectUrl: "https://a.example.com/t/.well-known/openid-configuration" },
    { ...person, flow: "authorizationCode", issuer: "https://a.example.com/t" },
  ],
  [
    "no complete address",
    { type: "oauth2", flows: { authorizationCode: { authorizationUrl: "/login", tokenUrl, scopes: {} } } },
    { type: "bearer", token: "{{env.A_TOKEN}}" },
  ],
  [
    "placeholders in an address",
    {
      type: "oauth2",
      flows: { authorizationCode: { authorizationUrl, tokenUrl: "https://{{env.HOME}}/t", scopes: {} } },
    },
    { type: "bearer", token: "{{env.A_TOKEN}}" },
  ],
])("[LOGIN-import] a scheme with %s becomes the flow that fits it", (_, scheme, auth) => {
  expect(JSON.parse(JSON.stringify(authOf(scheme)))).toEqual(auth);
});
