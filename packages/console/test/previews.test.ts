import { MCIClient } from "mci-ts";
import { expect, test } from "vitest";
import { handleToolsRequest } from "../serve/tools/api.ts";
import type { TextUse } from "../serve/tools/source.ts";

test("a preview needs no variables, and input that does not fit is not a failure of the server [UI-call]", async () => {
  await using client = await MCIClient.fromObject({
    schemaVersion: "1.0",
    tools: [
      {
        name: "weather",
        inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
        execution: { type: "http", url: "{{env.WEATHER_URL}}/{{props.city}}" },
      },
    ],
  });
  const preview = async (input: object) => {
    const request = { method: "POST", path: "tools/weather/preview", body: { input } };
    const response = await handleToolsRequest({ client: () => client } as never, request as never);
    return { status: response.status, body: await response.json() };
  };
  expect(await preview({ city: "x" })).toMatchObject({
    status: 200,
    body: { url: "<WEATHER_URL not set>/x" },
  });
  expect(await preview({})).toMatchObject({ status: 400, body: { error: { code: "invalid_input" } } });
});

test("a draft is a tool of a text that is not saved: its schema, its request or why it is refused; only for those who may save it [UI-split] [UI-tells-nothing]", async () => {
  const load = (url: string) =>
    MCIClient.fromObject(
      {
        schemaVersion: "1.0",
        tools: [
          {
            name: "weather",
            inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
            execution: {
              type: "http",
              url,
              headers: { "x-key": "{{env.KEY}}", "x-text": "Key {{env.KEY}}" },
              auth: { type: "bearer", token: "{{env.KEY}}" },
            },
          },
        ],
      },
      { env: { KEY: "hidden-value" } },
    );
  await using saved = await load("http://saved.example/{{props.city}}");
  const source = {
    writable: true,
    client: () => saved,
    async withText(text: string, use: TextUse<unknown>) {
      await using client = await load(text);
      return use(client, (value) => value);
    },
  };
  const draft = async (body: object, from: object = source) => {
    const request = { method: "POST", path: "tools/weather/draft", body };
    const response = await handleToolsRequest(from as never, request as never);
    const text = await response.text();
    expect(text).not.toContain("hidden-value");
    return { status: response.status, body: JSON.parse(text) };
  };
  const text = "http://typed.example/{{props.city}}?key={{env.KEY}}";
  expect(await draft({ text, input: { city: "x" } })).toMatchObject({
    status: 200,
    body: { tool: { name: "weather" }, request: { url: "http://typed.example/x?key=***" } },
  });
  expect(await draft({ input: { city: "x" } })).toMatchObject({
    body: { request: { url: "http://saved.example/x" } },
  });
  expect(await draft({ text, input: {} })).toMatchObject({
    status: 200,
    body: { tool: { inputSchema: { required: ["city"] } }, refused: { code: "invalid_input" } },
  });
  for (const readOnly of [
    { ...source, writable: false },
    { ...source, withText: undefined },
  ])
    expect(await draft({ text, input: { city: "x" } }, readOnly)).toMatchObject({
      status: 403,
      body: { error: { code: "read_only" } },
    });
});
