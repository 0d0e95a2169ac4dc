import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { describe, expect, it } from "vitest";
import { listen } from "../../../test/servers.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { startFakeProvider } from "../../fake-provider/src/server.ts";
import manifest from "../package.json" with { type: "json" };
import { readConfig } from "../src/config/config.ts";
import { serve } from "../src/server.ts";
import { openDatabase } from "../src/store/database.ts";
import { VERSION } from "../src/version.ts";
import { eventually } from "./eventually.ts";
import { post, readEvents } from "./harness.ts";
import { launch, startProcess } from "./process.ts";
import { readJson } from "./read-json.ts";

const VOTE = { prompt: "Tabs or spaces?", intent: "validation" };

describe("the command", () => {
  it("starts without any settings, prints what to try, keeps running after its output is closed, and stops on a signal [S-start]", async () => {
    const { child, url, output, exited } = await startProcess({});
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(output()).toContain("simulated");
    expect(output()).toContain(`curl ${url}/mcp/model`);
    expect(output()).toContain(`"url": "${url}/mcp"`);
    const { data } = await readJson(fetch(`${url}/v1/models`));
    const names = data.map(({ id }: { id: string }) => id).filter((id: string) => /^\w+$/.test(id));
    expect(names).toContain("act");
    for (const name of names) expect(output()).toMatch(new RegExp(`models .*\\b${name}\\b`));
    child.stdout!.destroy();
    child.stderr!.destroy();
    expect((await readJson(post(`${url}/mcp/model`, VOTE))).metadata.model).toBe("simulated");
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
  });

  it("prints the host that receives the key, and never the key; lets runs in flight finish before it stops [S-key]", async () => {
    const sim = await startFakeProvider({ behaviour: { latency: { median_ms: 300 } } });
    const { child, url, output, exited } = await startProcess({
      OPENAI_API_KEY: "sk-very-secret-key",
      MAKER_API_URL: sim.url,
      MAKER_API_MODEL: "sim",
    });
    expect(output()).toContain(`key      OPENAI_API_KEY goes to ${new URL(sim.url).host}\n`);
    const asked = post(`${url}/mcp/model`, VOTE);
    await eventually(() => sim.stats.in_flight).toBe(3);
    child.kill("SIGINT");
    const response = await asked;
    expect(response.status).toBe(200);
    expect((await readJson(response)).metadata.status).toBe("complete");
    expect(await exited).toBe(0);
    expect(output()).not.toContain("sk-very-secret-key");
    await sim.close();
  });

  it("writes nothing but lines of JSON with the id of the process, where that is asked for [SV-log]", async () => {
    const { child, output, exited } = launch({ PORT: "0", MCI_LOG_FORMAT: "json", MCI_UNKNOWN: "1" });
    await eventually(output).toContain("is listening on");
    child.kill("SIGTERM");
    expect(await exited).toBe(0);
    const entries = output()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(entries.map(({ level }) => level)).toEqual(["warn", "info", "info"]);
    expect(entries[0].message).toContain("MCI_UNKNOWN");
    expect(new Set(entries.map(({ instance }) => instance)).size).toBe(1);
    expect(entries[0].instance).toMatch(/^[0-9a-f]{8}$/);
  });

  it("does not start with invalid settings, and names them all [S-bad-start]", async () => {
    const env = { MAKER_K: "zero", HOST: "0.0.0.0", MAKER_API_URL: "http://127.0.0.1:9/v1" };
    const { output, exited } = launch({ PORT: "0", ...env });
    expect(await exited).toBe(2);
    for (const name of ["MAKER_K", "MCI_TOKEN", "MAKER_API_MODEL"]) expect(output()).toContain(name);
    expect(output()).not.toMatch(/\n\s+at /);
  });

  // The command ends with code 2 for each ConfigError, as the tests around this one see.
  it.each([
    ["HOST", { HOST: "no-such-host.invalid", MCI_TOKEN: "0123456789abcdef" }],
    ["MCI_DATA_DIR", { MCI_DATA_DIR: "/dev/null/history" }],
    [
      "MCI_PRICES",
      { MCI_PRICES: "/nowhere.json", MAKER_API_URL: "http://127.0.0.1:9/v1", MAKER_API_MODEL: "m" },
    ],
  ])("does not start with an unusable %s, and names it [S-bad-start]", async (name, env) => {
    const started = serve(readConfig({ PORT: "0", MCI_DETECT_LOCAL: "0", ...env }), { log: () => {} });
    await expect(started).rejects.toMatchObject({
      name: "ConfigError",
      message: expect.stringContaining(name),
    });
  });

  it.each([[[]], [["--stdio"]]])(
    "does not start, nor hang, on a history that opens but cannot be read: %j [S-bad-start]",
    async (args) => {
      const dir = temporaryFolder();
      const db = openDatabase({ dir, maxMegabytes: 10 }, "another-process");
      db.exec("DROP TABLE task_expenses");
      db.close();
      const { output, exited } = launch({ PORT: "0", MCI_DATA_DIR: dir }, args);
      expect(await exited).toBe(2);
      expect(output()).toContain(
        `The service cannot start:\n  - MCI_DATA_DIR: the history in ${dir} cannot be used: no such table`,
      );
      expect(output()).not.toMatch(/\n\s+at /);
    },
  );

  it("says which setting takes the place of --port", async () => {
    const { output, exited } = launch({}, ["--port", "9000"]);
    expect(await exited).toBe(2);
    expect(output()).toContain("--port is not an option: set PORT=9000 in the environment");
  });

  it("reports that its port is in use", async () => {
    const { port } = await listen(createServer());
    const { output, exited } = launch({ PORT: String(port) });
    expect(await exited).toBe(2);
    expect(output()).toContain(
      `127.0.0.1:${port}: the port is in use by another program; set PORT to another one`,
    );
  });

  it("names the command that was probably meant, and starts nothing", async () => {
    const misspelled = launch({}, ["evl"]);
    expect(await misspelled.exited).toBe(2);
    expect(misspelled.output()).toContain(`Unknown command "evl". Did you mean 'mci-council eval'?`);
  });

  it("says where the options are listed, for an option that is not one", async () => {
    for (const [args, help] of [
      [["--helpp"], "mci-council --help"],
      [["task", "--nope"], "mci-council task --help"],
    ] as const) {
      const wrong = launch({}, [...args]);
      expect(await wrong.exited).toBe(2);
      expect(wrong.output()).toContain(`'${help}' lists the options.`);
    }
  });

  it("prints help", async () => {
    const help = launch({}, ["--help"]);
    expect(await help.exited).toBe(0);
    for (const name of ["--stdio", "MAKER_API_KEY", "MCI_DATA_DIR", "MAKER_MAX_ROUNDS"])
      expect(help.output()).toContain(name);
    const ofEval = launch({}, ["eval", "--help"]);
    expect(await ofEval.exited).toBe(0);
    const page = readFileSync(new URL("../../../docs/council/evaluation.md", import.meta.url), "utf8");
    const options = [...page.matchAll(/^\| `(--[a-z-]+)` \|/gm)].map(([, option]) => option!);
    expect(options.length).toBeGreaterThan(8);
    for (const option of options) expect(ofEval.output()).toContain(`  ${option} `);
    const version = launch({}, ["--version"]);
    expect(await version.exited).toBe(0);
    expect(version.output()).toBe(`${manifest.version}\n`);
    expect(VERSION).toBe(manifest.version);
    const wrong = launch({}, ["--sdtio"]);
    expect(await wrong.exited).toBe(2);
    expect(wrong.output()).toContain("--sdtio");
  });

  it("killed in the middle of a run, it finds the run interrupted at the next start [S-kill]", async () => {
    const sim = await startFakeProvider({
      behaviour: { latency: { median_ms: 5 } },
      rules: [{ contains: "Vim", reply: { kind: "hang" } }],
    });
    const env = {
      MAKER_API_URL: sim.url,
      MAKER_API_MODEL: "sim",
      MCI_DATA_DIR: temporaryFolder(),
    };
    const first = await startProcess(env);
    await post(`${first.url}/mcp/model`, VOTE);
    const hanging = post(`${first.url}/mcp/model`, { ...VOTE, prompt: "Vim or Emacs?" });
    hanging.catch(() => undefined);
    await eventually(
      async () => (await readJson(fetch(`${first.url}/runs?status=running`))).runs.length,
    ).toBe(1);
    first.child.kill("SIGKILL");
    await first.exited;
    const second = await startProcess(env);
    const { runs } = await readJson(fetch(`${second.url}/runs`));
    expect(runs.map(({ prompt, status }: Record<string, string>) => [prompt, status])).toEqual([
      ["Vim or Emacs?", "interrupted"],
      ["Tabs or spaces?", "complete"],
    ]);
    const events = await readEvents(await fetch(`${second.url}/runs/${runs[0].id}/events`));
    expect(JSON.parse(events.at(-1)!.data)).toMatchObject({
      type: "run.error",
      body: { error: { code: "interrupted" } },
    });
    second.child.kill("SIGTERM");
    expect(await second.exited).toBe(0);
    await sim.close();
  });
});
