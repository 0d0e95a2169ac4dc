import { readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Conversation, ToolCall, ToolResult } from "../../../../examples/agents/local-model/dialect.ts";
import { type LocalModel, startLocalModel } from "../../../../examples/agents/local-model/start.ts";
import { isAlive } from "../../../../test/processes.ts";
import { until } from "../../../../test/until.ts";
import { FRAMEWORKS } from "./frameworks.ts";
import { openTestClient, type TestClient } from "./test-client.ts";

/*
 * Every framework with its real package, against a server that speaks the provider's wire format and refuses what the
 * provider refuses. The model follows a script: it asks for the calls of one turn after the other, then says "done".
 */

const NO_IMAGES = ["Chat Completions"];

interface Scripted extends LocalModel {
  readonly conversations: Conversation[];
  results(): readonly ToolResult[];
}

async function script(...turns: ToolCall[][]): Promise<Scripted> {
  const conversations: Conversation[] = [];
  const model = await startLocalModel((conversation) => {
    conversations.push(conversation);
    let left = conversation.results.length;
    const next = turns.find((calls) => {
      left -= calls.length;
      return left < 0;
    });
    return next === undefined ? { text: "done" } : { calls: next };
  });
  onTestFinished(() => model.close());
  return { ...model, conversations, results: () => conversations.at(-1)!.results };
}

let opened: TestClient;
beforeAll(async () => {
  opened = await openTestClient();
});
beforeEach(() => writeFileSync(opened.log, ""));
afterAll(() => opened.close());

describe.each(Object.entries(FRAMEWORKS))("%s", { timeout: 60_000 }, (name, run) => {
  // The SDK itself refuses to go on when the model asks for a function that it was not given.
  const endsAtUnknownTools = name === "Google Gen AI, automatic and streamed";
  // While it streams, the same SDK hands over one call after the other and waits for each.
  const runsOneByOne = endsAtUnknownTools;
  const nameFor = (tool: string) => (name.startsWith("OpenAI Agents") ? tool.replaceAll("-", "_") : tool);

  test("one call: names and schemas are accepted, and mapped back [A-one-call]", async () => {
    const { client } = opened;
    const model = await script([{ name: "weather_get", input: { city: "Rome", filter_unit: "f" } }]);
    expect(await run({ client, model })).toBe("done");
    expect(model.requests.map(({ refused }) => refused)).toEqual([undefined, undefined]);
    expect(model.conversations[0]!.tools).toEqual([
      "weather_get",
      "nap",
      "slow_page",
      "fail",
      "picture",
      nameFor("delete-note"),
      nameFor("odd-schema"),
    ]);
    expect(model.results()).toEqual([{ text: "Rome: 21 f", isError: false, media: [] }]);
  });

  test("three calls of one turn run side by side, and their results keep the order", async () => {
    const { client, log } = opened;
    const model = await script([300, 200, 100].map((ms) => ({ name: "slow_page", input: { ms } })));
    expect(await run({ client, model })).toBe("done");
    expect(model.results().map(({ text }) => text.trim())).toEqual(["took 300", "took 200", "took 100"]);
    // One after the other, each finishes before the next one starts.
    const isOneByOne = readFileSync(log, "utf8") === "started\nfinished\n".repeat(3);
    expect(isOneByOne).toBe(runsOneByOne);
  });

  test("wrong arguments come back as an error that names the property, and the loop goes on [A-wrong-arguments]", async () => {
    const { client } = opened;
    const model = await script(
      [{ name: "weather_get", input: { city: "Rome", filter_unit: "kelvin" } }],
      [{ name: "weather_get", input: { city: "Rome", filter_unit: null } }],
    );
    expect(await run({ client, model })).toBe("done");
    const [wrong, right] = model.results();
    expect(wrong!.text).toContain("filter_unit: must be one of");
    expect(wrong!.isError).toBe(true);
    expect(right).toEqual({ text: "Rome: 21 c", isError: false, media: [] });
  });

  test.skipIf(endsAtUnknownTools)(
    "a tool that does not exist is an error, and the loop goes on",
    async () => {
      const { client } = opened;
      const model = await script([{ name: "wether_get", input: {} }]);
      expect(await run({ client, model })).toBe("done");
      expect(model.results()).toHaveLength(1);
      expect(model.results()[0]!.text).toMatch(/wether_get/);
    },
  );

  test("a tool that fails is an error; the calls beside it stand", async () => {
    const { client } = opened;
    const model = await script([
      { name: "fail", input: {} },
      { name: "weather_get", input: { city: "Oslo" } },
    ]);
    expect(await run({ client, model })).toBe("done");
    const [failed, other] = model.results();
    expect(failed).toMatchObject({ isError: true, media: [] });
    expect(failed!.text).toContain("no-such-file.txt");
    expect(other).toMatchObject({ text: "Oslo: 21 c", isError: false });
  });

  test("an image arrives as an image, or as a text that says so [A-image]", async () => {
    const { client } = opened;
    const model = await script([{ name: "picture", input: {} }]);
    expect(await run({ client, model })).toBe("done");
    const [result] = model.results();
    if (NO_IMAGES.some((api) => name.includes(api))) expect(result!.text).toContain("image");
    else expect(result!.media).toEqual(["image/png"]);
  });

  test("a refused call is an error with the reason, and the tool does not run [A-approve]", async () => {
    const { client } = opened;
    const model = await script([
      { name: nameFor("delete-note"), input: { id: 7 } },
      { name: "weather_get", input: { city: "Rome" } },
    ]);
    const approve = vi.fn(() => "not on a Sunday");
    expect(await run({ client, model, options: { approve } })).toBe("done");
    expect(approve).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ name: "delete-note" }), {
      id: 7,
    });
    const [refused, other] = model.results();
    expect(refused).toMatchObject({ isError: true });
    expect(refused!.text).toContain("not on a Sunday");
    expect(other).toMatchObject({ text: "Rome: 21 c" });
  });

  test("a tool that the filter hides is neither offered nor run", async () => {
    const { client } = opened;
    const model = await script([{ name: nameFor("delete-note"), input: { id: 7 } }]);
    const ended = run({ client, model, options: { filter: { without: ["delete-note"] } } });
    if (endsAtUnknownTools) await expect(ended).rejects.toThrow("missing tool: delete-note");
    else expect(await ended).toBe("done");
    expect(model.conversations[0]!.tools).not.toContain(nameFor("delete-note"));
    if (!endsAtUnknownTools) expect(model.results()[0]!.text).not.toContain("deleted");
  });

  test("a cancelled run ends the tool [A-cancelled]", async () => {
    const { client, log } = opened;
    const model = await script([{ name: "nap", input: { ms: 60_000 } }]);
    const controller = new AbortController();
    const ended = run({ client, model, signal: controller.signal }).then(
      () => "ended",
      () => "ended",
    );
    await vi.waitFor(() => expect(readFileSync(log, "utf8")).toBe("started\n"), {
      timeout: 20_000,
      interval: 50,
    });
    controller.abort();
    expect(await ended).toBe("ended");
    await until(() => !isAlive(Number(readFileSync(`${log}.pid`, "utf8"))));
    expect(readFileSync(log, "utf8")).toBe("started\n");
  });
});
