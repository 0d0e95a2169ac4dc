import { expect, it } from "vitest";
import { notFoundMessage } from "./not-found.ts";

it.each([
  ["/chat/completions", /\/v1\/chat\/completions: set the client's base URL to end in \/v1/],
  ["/v1/v1/chat/completions", /it is \/v1\/chat\/completions/],
  ["/models", /it is \/v1\/models/],
  ["/responses", /there are \/v1\/chat\/completions/],
  ["/v1/embeddings", /there are \/v1\/chat\/completions/],
  ["/nowhere", /openapi\.json lists them/],
])("an unknown path %s gets a hint [C-hint]", (path, message) => {
  expect(notFoundMessage(path)).toMatch(message);
});
