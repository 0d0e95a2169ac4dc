import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { SkillsClient } from "@modelcontextprotocol/client/ext/skills";
import { MCIClient } from "mci-ts";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { folder } from "../mci.ts";
import { type Connected, connect, connectTo, ERAS, extensionsServer, serveHttp } from "./support.ts";

// The official extensions through `mci run`: skills for the official client, tasks for the library as a client of itself.

const SKILL = (name: string) => `---\nname: ${name}\ndescription: About ${name}\n---\n\n# ${name}\n`;
const ends: (() => unknown)[] = [];
const later = (end: () => unknown) => void ends.unshift(end);
let cwd: string;
let url: string;
let stderr: () => string;

beforeAll(async () => {
  cwd = folder(
    {
      "mci.json": {
        schemaVersion: "1.0",
        tools: [
          {
            name: "slow",
            task: true,
            execution: {
              type: "cli",
              command: process.execPath,
              args: ["-e", "setTimeout(() => console.log('done'), 300)"],
            },
          },
          { name: "only_as_task", task: "required", execution: { type: "text", text: "hi" } },
          { name: "quick", execution: { type: "text", text: "quick" } },
        ],
        mcp_servers: { shop: { command: process.execPath, args: [extensionsServer], prefix: "shop_" } },
      },
      "skills/forms/SKILL.md": SKILL("forms"),
      "skills/forms/FIELDS.md": "Fields\n",
      "skills/linked/SKILL.md": SKILL("linked"),
    },
    later,
  );
  symlinkSync("/etc/passwd", join(cwd, "skills/linked/passwd"));
  ({ url, stderr } = await serveHttp({ cwd }, later));
});
afterAll(async () => {
  for (const end of ends) await end();
});

describe.each(ERAS)("skills for a client of the %s protocol", (era) => {
  test("are listed, read and verified; what is not served is named [RUN-skills]", async () => {
    const client = await connectTo(url, era);
    const skills = new SkillsClient(client);
    const { skills: listed } = await skills.list();
    expect(listed.map(({ uri }) => uri)).toEqual([
      "skill://forms/SKILL.md",
      "skill://shop/invoices/SKILL.md",
      "skill://shop/refunds/SKILL.md",
    ]);
    expect(await skills.read(listed[0]!, "FIELDS.md")).toMatchObject({ text: "Fields\n", verified: true });
    expect(await skills.read(listed[2]!)).toMatchObject({ verified: true, frontmatter: { name: "refunds" } });
    expect((await skills.readDirectory("skill://shop/refunds")).resources.map(({ name }) => name)).toEqual([
      "refunds",
      "references",
    ]);
    for (const uri of [
      "skill://linked/passwd",
      "skill://linked/SKILL.md",
      "skill://forms/../linked/SKILL.md",
    ])
      await expect(client.readResource({ uri })).rejects.toThrow("There is no resource");
    expect(stderr()).toContain("the skill in skills/linked is not served");
  });
});

test("a skill that changes is served as it is now, and its entry with it [RUN-skills]", async () => {
  const client = await connectTo(url, "modern");
  const skills = new SkillsClient(client);
  const { skill } = await skills.get("skill://forms/SKILL.md");
  writeFileSync(join(cwd, "skills/forms/FIELDS.md"), "Other fields\n");
  await vi.waitFor(async () => {
    await expect(skills.read(skill, "FIELDS.md", { cacheMode: "refresh" })).rejects.toThrow("bytes");
    const current = (await skills.get(skill.uri)).skill;
    expect(await skills.read(current, "FIELDS.md", { cacheMode: "refresh" })).toMatchObject({
      verified: true,
    });
  }, 5000);
});

describe("tasks", () => {
  let client: MCIClient;
  let plain: Connected;
  beforeAll(async () => {
    mkdirSync(join(cwd, "client"));
    client = await MCIClient.fromObject(
      { schemaVersion: "1.0", mcp_servers: { mci: { url } } },
      { baseDir: join(cwd, "client") },
    );
    later(() => client.close());
    plain = await connect("http", "modern", { cwd }, {}, later);
  });
  const tasks: string[] = [];
  const run = async (name: string, input: object = {}, more: object = {}) => {
    tasks.length = 0;
    return client.execute(name, input, { onTask: ({ id }: { id: string }) => tasks.push(id), ...more });
  };

  test("are what calls of slow tools become, for a client that supports them [RUN-tasks]", async () => {
    expect([(await run("slow")).text.trim(), tasks.length]).toEqual(["done", 1]);
    expect([(await run("quick")).text, tasks.length]).toEqual(["quick", 0]);
    expect([(await run("only_as_task")).text, tasks.length]).toEqual(["hi", 1]);
    expect((await plain.client.callTool({ name: "slow" })).content).toMatchObject([{ text: "done\n" }]);
    await expect(plain.client.callTool({ name: "only_as_task" })).rejects.toMatchObject({ code: -32_021 });
  });

  test("of a server behind are tasks of ours, with their questions and their end [RUN-tasks]", async () => {
    expect([(await run("shop_slow_upstream", { label: "x" })).text, tasks.length]).toEqual(["done x", 1]);
    const onInput = () => ({ action: "accept" as const, content: { confirm: true } });
    expect((await run("shop_confirm_delete", { filename: "a" }, { onInput })).text).toBe("Deleted a");
    const failed = await run("shop_protocol_error_job");
    expect([failed.isError, failed.text]).toEqual([true, expect.stringContaining("The job broke")]);
    // A client without tasks waits, and gets the same.
    const { content } = await plain.client.callTool({
      name: "shop_slow_upstream",
      arguments: { label: "y" },
    });
    expect(content).toEqual([{ type: "text", text: "done y" }]);
  });

  test("that are cancelled end at the server behind, too [RUN-tasks]", async () => {
    const controller = new AbortController();
    const onTask = () => setTimeout(() => controller.abort(), 20);
    const cancelled = await run("shop_slow_upstream", { seconds: 60 }, { signal: controller.signal, onTask });
    expect(cancelled.metadata["error_code"]).toBe("aborted");
    await vi.waitFor(async () => expect((await run("shop_tasks_left")).text).toBe("0"), 10_000);
  });
});
