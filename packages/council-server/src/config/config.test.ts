import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";
import { SETTINGS } from "./settings.ts";

describe("settings", () => {
  it("have defaults: loopback, port 8338, history in memory, and no model named [H-bearer]", () => {
    const config = readConfig({});
    expect(config.http).toMatchObject({ host: "127.0.0.1", port: 8338, token: undefined });
    expect(config.models).toMatchObject({ endpoint: undefined, names: undefined });
    expect(config.store.dir).toBeUndefined();
    expect(config.voting.k).toBe(3);
    expect(config.budget).toMatchObject({ max_calls: 500, deadline_ms: 300_000 });
  });

  it("of the earlier project work unchanged [S-drop-in]", () => {
    const config = readConfig({
      MAKER_API_KEY: "key",
      MAKER_BASE_URL: "https://openrouter.ai/api/v1/",
      MAKER_JUDGE_MODEL: "glm-4.6",
      MAKER_VOTER_MODEL: "glm-4.5-air",
      MAKER_K: "4",
      MAKER_MAX_TOKENS: "750",
      MAKER_MAX_ROUNDS: "10",
      MAKER_API_PORT: "9000",
    });
    expect(config.models.endpoint).toEqual({
      url: "https://openrouter.ai/api/v1",
      key: "key",
      keySetting: "MAKER_API_KEY",
    });
    expect(config.models.names).toEqual({ voters: ["glm-4.5-air"], judge: "glm-4.6" });
    expect(config.voting).toMatchObject({ k: 4, maxSamples: 40, maxOutputTokens: 750 });
    expect(config.http.port).toBe(9000);
  });

  it.each([
    [
      "MAKER_API_URL wins over MAKER_BASE_URL",
      { MAKER_API_URL: "http://a/v1", MAKER_BASE_URL: "http://b/v1" },
      "http://a/v1",
    ],
    ["OPENAI_BASE_URL is the last resort", { OPENAI_BASE_URL: "http://c/v1" }, "http://c/v1"],
    ["a key alone means OpenAI's own endpoint", { OPENAI_API_KEY: "k" }, "https://api.openai.com/v1"],
  ])("choose the endpoint: %s [S-drop-in]", (_, env, url) => {
    expect(readConfig({ MAKER_API_MODEL: "m", ...env }).models.endpoint?.url).toBe(url);
  });

  it("fall back to OPENAI_API_KEY if MAKER_API_KEY is not set [S-drop-in]", () => {
    const keyOf = (env: Record<string, string>) =>
      readConfig({ MAKER_API_MODEL: "m", ...env }).models.endpoint?.key;
    expect(keyOf({ OPENAI_API_KEY: "theirs" })).toBe("theirs");
    expect(keyOf({ OPENAI_API_KEY: "theirs", MAKER_API_KEY: "ours" })).toBe("ours");
  });

  it("give the seats different models if several are listed", () => {
    const { names } = readConfig({ MAKER_API_URL: "http://a/v1", MAKER_VOTER_MODEL: "a, b ,c" }).models;
    expect(names).toEqual({ voters: ["a", "b", "c"], judge: "a" });
  });

  it.each([
    ["MAKER_K", { MAKER_K: "0" }],
    ["MAKER_K", { MAKER_K: "many" }],
    ["MAKER_MAX_ROUNDS", { MAKER_MAX_ROUNDS: "-1" }],
    ["MAKER_MAX_TOKENS", { MAKER_MAX_TOKENS: "1.5" }],
    ["MAKER_API_URL", { MAKER_API_URL: "api.example.com" }],
    ["MAKER_API_URL", { MAKER_API_URL: "file:///etc/passwd" }],
    ["MAKER_API_URL", { MAKER_API_URL: "https://user:secret@api.example/v1", MAKER_API_MODEL: "m" }],
    ["MAKER_API_URL", { MAKER_API_URL: "https://:secret@api.example/v1", MAKER_API_MODEL: "m" }],
    ["MAKER_API_URL", { MAKER_API_URL: "https://api.example/v1?key=secret", MAKER_API_MODEL: "m" }],
    ["MAKER_API_URL", { MAKER_API_URL: "http://localhost:8338/v1", MAKER_API_MODEL: "m" }],
    ["MAKER_API_MODEL", { ANTHROPIC_API_KEY: "k" }],
    ["MAKER_API_MODEL", { MAKER_API_URL: "http://127.0.0.1:1/v1" }],
    ["PORT", { PORT: "70000" }],
    ["MCI_TOKEN", { HOST: "0.0.0.0" }],
    ["MCI_TOKEN", { MCI_TOKEN: "short" }],
    ["MCI_ALLOWED_ORIGINS", { MCI_ALLOWED_ORIGINS: "app.example" }],
    ["MCI_STRUCTURED", { MCI_STRUCTURED: "sometimes" }],
    ["MCI_DEADLINE_MS", { MCI_DEADLINE_MS: "soon" }],
  ])("prevent startup when %s is invalid, and name it [S-bad-start]", (name, env) => {
    expect(() => readConfig(env)).toThrow(ConfigError);
    expect(() => readConfig(env)).toThrow(new RegExp(`- ${name}\\b`));
    expect(() => readConfig(env)).toThrow(/^((?!secret).)*$/s);
  });

  it.each([
    [{ MAKER_K: "0" }, "MAKER_K must be a whole number from 1 to 25, or auto"],
    [{ MAKER_MAX_ROUNDS: "0" }, "MAKER_MAX_ROUNDS must be a whole number from 1 to 1000"],
    [{ PORT: "99999" }, "PORT must be a whole number from 0 to 65535"],
    [{ MCI_MAX_CALLS: "2.5" }, "MCI_MAX_CALLS must be a whole number from 1 to 1000000"],
    [{ MCI_MAX_USD: "-1" }, "MCI_MAX_USD must be a number above 0"],
    [{ PORT: "1e99" }, "PORT must be a whole number from 0 to 65535"],
    [{ MAKER_K: "1e99" }, "MAKER_K must be a whole number from 1 to 25, or auto"],
    [{ MCI_DETECT_LOCAL: "no" }, "MCI_DETECT_LOCAL must be 0, 1, true or false"],
    [{ MCI_PROMPTS: "small" }, "MCI_PROMPTS must be full or compact"],
    [{ MCI_STRUCTURED: "json" }, "MCI_STRUCTURED must be auto, schema or text"],
    [{ MAKER_VOTER_MODEL: "," }, "MAKER_VOTER_MODEL must name at least one, with commas between several"],
    [{ MCI_ALLOWED_HOSTS: " , " }, "MCI_ALLOWED_HOSTS must name at least one, with commas between several"],
    [
      { MAKER_API_MODEL: "a,b" },
      "MAKER_API_MODEL must be the name of one model; only MAKER_VOTER_MODEL and MCI_FALLBACK_MODELS take several",
    ],
  ])("say for %o what is expected, once", (env, problem) => {
    try {
      readConfig(env);
      expect.unreachable();
    } catch (error) {
      expect((error as ConfigError).problems).toEqual([problem]);
    }
  });

  it("report every problem at once, and never a secret's value", () => {
    try {
      readConfig({ MCI_TOKEN: "hunter2", PORT: "x", MAKER_K: "x" });
      expect.unreachable();
    } catch (error) {
      expect((error as ConfigError).problems).toHaveLength(3);
      expect(String(error)).not.toContain("hunter2");
    }
  });

  it("treat an empty variable as not set", () => {
    expect(readConfig({ PORT: "", MAKER_API_KEY: " " }).http.port).toBe(8338);
  });

  it("warn about unknown names with the settings' prefix, and suggest the one that was meant [S-unknown]", () => {
    expect(readConfig({ MAKER_APY_KEY: "x" }).warnings).toEqual([
      "MAKER_APY_KEY is not a setting of the council and is ignored; did you mean MAKER_API_KEY?",
    ]);
    expect(readConfig({ MCI_WHATEVER: "x" }).warnings.join()).not.toContain("did you mean");
  });

  it("each have one sentence of explanation", () => {
    for (const [name, schema] of Object.entries(SETTINGS)) {
      expect(schema.description, name).toMatch(/\.$/);
    }
  });
});

it("[T-filter] MCI_TOOLS_FILTER takes names, tags and toolsets, as the mci command does", () => {
  const filterOf = (MCI_TOOLS_FILTER: string) =>
    readConfig({ MCI_TOOLS: "tools.mci.json", MCI_TOOLS_FILTER }).seatTools?.filter;
  expect(filterOf("read_file, grep")).toEqual({ only: ["read_file", "grep"] });
  expect(filterOf("tags:safe,fast except:grep toolsets:github; without-tags:slow")).toEqual({
    tags: ["safe", "fast"],
    without: ["grep"],
    toolsets: ["github"],
    withoutTags: ["slow"],
  });
  for (const wrong of ["tag:safe", "only:", ":x", "__proto__:x"])
    expect(() => filterOf(wrong), wrong).toThrow(/MCI_TOOLS_FILTER must be parts such as only:a,b/);
});
