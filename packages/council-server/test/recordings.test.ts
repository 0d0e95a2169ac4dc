import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Model, ModelError, type ModelRequest } from "@mci-ts/council";
import { expect, it } from "vitest";
import { serve } from "../../../test/servers.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { startRecorder } from "../../fake-provider/src/recorder.ts";
import { type Recording, readRecording } from "../../fake-provider/src/recording.ts";
import { startFakeProvider } from "../../fake-provider/src/server.ts";
import { readConfig } from "../src/config/config.ts";
import { dialectOf } from "../src/providers/dialects/index.ts";
import { openModels } from "../src/providers/models.ts";

const folder = new URL("recordings/", import.meta.url);
const files = (await readdir(folder)).filter((file) => file.endsWith(".json"));

const request: Omit<ModelRequest, "model"> = {
  purpose: "vote",
  messages: [
    { role: "system", content: "You are one of several voters." },
    { role: "user", content: "Which is better?" },
  ],
  temperature: 0.1,
  maxOutputTokens: 100,
  reasoningEffort: "low",
  schema: {
    name: "vote",
    jsonSchema: {
      type: "object",
      properties: { rationale: { type: "string" }, answer: { type: "string" } },
      required: ["rationale", "answer"],
      additionalProperties: false,
    },
  },
};

it.each(files)("what a provider sent is understood: %s [M-recording]", async (file) => {
  const recording = await readRecording(new URL(file, folder).pathname);
  const { left, url } = await replay(recording);
  const model = await modelAt(url, recording);
  const outcomes: object[] = [];
  while (left() > 0) {
    const before = left();
    outcomes.push(await outcomeOf(model, recording.model));
    if (left() === before) throw new Error("a call was made that sent nothing");
  }
  const expected = recording.outcomes ?? outcomes.map(() => ({ finishReason: "stop" }));
  expect(outcomes).toHaveLength(expected.length);
  for (const [n, outcome] of expected.entries()) {
    expect(outcomes[n]).toMatchObject(
      "error" in outcome ? { ...outcome, error: expect.stringContaining(outcome.error) } : outcome,
    );
  }
  expect(JSON.stringify(outcomes)).not.toContain("Let me think");
});

it("a recording is made through a local proxy, and holds no key [M-recording]", async () => {
  const provider = await startFakeProvider({ key: "sk-very-secret", dialect: "groq" });
  const folder = temporaryFolder();
  const file = join(folder, "mine.json");
  const recorder = await startRecorder({ upstream: provider.url, file });
  const { models } = readConfig({
    MAKER_API_URL: recorder.url,
    MAKER_API_KEY: "sk-very-secret",
    MAKER_API_MODEL: "llama-3.3-70b",
  });
  const model = (await openModels(models)).forRun({});
  const prompt = [{ role: "user" as const, content: "My key is sk-very-secret" }];
  const signal = AbortSignal.timeout(5000);
  const reply = await model.complete({ ...request, model: "llama-3.3-70b", messages: prompt }, signal);
  await recorder.close();
  await provider.close();
  expect(reply.finishReason).toBe("stop");
  expect(await readFile(file, "utf8")).not.toContain("sk-very-secret");
  const recording = await readRecording(file);
  expect(recording.model).toBe("llama-3.3-70b");
  expect(recording.exchanges.map(({ response }) => response.status)).toEqual([400, 200]);
});

/** Answers the n-th request with the n-th response. */
async function replay({ exchanges }: Recording): Promise<{ url: string; left: () => number }> {
  const responses = exchanges.map(({ response }) => response);
  const { url } = await serve((incoming, outgoing) => {
    incoming.resume().on("end", () => {
      const { status, headers, body } = responses.shift() ?? {
        status: 500,
        headers: {},
        body: "nothing is left",
      };
      outgoing.writeHead(status, { "content-type": "application/json", ...headers });
      outgoing.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  return { url: `${url}/v1`, left: () => responses.length };
}

async function modelAt(url: string, { model, ...recording }: Recording): Promise<Model> {
  const dialect = recording.dialect ?? dialectOf(new URL(recording.upstream ?? url));
  const native = dialect === "anthropic" || dialect === "google";
  const { models } = readConfig({
    MAKER_API_MODEL: model,
    ...(dialect === "anthropic" ? { ANTHROPIC_API_KEY: "k" } : {}),
    ...(dialect === "google" ? { GOOGLE_GENERATIVE_AI_API_KEY: "k" } : {}),
    ...(native ? {} : { MAKER_API_URL: url, MCI_DIALECT: dialect }),
  });
  return (await openModels(native ? { ...models, nativeUrls: { [dialect]: url } } : models)).forRun({});
}

async function outcomeOf(model: Model, id: string): Promise<object> {
  try {
    const { text, finishReason, usage } = await model.complete(
      { ...request, model: id },
      AbortSignal.timeout(5000),
    );
    return { text, finishReason, outputTokens: usage.outputTokens };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    const { message, retryable, retryAfterMs } = error;
    return { error: message, retryable, retryAfterMs };
  }
}
