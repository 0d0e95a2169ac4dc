import { describe, expect, test } from "vitest";
import { jsonBody, only, properties, query, tools } from "./one-operation.ts";

describe("names", () => {
  test("[I-names] operation ids become names that models accept; two that look alike stay apart", () => {
    const { toolset } = tools({
      "/a": { get: { operationId: "repos/list-for-user" } },
      "/b": { get: { operationId: "repos.list.for.user" } },
      "/c/{id}": { delete: {} },
      "/d": { get: { operationId: "x".repeat(90) }, post: { operationId: "x".repeat(91) } },
      "/e": { get: { operationId: "2fa" } },
    });
    const names = toolset.tools.map(({ name }) => name);
    expect(names[0]).toBe("repos_list_for_user");
    expect(names[1]).toMatch(/^repos_list_for_user_[0-9a-f]{8}$/);
    expect(names[2]).toBe("delete_c_id");
    expect(names[5]).toBe("_2fa");
    for (const name of names) expect(name).toMatch(/^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/);
    expect(new Set(names).size).toBe(names.length);
  });

  test("[I-names] a prefix counts against the limit, and names do not depend on what is chosen", () => {
    const paths = {
      "/a": { get: { operationId: "list" } },
      "/b": { get: { operationId: "list", tags: ["b"] } },
    };
    const all = tools(paths, {}, { prefix: "shop_" }).toolset.tools.map(({ name }) => name);
    const some = tools(paths, {}, { prefix: "shop_", tags: ["B"] }).toolset.tools.map(({ name }) => name);
    expect(all[0]).toBe("shop_list");
    expect(some).toEqual([all[1]]);
    const [long] = tools({ "/a": { get: { operationId: "y".repeat(64) } } }, {}, { prefix: "p_" }).toolset
      .tools;
    expect(long!.name).toHaveLength(64);
  });

  test("[I-properties] names that providers refuse are renamed and still sent under their own", () => {
    const tool = only({ parameters: [query("filter[id]", {}), query("$top", {}), query("__proto__", {})] });
    expect(properties(tool)).toEqual(["filter_id", "top", "proto"]);
    expect(Object.keys(tool.execution.params)).toEqual(["filter[id]", "$top", "__proto__"]);
  });

  test("[I-properties] a name in two places stays in both", () => {
    const operation = {
      parameters: [{ name: "id", in: "path", required: true, schema: { type: "integer" } }, query("id", {})],
      requestBody: jsonBody({ type: "object", properties: { id: { type: "string" } } }),
    };
    const tool = only(operation, {}, { method: "put", path: "/pets/{id}" });
    expect(properties(tool)).toEqual(["id", "query_id", "body_id"]);
    expect(tool.execution.url).toMatch(/\/pets\/\{\{props\.id\}\}$/);
    expect(tool.execution.params).toEqual({ id: "{!!props.query_id!!}" });
    expect(tool.execution.body.content).toEqual({ id: "{!!props.body_id!!}" });
  });
});
