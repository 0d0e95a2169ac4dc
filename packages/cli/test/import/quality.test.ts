import { describe, expect, test } from "vitest";
import { describeQuality, qualityOf } from "../../src/import/quality.ts";
import { mciHere as mci } from "../in-process.ts";
import { folder } from "../mci.ts";

const operation = (more: object) => ({ responses: { 200: { description: "ok" } }, ...more });
const API = {
  openapi: "3.1.0",
  info: { title: "Pets", version: "1" },
  servers: [{ url: "https://pets.example" }],
  paths: {
    "/a": { get: operation({ description: "Reads it" }), post: operation({ summary: "Makes it" }) },
    "/b": {
      get: operation({ parameters: [{ name: "q", in: "query", schema: { enum: ["x".repeat(11_000)] } }] }),
    },
  },
};

describe("[C-import-quality] an import says what its tools are worth", () => {
  test("in one line, with the option that helps", async () => {
    const cwd = folder({ "api.json": API });
    const { stdout } = await mci(["import", "openapi", "api.json", "-o", "x.json"], { cwd });
    expect(stdout).toContain(
      "1 tool without a description (describe with overrides); 1 write without a body (check the document); 1 tool above 10 kB",
    );
    const json = await mci(["import", "openapi", "api.json", "-o", "x.json", "--format", "json"], { cwd });
    expect(JSON.parse(json.stdout).quality).toMatchObject({ undescribed: 1, bodyless: 1, large: 1 });
    const checked = await mci(["validate", "-f", "x.json"], { cwd });
    expect(checked.code).toBe(0);
  });

  test("a key that the model would have to give is named, and the advice takes it from a variable", async () => {
    const parameter = (where: string, name: string) => ({ name, in: where, schema: { type: "string" } });
    const parameters = ["token", "Idempotency-Key"].map((name) => parameter("header", name));
    const query = ["page_token", "key", "q"].map((name) => parameter("query", name));
    const get = operation({ description: "Reads it", parameters: [...parameters, ...query] });
    const cwd = folder({ "api.json": { ...API, paths: { "/a": { get }, "/b": { get } } } });
    const line = async (...options: string[]) =>
      (await mci(["import", "openapi", "api.json", "-o", "x.json", ...options], { cwd })).stdout;
    const asked = await line();
    expect(asked).toContain("2 tools with a key or token that the model has to give: header token (");
    const [, scheme] = /from a variable with --auth (\S+)\)/.exec(asked)!;
    expect(await line("--auth", scheme!)).not.toContain("the model has to give");
    const { stdout } = await mci(["call", "get_a", "-f", "x.json", "--dry-run", "--env", "X_API_KEY=k"], {
      cwd,
    });
    expect(stdout).toContain("token: ***");
  });

  test("tokens are estimated for what a model is shown, and the line says for which encoding", () => {
    const quality = qualityOf({ schemaVersion: "1.0", tools: [] });
    expect(quality.tokens).toBe(0);
    expect(describeQuality({ ...quality, tokens: 25_000 })).toBe(
      "About 25,000 tokens for a model, estimated for o200k_base (choose fewer with --tag, --path or --read-only)",
    );
  });
});
