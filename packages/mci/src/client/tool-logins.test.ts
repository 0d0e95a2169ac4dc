import { expect, test } from "vitest";
import type { Loaded, LoadedTool } from "../load/loaded.ts";
import { apiLogins } from "./tool-logins.ts";

test("tools without a login are not compiled to look for one", () => {
  let compiled = 0;
  const tool = (execution: object) =>
    ({
      tool: { name: "one", execution },
      get compiled() {
        compiled++;
        return {};
      },
    }) as unknown as LoadedTool;
  const tools = [tool({ type: "text", text: "x" }), tool({ type: "http", url: "http://localhost/" })];
  expect(apiLogins({ tools, env: {} } as unknown as Loaded)).toEqual([]);
  expect(compiled).toBe(0);
});
