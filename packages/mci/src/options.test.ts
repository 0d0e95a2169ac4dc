import { describe, expect, test } from "vitest";
import { MCIClient } from "./client.ts";
import { MCIClientError } from "./errors.ts";
import { lintFile } from "./lint/lint.ts";

const document = { schemaVersion: "1.0", tools: [{ name: "t", execution: { type: "text", text: "x" } }] };

/** What callers without TypeScript can do. */
type Loose = (...args: unknown[]) => Promise<unknown>;

async function refusal(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (error instanceof MCIClientError && error.code === "invalid_argument") return error.message;
    throw error;
  }
  return "not refused";
}

describe("[A-arguments] an argument of the wrong type is a clear error", () => {
  test.each([[], [document], ["mci.json"], [{ schemaFilePath: "mci.json" }]])(
    "new MCIClient(%j)",
    async (...args) => {
      const Constructor = MCIClient as unknown as new (...args: unknown[]) => MCIClient;
      expect(await refusal(() => new Constructor(...args))).toBe(
        "Use 'await MCIClient.load(file)' or 'await MCIClient.fromObject(document)', not 'new'.",
      );
    },
  );

  const wrong: [unknown, string][] = [
    [null, "options must be an object, but is null."],
    ["x", "options must be an object, but is of type string."],
    [["x"], "options must be an object, but is a list."],
    [{ filters: { tags: ["read"] } }, "options has no 'filters'. Did you mean 'filter'?"],
    [{ ENV: {} }, "options has no 'ENV'. Did you mean 'env'?"],
    [{ env: "A=1" }, "options.env must be an object, but is of type string."],
    [{ env: ["A=1"] }, "options.env must be an object, but is a list."],
    [{ filter: null }, "options.filter must be an object, but is null."],
    [{ limits: null }, "options.limits must be an object, but is null."],
    [{ mcp: null }, "options.mcp must be an object, but is null."],
    [
      { mcp: { idleTimeoutMs: "5" } },
      "options.mcp.idleTimeoutMs must be a number of milliseconds, but is of type string.",
    ],
    [
      { mcp: { connectTimeoutMs: Number.NaN } },
      "options.mcp.connectTimeoutMs must be a number of milliseconds, but is NaN.",
    ],
    [
      { mcp: { connectTimeoutMs: -1 } },
      "options.mcp.connectTimeoutMs must be a number of milliseconds, but is -1.",
    ],
    [{ strict: "yes" }, "options.strict must be true or false, but is of type string."],
    [{ signal: 1 }, "options.signal must be an AbortSignal, but is of type number."],
    [{ onMcpServer: {} }, "options.onMcpServer must be a function, but is of type object."],
    [
      { unknownKeys: "warning" },
      'options.unknownKeys must be one of "ignore", "warn", "error", but is of type string.',
    ],
  ];
  test.each(wrong)("options %j when loading: %s", async (options, message) => {
    expect(await refusal(() => (MCIClient.fromObject as Loose).call(MCIClient, document, options))).toBe(
      message,
    );
    expect(await refusal(() => (MCIClient.load as Loose).call(MCIClient, "x.json", options))).toBe(message);
    expect(await refusal(() => (lintFile as Loose)("x.json", options))).toBe(message);
    if (typeof options !== "object" || options === null || Array.isArray(options)) return;
    const whole = { schemaFilePath: "x.json", ...options };
    expect(await refusal(() => (MCIClient.load as Loose).call(MCIClient, whole))).toBe(message);
  });

  test("baseDir must be a string", async () => {
    expect(await refusal(() => MCIClient.fromObject(document, { baseDir: 1 as never }))).toBe(
      "options.baseDir must be a string, but is of type number.",
    );
  });

  test.each<[unknown, string]>([
    [null, "options must be an object, but is null."],
    [5000, "options must be an object, but is of type number."],
    [{ signal: new AbortController() }, "options.signal must be an AbortSignal, but is of type object."],
    [{ onProgress: true }, "options.onProgress must be a function, but is of type boolean."],
  ])("options %j when executing: %s", async (options, message) => {
    const client = await MCIClient.fromObject(document);
    expect(await refusal(() => client.execute("t", {}, options as never))).toBe(message);
  });

  test("what is undefined is not given", async () => {
    const none = { env: undefined, filter: undefined, signal: undefined, strict: undefined };
    const client = await MCIClient.fromObject(document, none);
    expect((await client.execute("t", undefined, { signal: undefined, onProgress: undefined })).text).toBe(
      "x",
    );
  });
});
