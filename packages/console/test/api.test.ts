import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "../../cli/test/mci.ts";
import { openTab } from "./support/open-tab.ts";
import { startRun, startSimulated, startUi } from "./support/servers.ts";

/* The API of the tools screens, asked without a page. */

const SECRET = "sk-live-4f9a81c2";
const ASKING = {
  schemaVersion: "1.0",
  tools: [{ name: "a", execution: { type: "file", path: "{{env.PROBE}}" }, enableAnyPaths: true }],
};

test("[UI-tells-nothing] a text is checked only for those who may save it, and problems show no value of env", async () => {
  const cwd = folder({ "mci.json": { schemaVersion: "1.0", tools: [] } });
  const text = JSON.stringify(ASKING);
  const ui = await openTab(await startUi(cwd, { env: { PROBE: SECRET } }));
  const checked = await (await ui("validate", "POST", { text })).text();
  expect(checked).toContain("File not found: ***");
  expect(checked).not.toContain(SECRET);

  const service = await startSimulated({ MCI_TOOLS: join(cwd, "mci.json"), PROBE: SECRET });
  const ofService = (path: string, body: object) =>
    fetch(`${service.url}/api/${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const run = await openTab(await startRun(cwd));
  for (const refused of [await ofService("validate", { text }), await run("validate", "POST", { text })]) {
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({ error: { code: "read_only" } });
  }
  expect(await (await ofService("validate", {})).json()).toEqual({ problems: [] });

  // What a call of an unsaved text would send shows no value either, whatever the text declares as public.
  const drafted = JSON.stringify({
    schemaVersion: "1.0",
    publicEnv: ["PROBE"],
    tools: [
      {
        name: "a",
        execution: {
          type: "http",
          url: "http://localhost:1/{{env.PROBE}}?key={{env.PROBE}}",
          headers: { "x-key": "{{env.PROBE}}" },
          body: { type: "json", content: { key: "{{env.PROBE}}" } },
        },
      },
    ],
  });
  for (const action of ["draft", "preview"]) {
    const shown = await ui(`tools/a/${action}`, "POST", { text: drafted, input: {} });
    const body = await shown.text();
    expect([shown.status, body.includes("localhost:1/***?key=***")]).toEqual([200, true]);
    expect(body).not.toContain(SECRET);
    expect((await ofService(`tools/a/${action}`, { text: drafted, input: {} })).status).toBe(403);
    expect((await run(`tools/a/${action}`, "POST", { text: drafted, input: {} })).status).toBe(403);
  }
});

test("[UI-saved-tests] calls of tools that take passwords, and pages that may not write, save no test", async () => {
  const properties = { pin: { type: "string", format: "password" } };
  const unlock = {
    name: "unlock",
    inputSchema: { type: "object", properties },
    execution: { type: "text", text: "x" },
  };
  const cwd = folder({ "mci.json": { schemaVersion: "1.0", tools: [unlock] } });
  const tabs = [await openTab(await startUi(cwd)), await openTab(await startRun(cwd))];
  const codes = tabs.map(async (tab) => {
    const { id } = (await (await tab("tools/unlock/call", "POST", { input: { pin: "1" } })).json()) as {
      id: number;
    };
    const refused = await tab(`calls/${id}/test`, "POST", {});
    return ((await refused.json()) as { error: { code: string } }).error.code;
  });
  expect(await Promise.all(codes)).toEqual(["private_call", "read_only"]);
  expect(readdirSync(cwd)).not.toContain("mci.tests.json");
});

test("[UI-tells-nothing] neither the existence of a path nor the keys of a file elsewhere can be asked for", async () => {
  const root = folder({
    "project/mci.json": { schemaVersion: "1.0", tools: [] },
    "out/keys.json": { private_key_id: 1 },
    "out/run": "#!/bin/sh",
  });
  const ui = await openTab(await startUi(join(root, "project")));
  const said = async (name: string) => {
    const tools = [
      { name: "a", execution: { type: "file", path: join(root, name) }, enableAnyPaths: true },
      { name: "b", execution: { type: "cli", command: join(root, name) } },
    ];
    const text = JSON.stringify(
      { schemaVersion: "1.0", libraryDir: root, toolsets: [name.slice(1)], tools },
      null,
      1,
    );
    return (await (await ui("validate", "POST", { text })).text()).replaceAll(name, "NAME");
  };
  const answers = await Promise.all(
    ["/out/keys.json", "/out/nothing", "/out/run", "/out", "/nothing/at/all"].map(said),
  );
  expect(new Set(answers).size).toBe(1);
  expect(answers[0]).not.toContain("private_key_id");
});

test("[UI-tells-nothing] an error inside the server and a malformed path say nothing of the machine", async () => {
  const ui = await openTab(await startUi(folder({ "mci.json": { schemaVersion: "1.0", tools: [] } })));
  const malformed = await ui("tools/%E0%A4%A");
  expect(malformed.status).toBe(400);
  expect((await malformed.json()) as object).toMatchObject({ error: { code: "invalid_request" } });
});

test("[UI-conflict] of saves at once, from one tab, several tabs and two servers, one wins and the others are told", async () => {
  const cwd = folder({ "mci.json": { schemaVersion: "1.0", tools: [] } });
  const file = join(cwd, "mci.json");
  const commands = [await startUi(cwd), await startUi(cwd)];
  const tabs = [...(await Promise.all(commands.map(openTab))), await openTab(commands[0]!)];
  for (let round = 0; round < 5; round++) {
    const { version } = (await (await tabs[0]!("file")).json()) as { version: string };
    const texts = Array.from({ length: 12 }, (_, each) =>
      JSON.stringify({ schemaVersion: "1.0", tools: [], metadata: { name: `${round} ${each}` } }),
    );
    const responses = await Promise.all(
      texts.map((text, each) => tabs[each % tabs.length]!("file", "PUT", { text, version })),
    );
    const winners = texts.filter((_, each) => responses[each]!.status === 200);
    expect(responses.map(({ status }) => status).toSorted()).toEqual([200, ...texts.slice(1).map(() => 409)]);
    expect(readFileSync(file, "utf8")).toBe(winners[0]);
  }
});
