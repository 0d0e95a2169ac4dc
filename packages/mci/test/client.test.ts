import { readdir, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text as requestText } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { ExecutionResult, MCIClient, MCIClientError } from "mci-ts";
import { afterAll, describe, expect, test } from "vitest";
import { serve } from "../../../test/servers.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";

const text = (name: string, template: string, more: object = {}) => ({
  name,
  execution: { type: "text", text: template },
  ...more,
});
const document = (...tools: object[]) => ({ schemaVersion: "1.0", tools });
const nested = (levels: number) => Array.from({ length: levels }).reduce((inner) => ({ inner }), {});

async function thrown(promise: Promise<unknown>): Promise<MCIClientError> {
  const error = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(error).toBeInstanceOf(MCIClientError);
  return error as MCIClientError;
}

describe("loading", () => {
  const files = {
    "t.mci.json": document(text("hi", "Hi {{env.WHO}}")),
    "t.mci.yaml":
      "schemaVersion: 1.0\ntools:\n  - name: hi\n    execution: {type: text, text: 'Hi {{env.WHO}}'}\n",
  };
  const directory = temporaryFolder(files, afterAll);

  test("what the file says about itself is at hand", async () => {
    const metadata = { name: "Greetings", version: "2.1" };
    expect((await MCIClient.fromObject({ ...document(text("hi", "Hi")), metadata })).metadata).toEqual(
      metadata,
    );
    expect((await MCIClient.fromObject(document(text("hi", "Hi")))).metadata).toEqual({});
  });

  test.each(["t.mci.json", "t.mci.yaml"])("%s loads and executes", async (file) => {
    await using client = await MCIClient.load(join(directory, file), { env: { WHO: "Ada" } });
    expect((await client.execute("hi")).text).toBe("Hi Ada");
  });

  test("the option names of the other adapters work too", async () => {
    const schemaFilePath = join(directory, "t.mci.json");
    const client = await MCIClient.load({ schemaFilePath, envVars: { WHO: "Bo" } });
    expect((await client.execute("hi")).text).toBe("Hi Bo");
    expect((await MCIClient.load({ jsonFilePath: schemaFilePath })).listTools()).toEqual(["hi"]);
  });

  test("without any path it says which are possible", async () => {
    expect((await thrown(MCIClient.load({}))).message).toBe(
      "Either 'schemaFilePath' or 'jsonFilePath' must be provided. For a document in memory, use MCIClient.fromObject.",
    );
  });

  test("templates of a file that is refused for something else are read in the file's own language", async () => {
    const tools = [text("a", "{{ 1 if true }} {% if true %}"), { name: "b", execution: { type: "nope" } }];
    const source = { ...document(...tools), templateEngine: "jinja2" };
    expect(
      (await thrown(MCIClient.fromObject(source))).problems.map(({ path, message }) => [path, message]),
    ).toEqual([
      ["tools[1].execution.type", expect.stringContaining("Invalid execution type 'nope'")],
      ["tools[0].execution.text", "the template ends too early"],
    ]);
  });

  test.each([
    ["its name is missing", {}, ["tools[0].name"]],
    ["its name is not a text", { name: 5 }, ["tools[0].name"]],
    ["its tags are not a list", { name: "a", tags: 5 }, ["tools[0].tags"]],
    [
      "another setting of it is wrong",
      { name: "a", execution: { type: "http", url: "{{props.", timeout_ms: "soon", auth: { type: "x" } } },
      ["tools[0].execution.timeout_ms", "tools[0].execution.auth.type"],
    ],
    ["its allow list is wrong", { name: "a", envAllowList: 5 }, ["tools[0].envAllowList"]],
  ])("a tool's templates and expressions are checked, also where %s [F-wrong]", async (_, tool, wrong) => {
    const templates = { execution: { type: "http", url: "{{props." }, result: { select: "[" } };
    const error = await thrown(MCIClient.fromObject(document({ ...templates, ...tool } as never)));
    expect(error.problems.map(({ path }) => path).sort()).toEqual(
      [...wrong, "tools[0].execution.url", "tools[0].result.select"].sort(),
    );
  });

  test("a variable that the file does not allow is reported, also where something else is wrong [F-wrong]", async () => {
    const reads = { execution: { type: "text", text: "{{env.SECRET}}" } };
    const source = { ...document(reads as never), envAllowList: ["OTHER"] };
    expect((await thrown(MCIClient.fromObject(source))).problems.map(({ path }) => path)).toEqual([
      "tools[0].name",
      "tools[0].execution.text",
    ]);
  });

  test("a disabled tool, lists in place of tools and odd keys add no problems of their own [F-wrong]", async () => {
    const off = { disabled: "yes", execution: { type: "text", text: "{{props." } };
    const odd = JSON.parse(
      '{ "execution": { "type": "text", "text": "x", "__proto__": 1 }, "inputSchema": [] }',
    );
    const error = await thrown(MCIClient.fromObject(document(off as never, [] as never, odd)));
    expect(error.problems.filter(({ severity }) => severity === "error").map(({ path }) => path)).toEqual([
      "tools[0].name",
      "tools[1]",
      "tools[2].name",
      "tools[2].inputSchema",
    ]);
  });

  test.each([
    ["a function", () => document()],
    ["a function inside", { ...document(), metadata: { name: () => "x" } }],
    ["nested too deeply", nested(20_000)],
  ])("a document that is not plain data is refused: %s", async (_, source) => {
    expect((await thrown(MCIClient.fromObject(source))).message).toMatch(
      /^The document must be plain data: /,
    );
  });

  test("a limit that is undefined is the default, and one that is not a number is refused", async () => {
    const large = join(directory, "large");
    await writeFile(large, "");
    await truncate(large, 10 * 1024 * 1024 + 1);
    const read = { name: "read", execution: { type: "file", path: large } };
    const client = await MCIClient.fromObject(document(read), {
      baseDir: directory,
      limits: { maxFileBytes: undefined },
    });
    expect((await client.execute("read")).metadata.error_code).toBe("file_too_large");
    const wrong = MCIClient.fromObject(document(read), { limits: { maxTemplateLoops: Number.NaN } });
    expect((await thrown(wrong)).message).toBe("limits.maxTemplateLoops must be a number of at least 0.");
  });

  test("the process environment is not part of env [S-env]", async () => {
    process.env.MCI_TEST_VARIABLE = "from the process";
    const client = await MCIClient.fromObject(document(text("t", "{{env.MCI_TEST_VARIABLE}}")));
    delete process.env.MCI_TEST_VARIABLE;
    expect((await client.execute("t")).error).toContain("Template variable not found: env.MCI_TEST_VARIABLE");
  });

  test("every malformed template is reported at load, each with its place [T-syntax]", async () => {
    const file = join(directory, "broken.mci.json");
    await writeFile(
      file,
      JSON.stringify(document(text("a", "x @if(props.y) z"), text("b", "{{ props. }}")), null, 2),
    );
    const error = await thrown(MCIClient.load(file));
    expect(error.code).toBe("schema_invalid");
    expect(error.problems.map(({ path, line }) => [path, line])).toEqual([
      ["tools[0].execution.text", 8],
      ["tools[1].execution.text", 15],
    ]);
  });

  test("mistakes of every kind are reported together [F-wrong]", async () => {
    const wrong = { name: "c", execution: { type: "htpp" } };
    const error = await thrown(
      MCIClient.fromObject(document(text("a", "@if(x"), wrong, text("b", 5 as never))),
    );
    expect(error.problems.map(({ path }) => path).sort()).toEqual([
      "tools[0].execution.text",
      "tools[1].execution.type",
      "tools[2].execution.text",
    ]);
  });

  test("a disabled tool does not exist, its templates included", async () => {
    const client = await MCIClient.fromObject(
      document(text("a", "1"), text("off", "{{", { disabled: true })),
    );
    expect(client.listTools()).toEqual(["a"]);
    expect((await thrown(client.execute("off"))).code).toBe("tool_not_found");
  });

  test("a filter given at load binds execution too [L-filter-executes]", async () => {
    const tools = [text("read", "1", { tags: ["safe"] }), text("drop", "2", { tags: ["danger"] })];
    const client = await MCIClient.fromObject(document(...tools), { filter: { withoutTags: ["danger"] } });
    expect(client.listTools()).toEqual(["read"]);
    expect((await thrown(client.execute("drop"))).message).toMatch(/^Tool not found: drop/);
    expect(() => client.getToolSchema("drop")).toThrow("Tool not found: drop");
  });

  test("validating mode lists and refuses to execute", async () => {
    const client = await MCIClient.fromObject(document(text("a", "{{env.NOT_SET}}")), { validating: true });
    expect(client.listTools()).toEqual(["a"]);
    const error = await thrown(client.execute("a"));
    expect(error.code).toBe("validating_mode");
    expect(error.message).toContain("Tool execution is disabled in validating mode.");
  });
});

describe("tools", () => {
  test("are copies that may be changed, and the caller's document stays as it is", async () => {
    const source = document(
      text("a", "{{props.x}}", { inputSchema: { properties: { x: { default: [1] } } } }),
    );
    const before = structuredClone(source);
    const client = await MCIClient.fromObject(source);
    await client.execute("a", {});
    for (const tool of [client.tools()[0]!, client.only(["a"])[0]!] as unknown as Record<string, object>[]) {
      Object.assign(tool.execution!, { text: "changed" });
      Object.assign(tool.inputSchema!, { required: ["changed"] });
    }
    Object.assign(client.getToolSchema("a").properties as object, { x: { type: "changed" } });
    expect((await client.execute("a", {})).text).toBe("[1]");
    expect(source).toEqual(before);
  });

  test("filters return tools, listTools returns names", async () => {
    const client = await MCIClient.fromObject(document(text("a", "1", { tags: ["x"] }), text("b", "2")));
    expect(client.only(["b"]).map((tool) => tool.name)).toEqual(["b"]);
    expect(client.without(["b"]).map((tool) => tool.name)).toEqual(["a"]);
    expect(client.tags(["x"]).map((tool) => tool.name)).toEqual(["a"]);
    expect(client.withoutTags(["x"]).map((tool) => tool.name)).toEqual(["b"]);
    expect(client.toolsets(["x"])).toEqual([]);
    expect(client.listTools({ without: ["a"], withoutTags: ["x"] })).toEqual(["b"]);
  });

  test("getToolSchema gives the file's schema, or an empty object", async () => {
    const inputSchema = { type: "object", properties: { q: { type: "string" } } };
    const client = await MCIClient.fromObject(document(text("a", "1", { inputSchema }), text("b", "2")));
    expect(client.getToolSchema("a")).toEqual(inputSchema);
    expect(client.getToolSchema("b")).toEqual({});
  });

  test("every listed schema is an object with properties, without a reference at its root", async () => {
    const $defs = { input: { properties: { q: { $ref: "#/$defs/text" } } }, text: { type: "string" } };
    const anyOf = [{ required: ["a"] }, { required: ["b"] }];
    const client = await MCIClient.fromObject(
      document(
        text("referring", "1", { inputSchema: { $ref: "#/$defs/input", $defs } }),
        text("choice", "1", { inputSchema: { anyOf }, outputSchema: { properties: { x: true } } }),
      ),
    );
    const [referring, choice] = client.tools();
    expect(referring?.inputSchema).toEqual({ type: "object", ...$defs.input, $defs });
    expect(client.getToolSchema("referring")).toEqual(referring?.inputSchema);
    expect(choice?.inputSchema).toEqual({ type: "object", properties: {}, anyOf });
    expect(choice?.outputSchema).toEqual({ properties: { x: {} } });
  });

  test("a near miss of a name is suggested", async () => {
    const client = await MCIClient.fromObject(document(text("get_weather", "1")));
    expect((await thrown(client.execute("getWeather"))).message).toBe(
      "Tool not found: getWeather. Did you mean 'get_weather'?",
    );
  });

  test.each([5, null, undefined, {}])("a name that is not a string is not found: %s", async (name) => {
    const client = await MCIClient.fromObject(document(text("a", "1")));
    expect((await thrown(client.execute(name as never))).code).toBe("tool_not_found");
  });

  test("an input schema of any depth can be handed out", async () => {
    const directory = temporaryFolder();
    const file = join(directory, "deep.mci.json");
    const schema = `${'{"not":'.repeat(20_000)}{}${"}".repeat(20_000)}`;
    const tool = JSON.stringify(text("a", "1", { inputSchema: "SCHEMA" })).replace('"SCHEMA"', schema);
    await writeFile(file, `{"schemaVersion":"1.0","tools":[${tool}]}`);
    expect((await MCIClient.load(file)).tools()).toHaveLength(1);
  });
});

describe("results", () => {
  test("carry the envelope and the same fields flat [R-shape]", async () => {
    const client = await MCIClient.fromObject(document(text("a", "yes"), text("b", "{{env.NO}}")));
    const good = await client.execute("a");
    expect(good).toBeInstanceOf(ExecutionResult);
    expect(good.result).toEqual({ content: [{ type: "text", text: "yes" }], isError: false, metadata: {} });
    expect([
      good.isError,
      good.text,
      good.content,
      good.error,
      good.metadata,
      good.structuredContent,
    ]).toEqual([false, "yes", good.result.content, undefined, {}, undefined]);
    const bad = await client.execute("b");
    expect(bad.isError && bad.result.isError).toBe(true);
    expect(bad.result.content).toEqual([{ type: "text", text: bad.error }]);
    expect(bad.metadata.error_code).toBe("template_missing");
    expect(JSON.parse(JSON.stringify(bad))).toMatchObject({ isError: true, error: bad.error });
  });

  test("input that does not fit is an exception, a tool that fails is not [R-exceptions]", async () => {
    const schema = { inputSchema: { properties: { n: { type: "number" } }, required: ["n"] } };
    const client = await MCIClient.fromObject(document(text("a", "{{props.n}}{{env.NO}}", schema)));
    expect((await thrown(client.execute("a", {}))).code).toBe("invalid_input");
    expect((await client.execute("a", { n: 1 })).isError).toBe(true);
  });
});

describe("many calls at once", () => {
  test("60 calls with different properties each get their own answer, and nothing changes", async () => {
    const { url, connections } = await serve(async (request, response) => {
      const body = await requestText(request);
      await sleep(Math.random() * 20);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ url: request.url, body }));
    });
    const inputSchema = { properties: { id: { type: "integer" } }, required: ["id"] };
    const source = document(
      text("say", "@for(i in range(0, 2)){{props.id}} @endfor", { inputSchema }),
      {
        name: "send",
        inputSchema,
        execution: {
          type: "http",
          method: "POST",
          url: `${url}/items/{{props.id}}`,
          auth: { type: "apiKey", in: "query", name: "key", value: "{{env.KEY}}" },
          body: { type: "json", content: { id: "{!!props.id!!}" } },
        },
      },
      {
        name: "echo",
        inputSchema,
        execution: { type: "cli", command: "echo", args: ["{{props.id}}"] },
      },
    );
    const client = await MCIClient.fromObject(source, { env: { KEY: "k-123" } });
    const before = JSON.stringify(client.tools());

    const ids = Array.from({ length: 60 }, (_, id) => id);
    const sent = await Promise.all(ids.map((id) => client.execute("send", { id })));
    const said = await Promise.all(ids.map((id) => client.execute("say", { id })));
    const echoed = await Promise.all(ids.slice(0, 10).map((id) => client.execute("echo", { id })));

    expect(sent.map(({ structuredContent }) => structuredContent)).toEqual(
      ids.map((id) => ({ url: `/items/${id}?key=k-123`, body: JSON.stringify({ id }) })),
    );
    expect(said.map(({ text }) => text)).toEqual(ids.map((id) => `${id} ${id} `));
    expect(echoed.map(({ text }) => text.trim())).toEqual(ids.slice(0, 10).map(String));
    expect(JSON.stringify(client.tools())).toBe(before);
    await client.close();
    // The server hears of closed sockets a moment later.
    await expect.poll(connections).toBe(0);
  });
});

describe("stopping", () => {
  const sleeper = {
    name: "sleep",
    execution: { type: "cli", command: "sleep", args: ["60"] },
  };

  test("a signal cancels the call; the result says so", async () => {
    const client = await MCIClient.fromObject(document(sleeper));
    const controller = new AbortController();
    const running = client.execute("sleep", {}, { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    expect((await running).metadata.error_code).toBe("aborted");
    expect((await client.execute("sleep", {}, { signal: AbortSignal.abort() })).metadata.error_code).toBe(
      "aborted",
    );
  });

  test("close cancels what is running, may be repeated, and ends the client", async () => {
    const client = await MCIClient.fromObject(document(sleeper));
    const running = client.execute("sleep");
    setTimeout(() => void client.close(), 100);
    expect((await running).metadata.error_code).toBe("aborted");
    await client.close();
    expect((await thrown(client.execute("sleep"))).code).toBe("closed");
  });

  test("a call that was only being prepared does not begin after close", async () => {
    const script = `require("node:fs").writeFileSync("ran", "")`;
    const tool = {
      name: "write",
      inputSchema: { type: "object", properties: { x: { type: "string" } } },
      execution: { type: "cli", command: process.execPath, args: ["-e", script] },
    };
    const baseDir = temporaryFolder();
    const client = await MCIClient.fromObject(document(tool), { baseDir });
    const running = client.execute("write");
    await client.close();
    expect((await running).metadata.error_code).toBe("aborted");
    expect(await readdir(baseDir)).toEqual([]);
  });
});

describe("secrets", () => {
  test("env values a call used are masked in errors and metadata, not in what the tool was made to say [S-cut]", async () => {
    const env = { TOKEN: "tok-5f3a9", NAME: "Grace" };
    const script = 'printf "%s\\n" "$1" >&2; printf "out %s\\n" "$1"; exit "$2"';
    const tool = (name: string, code: string) => ({
      name,
      execution: { type: "cli", command: "sh", args: ["-c", script, "sh", "{{env.TOKEN}}", code] },
    });
    const client = await MCIClient.fromObject(
      document(tool("good", "0"), tool("bad", "3"), text("hello", "Hello {{env.NAME}}")),
      { env },
    );
    expect((await client.execute("hello")).text).toBe("Hello Grace");
    const good = await client.execute("good");
    expect(good.metadata.stderr).toBe("***\n");
    const bad = await client.execute("bad");
    expect(JSON.stringify(bad)).not.toContain("tok-5f3a9");
    expect(bad.error).toContain("Command failed with exit code 3: ***");
  });

  test.each(["text", "type", "content", "isError", "metadata", "error_code", "command", "stderr"])(
    "an env value that is also a name in results, such as '%s', does not change their shape",
    async (value) => {
      const execution = {
        type: "cli",
        command: "sh",
        args: ["-c", 'printf "%s\\n" "$1" >&2; exit 3', "sh", "{{env.VALUE}}"],
      };
      const env = { VALUE: value };
      const client = await MCIClient.fromObject(document({ name: "fail", execution }), { env });
      const { result } = await client.execute("fail");
      expect(result).toMatchObject({
        isError: true,
        content: [{ type: "text", text: expect.stringContaining("with exit code 3: ***") }],
        metadata: { error_code: "command_failed", exit_code: 3, stderr: "***\n" },
      });
    },
  );

  test("a secret of any size stays hidden", async () => {
    const SECRET = Array.from({ length: 20_000 }, (_, index) => index.toString(36)).join("");
    const client = await MCIClient.fromObject(document(text("t", "{{env.SECRET}}{{props.x}}")), {
      env: { SECRET },
    });
    expect((await client.execute("t")).error).toContain("Template variable not found: props.x");
  });
});
