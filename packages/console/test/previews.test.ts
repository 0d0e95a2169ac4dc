import { MCIClient } from "mci-ts";
import { expect, test } from "vitest";
import { handleToolsRequest } from "../serve/tools/api.ts";

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
