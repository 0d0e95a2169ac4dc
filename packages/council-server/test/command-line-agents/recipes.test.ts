import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { post, readEvents, startCouncil } from "../harness.ts";
import { readJson } from "../read-json.ts";
import { AGENTS, TOKEN } from "./agents.ts";

const PAGE = readFileSync(new URL("../../../../docs/council/agents.md", import.meta.url), "utf8");

test.each(AGENTS)("[ACT-recipes] the recipe of $name is what npm run prove:agents uses", ({ configure }) => {
  const folder = temporaryFolder();
  const { env } = configure({ home: folder, project: folder, url: "http://127.0.0.1:8338" });
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  for (const { parentPath, name } of files)
    expect(PAGE).toContain(readFileSync(join(parentPath, name), "utf8").trim());
  // Variables that only keep the test from reaching for the network are not the user's.
  for (const [name, value] of Object.entries(env).filter(([, value]) => value !== "1"))
    expect(PAGE).toContain(value === TOKEN ? name : `${name}=${value}`);
  expect(files.length + Object.keys(env).length).toBeGreaterThan(0);
});

test("[ACT-recipes] what LibreChat and Open WebUI ask for is there: models, a title for one call, a chat", async () => {
  const yaml = /```yaml\n([\s\S]*?)```/.exec(PAGE)![1]!;
  const [{ models, titleModel, baseURL }] = parse(yaml).endpoints.custom;
  expect(PAGE).toContain(`OPENAI_API_BASE_URLS=${baseURL}`);
  expect(PAGE).toContain(`TASK_MODEL_EXTERNAL=${titleModel}`);
  const { url, sim } = await startCouncil({
    rules: [{ tools: false, reply: { kind: "text", text: "A title" } }],
  });
  const { data } = await readJson(fetch(`${url}/v1/models`));
  expect(data.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining(models.default));
  const messages = [{ role: "user", content: "Give this conversation a title" }];
  const title = await readJson(
    post(`${url}/v1/chat/completions`, { model: titleModel, messages, stream: false }),
  );
  expect(title.choices[0].message.content).toBe("A title");
  expect(sim.stats.arrivals).toBe(1);
  const chat = await post(`${url}/v1/chat/completions`, { model: titleModel, messages, stream: true });
  expect((await readEvents(chat)).at(-1)!.data).toBe("[DONE]");
});
