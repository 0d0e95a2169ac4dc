import { expect, it } from "vitest";
import { PROTOCOLS, readAgentRequest } from "../protocols.ts";

it("names what a provider of another protocol does not know: verbosity [AC-carried]", () => {
  const body = { model: "act", messages: [{ role: "user", content: "Hello" }], verbosity: "low" };
  const { warnings } = PROTOCOLS.chat.toCall(readAgentRequest("chat", body, { get: () => undefined }));
  expect(warnings).toEqual(["verbosity was left out: the provider of this model does not know it."]);
});
