import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogle } from "@ai-sdk/google";
import type { ModelRequest } from "@mci-ts/council";
import { afterEach, describe, expect, it } from "vitest";
import { Capabilities } from "./capabilities.ts";
import { dialect } from "./dialects/index.ts";
import { boundedFetch } from "./fetch.ts";
import type { LanguageModel } from "./language-model.ts";
import { Limiter } from "./limiter.ts";
import { providerModel } from "./provider-model.ts";

let server: Server | undefined;
afterEach(() => {
  server?.close();
  server?.closeAllConnections();
});

const ANSWER = '{"answer":"Paris","rationale":"It is."}';
const fetch = boundedFetch();

/** The makers' own APIs, as far as one answer goes. */
const MAKERS: Record<string, { model: (url: string) => LanguageModel; answer: object }> = {
  Anthropic: {
    model: (url) => createAnthropic({ apiKey: "k", baseURL: url, fetch })("claude-haiku-4-5"),
    answer: {
      type: "message",
      id: "1",
      model: "claude-haiku-4-5-20251001",
      role: "assistant",
      content: [{ type: "text", text: ANSWER }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage: { input_tokens: 11, output_tokens: 7 },
    },
  },
  Google: {
    model: (url) => createGoogle({ apiKey: "k", baseURL: url, fetch })("gemini-2.5-flash"),
    answer: {
      modelVersion: "gemini-2.5-flash",
      candidates: [{ content: { role: "model", parts: [{ text: ANSWER }] }, finishReason: "STOP", index: 0 }],
      usageMetadata: {
        promptTokenCount: 11,
        candidatesTokenCount: 4,
        thoughtsTokenCount: 3,
        totalTokenCount: 18,
      },
    },
  },
};

const request: ModelRequest = {
  model: "any",
  purpose: "vote",
  messages: [
    { role: "system", content: "You vote." },
    { role: "user", content: "Which?" },
  ],
  temperature: 0.1,
  maxOutputTokens: 100,
  schema: {
    name: "vote",
    jsonSchema: {
      type: "object",
      properties: { answer: { type: "string" }, rationale: { type: "string" } },
      required: ["answer", "rationale"],
      additionalProperties: false,
    },
  },
};

describe("a native API", () => {
  it.each(Object.keys(MAKERS))(
    "of %s is asked by schema and its answer and usage are understood [M-makers]",
    async (name) => {
      const { model, answer } = MAKERS[name]!;
      let body = "";
      server = createServer((incoming, out) => {
        incoming.setEncoding("utf8").on("data", (chunk) => (body += chunk));
        incoming.on("end", () =>
          out.setHeader("content-type", "application/json").end(JSON.stringify(answer)),
        );
      });
      await new Promise<void>((resolve) => server!.listen(0, "127.0.0.1", resolve));
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
      const { complete } = providerModel({
        resolve: () => ({
          model: model(url),
          generate: (options) => model(url).doGenerate(options),
          dialect: dialect(name === "Google" ? "google" : "anthropic"),
          key: name,
          wires: {},
          limiter: new Limiter(),
          recognise: () => undefined,
        }),
        capabilities: new Capabilities(),
        callTimeoutMs: 5000,
        secrets: [],
        redact: (text) => text,
      });
      expect(await complete(request, new AbortController().signal)).toMatchObject({
        text: ANSWER,
        finishReason: "stop",
        usage: { inputTokens: 11, outputTokens: 7 },
      });
      expect(body).toContain('"text":"You vote."');
      expect(body).toContain('"text":"Which?"');
      expect(body).toContain('"rationale"');
    },
  );
});
