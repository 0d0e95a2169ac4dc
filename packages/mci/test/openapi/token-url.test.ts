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
