import { MCIClient } from "mci-ts";
import { describe, expect, onTestFinished, test, vi } from "vitest";

const text = (name: string, more: object = {}) => ({
  name,
  execution: { type: "text", text: "ran" },
  ...more,
});
const schema = (properties: object, required: string[] = []) => ({ type: "object", properties, required });

async function open(...tools: object[]): Promise<MCIClient> {
  const client = await MCIClient.fromObject({ schemaVersion: "1.0", tools });
  onTestFinished(() => client.close());
  return client;
}

const failure = (code: string) => ({ isError: true, metadata: { error_code: code } });

describe("call", () => {
  test("what a model gets wrong is a result that it can act on [A-call]", async () => {
    const client = await open(text("greet", { inputSchema: schema({ name: { type: "string" } }, ["name"]) }));
    const unknown = await client.call("gret", {});
    expect(unknown).toMatchObject(failure("tool_not_found"));
    expect(unknown.text).toContain("Did you mean 'greet'?");
    for (const given of ["Ada", 7, ["Ada"], true] as unknown[]) {
      const result = await client.call("greet", given as object);
      expect(result).toMatchObject(failure("invalid_input"));
      expect(result.text).toContain("must be an object");
    }
    expect((await client.call("greet", {})).text).toContain("name: is required and missing");
    expect((await client.call("greet", null as never)).isError).toBe(true);
    expect((await client.call("greet", { name: "Ada" })).text).toBe("ran");
  });

  test("arguments that are not JSON are told with the position [A-json-arguments]", async () => {
    const client = await open(text("greet", { inputSchema: schema({ name: { type: "string" } }) }));
    const call = (given: string) => client.call("greet", given as never);
    expect(await call('{"name": "Ada"}')).toMatchObject({ isError: false });
    expect(await call(" ")).toMatchObject({ isError: false });
    for (const [given, position] of [
      ['{"name": Ada}', "line 1, column 10"],
      ['{"name": "Ada"', "line 1, column 15"],
    ] as const) {
      const result = await call(given);
      expect(result).toMatchObject(failure("invalid_input"));
      expect(result.text).toContain("not valid JSON");
      expect(result.text).toContain(position);
    }
  });

  test("arguments that the tool does not have are named in the result [A-ignored]", async () => {
    const client = await open(text("greet", { inputSchema: schema({ name: {}, loud: {} }) }));
    const given = { nme: "Ada", loud: true, x: 1 } as never;
    const result = await client.call("greet", given);
    expect(result.text).toBe(
      "ran\nNote: tool 'greet' has no argument 'nme' (did you mean 'name'?), 'x'; ignored.",
    );
    expect(result.metadata["ignored_arguments"]).toEqual(["nme", "x"]);
    // A program reads metadata; its result stays as it is.
    const executed = await client.execute("greet", given);
    expect(executed.text).toBe("ran");
    expect(executed.metadata["ignored_arguments"]).toEqual(["nme", "x"]);
    expect(await client.ignoredArguments("greet", given)).toEqual(["nme", "x"]);
    expect((await client.call("greet", { name: "Ada" })).metadata).not.toHaveProperty("ignored_arguments");
  });

  test("a closed client, one that only validates and an unusable schema are results; wrong options are not [A-call]", async () => {
    const client = await open(text("a"), text("b", { inputSchema: schema({ x: { $ref: "#/nowhere" } }) }));
    expect(await client.call("b", {})).toMatchObject(failure("schema_invalid"));
    await expect(client.call("a", {}, { signal: "now" as never })).rejects.toThrow("options.signal must be");
    await client.close();
    expect(await client.call("a", {})).toMatchObject(failure("closed"));
    const validating = await MCIClient.fromObject(
      { schemaVersion: "1.0", tools: [text("a")] },
      { validating: true },
    );
    expect(await validating.call("a", {})).toMatchObject(failure("validating_mode"));
  });

  test("null stands for an optional property that was not given, where null is not a value of it [A-call]", async () => {
    const inputSchema = schema({
      a: { type: "string" },
      b: { type: ["string", "null"] },
      c: schema({ d: { type: "number" } }),
    });
    const execution = { type: "text", text: "{!! props !!}" };
    const client = await open({ name: "t", inputSchema, execution });
    const { text: seen } = await client.call("t", { a: null, b: null, c: { d: null } });
    expect(JSON.parse(seen)).toEqual({ b: null, c: {} });
  });

  test("approve sees checked input under the file's names, and decides [A-approve]", async () => {
    const client = await open(
      text("drop-table", {
        inputSchema: schema({ "table[name]": { type: "string" }, force: { default: false } }),
      }),
      text("look", { annotations: { readOnlyHint: true } }),
    );
    const approve = vi.fn((): boolean | string => true);
    expect((await client.call("drop-table", { table_name: "users" }, { approve })).text).toBe("ran");
    expect(approve).toHaveBeenLastCalledWith(expect.objectContaining({ name: "drop-table" }), {
      "table[name]": "users",
      force: false,
    });
    await client.call("look", {}, { approve });
    await client.call("drop-table", { table_name: 7 }, { approve });
    expect(approve).toHaveBeenCalledTimes(1);
    const no = await client.call("drop-table", {}, { approve: () => false });
    expect(no).toMatchObject(failure("not_approved"));
    const broken = () => Promise.reject(new Error("no one is there"));
    const undecided = await client.call("drop-table", {}, { approve: broken });
    expect(undecided.text).toBe("The call was not approved, and the tool was not run: the approval failed");
    expect((await client.call("drop-table", {}, { approve: () => undefined as never })).isError).toBe(true);
  });

  test("the text of a tool with an outputSchema is its structured content, where it is the JSON of an object [A-call]", async () => {
    const outputSchema = { type: "object" };
    const client = await open(
      { name: "json", outputSchema, execution: { type: "text", text: '{"a": 1}' } },
      { name: "words", outputSchema, execution: { type: "text", text: "words" } },
      { name: "plain", execution: { type: "text", text: '{"a": 1}' } },
    );
    expect((await client.call("json")).structuredContent).toEqual({ a: 1 });
    expect((await client.call("words")).structuredContent).toBeUndefined();
    expect((await client.call("plain")).structuredContent).toBeUndefined();
  });
});

describe("toolDefinitions", () => {
  test("copies that may be changed, with an object schema always [A-definitions]", async () => {
    const client = await open(text("a", { inputSchema: schema({ x: { type: "string" } }) }), text("b"));
    const [a, b] = client.toolDefinitions();
    expect(b).toEqual({
      name: "b",
      description: "b",
      inputSchema: { type: "object", properties: {} },
      annotations: {},
    });
    a!.inputSchema.properties["y"] = {};
    (client.getToolSchema("a")["properties"] as Record<string, unknown>)["z"] = {};
    expect(client.toolDefinitions({ filter: { only: ["a"] } })).toEqual([
      { ...a, inputSchema: { type: "object", properties: { x: { type: "string" } } } },
    ]);
    expect(client.getToolSchema("a")).toEqual(schema({ x: { type: "string" } }));
  });

  test("names and property names that providers refuse are mapped, and errors speak of the mapped ones [A-definitions]", async () => {
    const inputSchema = schema({ "filter[id]": { type: "integer" }, $top: { type: "integer" } }, [
      "filter[id]",
    ]);
    const client = await open(text("météo.get", { inputSchema }), text("x".repeat(80)));
    const [tool, long] = client.toolDefinitions();
    expect(tool!.name).toBe("meteo_get");
    expect(Object.keys(tool!.inputSchema.properties)).toEqual(["filter_id", "top"]);
    expect(tool!.inputSchema.required).toEqual(["filter_id"]);
    expect(long!.name).toHaveLength(64);
    expect((await client.call("meteo_get", { filter_id: 1, top: 2 })).text).toBe("ran");
    expect((await client.call(long!.name, {})).text).toBe("ran");
    expect((await client.call("meteo_get", { top: 2 })).text).toBe(
      "Invalid input for tool 'meteo_get' (it requires filter_id):\n- filter_id: is required and missing",
    );
  });
});
