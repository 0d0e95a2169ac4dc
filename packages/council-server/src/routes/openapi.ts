import { defineRoute, type Route } from "../http/route.ts";

/** The OpenAPI document. */
export function openapi(describe: () => unknown): Route {
  let description: string | undefined;
  return defineRoute({
    method: "get",
    path: "/openapi.json",
    summary: "This document",
    public: true,
    responses: { 200: { description: "OpenAPI 3.1.", content: { "application/json": undefined } } },
    handle() {
      description ??= JSON.stringify(describe());
      return new Response(description, { headers: { "content-type": "application/json" } });
    },
  });
}
