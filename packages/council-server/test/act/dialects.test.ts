import OpenAI from "openai";
import { expect, test } from "vitest";
import { cleanUpAfterTest } from "../../../../test/clean-up/clean-up.ts";
import { startFakeProvider } from "../../../fake-provider/src/server.ts";
import { readConfig } from "../../src/config/config.ts";
import { DIALECT_NAMES, type DialectName } from "../../src/providers/dialects/index.ts";
import { serve } from "../../src/server.ts";
import { endpointOf, fakeDialect } from "../dialects/provider.ts";
import { post } from "../harness.ts";
import { readJson } from "../read-json.ts";

const open: { close(): Promise<void> }[] = [];
cleanUpAfterTest(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

const parameters = { type: "object", properties: { path: { type: "string" } }, required: ["path"] };
const tools = ["delete_file", "read_file"].map((name) => ({
  type: "function" as const,
  function: { name, description: name, parameters },
}));
const messages = [{ role: "user" as const, content: "Delete a.txt and b.txt" }];
const calls = ["a.txt", "b.txt"].map((path) => ({ tool: "delete_file", input: { path } }));
const behaviour = { seed: 2, agent: { steps: [{ calls }], shuffle: true, reply: "Both are gone." } };

async function start(dialect: DialectName) {
  const provider = await startFakeProvider({ key: "secret-key", behaviour, dialect: fakeDialect(dialect) });
  const { env, nativeUrls } = endpointOf(dialect, provider.url);
  const config = readConfig({ PORT: "0", MCI_DETECT_LOCAL: "0", ...env });
  const server = await serve({ ...config, models: { ...config.models, nativeUrls } }, { log: () => {} });
  open.push(provider, server);
  return { provider, url: server.url };
}

const pathsOf = (called: { function?: { arguments: string } }[]) =>
  called.map(({ function: { arguments: input } = { arguments: "{}" } }) => JSON.parse(input).path).toSorted();

test.each(DIALECT_NAMES)(
  "[AC-dialects] tools are called through %s: side by side, streamed, refused",
  async (dialect) => {
    const { provider, url } = await start(dialect);
    const voted = await post(`${url}/v1/chat/completions`, { model: "act", messages, tools });
    expect(voted.headers.get("x-council-votes")).toBe("3/3");
    const [{ message, finish_reason }] = (await readJson(voted)).choices;
    expect({ paths: pathsOf(message.tool_calls), finish_reason }).toEqual({
      paths: ["a.txt", "b.txt"],
      finish_reason: "tool_calls",
    });
    expect(new Set(message.tool_calls.map(({ id }: { id: string }) => id)).size).toBe(2);

    // The results go back with the ids of their calls.
    const results = message.tool_calls.map(({ id }: { id: string }) => ({
      role: "tool",
      tool_call_id: id,
      content: "done",
    }));
    const next = { model: "act", messages: [...messages, message, ...results], tools };
    expect((await readJson(post(`${url}/v1/chat/completions`, next))).choices[0].message.content).toBe(
      "Both are gone.",
    );

    // One call per step, as the provider streams it.
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "unused", maxRetries: 0 });
    const stream = client.chat.completions.stream({
      ...{ model: "act", messages, tools },
      ...({ config: { act: { vote: "never" } } } as object),
    });
    const streamed = (await stream.finalChatCompletion()).choices[0]!.message.tool_calls;
    expect(pathsOf(streamed as never)).toEqual(["a.txt", "b.txt"]);

    provider.script({ rules: [{ reply: { kind: "refusal" }, times: 1 }], behaviour });
    const refused = await post(`${url}/v1/chat/completions`, { model: "act", messages, tools });
    const run = await readJson(fetch(`${url}/runs/${refused.headers.get("x-council-run")}`));
    expect(run.response.metadata.voting).toMatchObject({ red_flagged: 1, converged: true });
  },
);
