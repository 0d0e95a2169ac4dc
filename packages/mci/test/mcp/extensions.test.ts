import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { type InputRequest, MCIClient, type McpMessage } from "../../src/index.ts";
import { npmServer, serverWithLog } from "./support.ts";

// The official extensions, with a real server that has them: skills (SEP-2640) and tasks (SEP-2663).

vi.setConfig({ testTimeout: 30_000 });

const { type: _, ...settings } = serverWithLog(undefined, "extensions");
const root = temporaryFolder({}, afterAll);
const messages: McpMessage[] = [];
let client: MCIClient;

function write(name: string, server: object, more: object = {}): string {
  const file = join(root, name);
  writeFileSync(
    file,
    JSON.stringify({
      schemaVersion: "1.0",
      mcp_servers: { shop: { ...settings, ...server } },
      libraryDir: `./${name}.d`,
      ...more,
    }),
  );
  return file;
}

beforeAll(async () => {
  mkdirSync(join(root, "skills/own"), { recursive: true });
  writeFileSync(join(root, "skills/own/SKILL.md"), "---\nname: own\ndescription: Of the file\n---\nText\n");
  client = await MCIClient.load(write("all.mci.json", {}), {
    onMcpMessage: (message) => messages.push(message),
  });
});
afterAll(() => client.close());

const sent = (method: string) =>
  messages.filter(({ direction, text }) => direction === "sent" && text.includes(`"method":"${method}"`));

describe("skills", () => {
  test("of the folder and of servers are listed, and no file is fetched for that [MCP-skills]", async () => {
    expect(client.offers).toMatchObject({ resources: true, skills: true });
    expect((await client.skills()).map(({ uri }) => uri)).toEqual([
      "skill://own/SKILL.md",
      "skill://invoices/SKILL.md",
      "skill://refunds/SKILL.md",
    ]);
    expect(sent("skills/list")).toHaveLength(1);
    expect(sent("resources/read")).toEqual([]);
    const resources = await client.resources();
    expect(resources.filter(({ uri }) => uri === "skill://refunds/SKILL.md")).toHaveLength(1);
    expect(await client.readResource("skill://refunds/references/RULES.md")).toMatchObject({
      contents: [{ uri: "skill://refunds/references/RULES.md", text: "Thirty days.\n" }],
    });
    expect(sent("resources/read")).toHaveLength(1);
    expect(await client.skillDirectory("skill://refunds/references")).toMatchObject([
      { uri: "skill://refunds/references/RULES.md", mimeType: "text/markdown" },
    ]);
    await expect(client.skillDirectory("skill://refunds/SKILL.md")).rejects.toThrow("no folder of skills");
    await expect(client.getSkill("skill://nothing/SKILL.md")).rejects.toThrow("There is no skill");
  });

  test("follow the filter and the prefix of the server [MCP-skills-filtered]", async () => {
    const filtered = { skills: { filter: "only", filterValue: "refunds" }, prefix: "shop_" };
    await using one = await MCIClient.load(write("one.mci.json", filtered, { skills: false }));
    const [skill, ...more] = await one.skills();
    expect(more).toEqual([]);
    expect(skill).toMatchObject({
      uri: "skill://shop/refunds/SKILL.md",
      frontmatter: { name: "refunds" },
      resources: [
        { uri: "skill://shop/refunds/SKILL.md" },
        { uri: "skill://shop/refunds/references/RULES.md" },
      ],
    });
    expect(await one.readResource("skill://shop/refunds/SKILL.md")).toMatchObject({
      contents: [{ uri: "skill://shop/refunds/SKILL.md", text: expect.stringContaining("name: refunds") }],
    });
    for (const uri of ["skill://shop/invoices/SKILL.md", "skill://invoices/SKILL.md"]) {
      await expect(one.getSkill(uri)).rejects.toThrow("There is no skill");
      await expect(one.readResource(uri)).rejects.toThrow("There is no resource");
    }
    await using none = await MCIClient.load(
      write("none.mci.json", { skills: false, resources: false }, { skills: false }),
    );
    expect([none.offers.skills, await none.skills()]).toEqual([false, []]);
  });

  test("that are not as they were locked are hidden [MCP-skills-filtered]", async () => {
    const file = write("all.mci.json", {});
    const lock = client.lock();
    const key = "skill skill://refunds/SKILL.md";
    expect(lock.content?.[key]).toMatchObject({ source: "mcp:shop" });
    const { [key]: entry, ...content } = lock.content!;
    await using hidden = await MCIClient.load(file, {
      lock: { ...lock, content: { ...content, [key]: { ...entry!, digest: "sha256:other" } } },
    });
    expect((await hidden.skills()).map(({ uri }) => uri)).not.toContain("skill://refunds/SKILL.md");
    expect(hidden.warnings.map(({ message }) => message)).toContainEqual(
      expect.stringContaining("The skill skill://refunds/SKILL.md (mcp:shop) changed since it was locked"),
    );
    await expect(hidden.readResource("skill://refunds/SKILL.md")).rejects.toMatchObject({
      code: "resource_not_found",
    });
    await expect(hidden.getSkill("skill://refunds/SKILL.md")).rejects.toThrow("There is no skill");
  });

  test("are refused where a file is not what the locked entry says [MCP-skills-verified]", async () => {
    const file = write("stale.mci.json", {});
    await (await MCIClient.load(file)).close();
    const cache = join(root, "stale.mci.json.d/mcp/shop.mci.json");
    const { readFileSync } = await import("node:fs");
    const stored = JSON.parse(readFileSync(cache, "utf8"));
    const refunds = stored.mcpContent.skills.find(({ uri }: { uri: string }) => uri.includes("refunds"));
    refunds.resources[0].digest = `sha256:${"0".repeat(64)}`;
    writeFileSync(cache, JSON.stringify(stored));
    // The list of before is old: the entry of now is fetched, and the file is as it says.
    await using stale = await MCIClient.load(file);
    expect((await stale.skills()).find(({ uri }) => uri.includes("refunds"))).toEqual(refunds);
    expect(await stale.readResource("skill://refunds/SKILL.md")).toMatchObject({ contents: [{}] });
    // With a lock nothing is fetched anew.
    await using locked = await MCIClient.load(file, { lock: stale.lock() });
    await expect(locked.readResource("skill://refunds/SKILL.md")).rejects.toMatchObject({
      code: "skill_mismatch",
      message: expect.stringContaining("has digest sha256:"),
    });
  });

  test("of two servers at one address: the second is named, and not offered [MCP-skills-filtered]", async () => {
    const warnings: string[] = [];
    const file = write("two.mci.json", {}, { mcp_servers: { shop: settings, twin: settings } });
    await using two = await MCIClient.load(file);
    expect(await two.skills({ onWarning: (message) => warnings.push(message) })).toHaveLength(3);
    expect(warnings).toEqual([
      expect.stringContaining("skill://invoices/SKILL.md of MCP server 'twin' is not offered"),
      expect.stringContaining("skill://refunds/SKILL.md of MCP server 'twin' is not offered"),
    ]);
  });
});

describe("tasks of the revision of 2025", () => {
  test("that a tool requires are made, asked about and answered [MCP-tasks]", async () => {
    const { type: _type, ...everything } = npmServer("everything", "stdio");
    const asked: string[] = [];
    const file = write("everything.mci.json", {}, { mcp_servers: { everything } });
    await using own = await MCIClient.load(file);
    const report = await own.execute(
      "simulate-research-query",
      { topic: "python", ambiguous: true },
      {
        onInput: ({ message }) => {
          asked.push(message);
          return { action: "accept", content: { interpretation: "technical" } };
        },
      },
    );
    expect([report.isError, report.text]).toEqual([
      false,
      expect.stringContaining("# Research Report: python (technical)"),
    ]);
    expect(asked).toHaveLength(1);
    expect((await own.execute("echo", { message: "hi" })).text).toBe("Echo: hi");
  });
});

describe("tasks of a server", () => {
  const working = async () => (await client.execute("tasks_left")).text;

  test("are followed until their result is there [MCP-tasks]", async () => {
    const ids: string[] = [];
    const progress: (string | undefined)[] = [];
    const result = await client.execute(
      "slow_upstream",
      { seconds: 0.2, label: "x" },
      { onTask: ({ id }) => ids.push(id), onProgress: ({ message }) => progress.push(message) },
    );
    expect([result.isError, result.text, ids.length, progress]).toEqual([false, "done x", 1, ["halfway"]]);
  });

  test("ask their questions, each once, and get the answers [MCP-tasks]", async () => {
    const asked: string[] = [];
    const onInput = (request: InputRequest) => {
      asked.push(request.message);
      return { action: "accept" as const, content: { ok: true } };
    };
    expect((await client.execute("confirm_delete", { filename: "a.txt" }, { onInput })).text).toBe(
      "Deleted a.txt",
    );
    expect((await client.execute("multi_input", {}, { onInput })).text).toBe("accept,accept");
    expect(asked).toEqual(["Delete a.txt?", "First?", "Second?"]);
    const unanswered = await client.execute("confirm_delete", { filename: "b.txt" });
    expect(unanswered.metadata["error_code"]).toBe("input_required");
    await vi.waitFor(async () => expect(await working()).toBe("0"));
  });

  test("keep their session open, and outlive a restart of the server for others [MCP-tasks]", async () => {
    await using short = await MCIClient.load(write("idle.mci.json", {}), { mcp: { idleTimeoutMs: 10 } });
    expect((await short.execute("slow_upstream", { seconds: 0.3, label: "idle" })).text).toBe("done idle");
    const restarted = Promise.withResolvers<void>();
    const result = await client.execute(
      "slow_upstream",
      { seconds: 0.5, label: "restarted" },
      { onTask: () => client.restartMcpServer("shop").then(restarted.resolve, restarted.reject) },
    );
    await restarted.promise;
    expect(result.text).toBe("done restarted");
  });

  test("that fail are errors, with what the server says [MCP-tasks]", async () => {
    const result = await client.execute("protocol_error_job");
    expect([result.isError, result.text]).toEqual([
      true,
      "Failed to execute MCP tool 'protocol_error_job': The job broke",
    ]);
    expect(result.metadata).toMatchObject({ mcp_error_code: -32_603 });
  });

  test("end with the call: cancelled, or out of time [MCP-tasks-end]", async () => {
    const controller = new AbortController();
    const cancelled = client.execute(
      "slow_upstream",
      { seconds: 60 },
      { signal: controller.signal, onTask: () => setTimeout(() => controller.abort(), 20) },
    );
    expect((await cancelled).metadata["error_code"]).toBe("aborted");
    await vi.waitFor(async () => expect(await working()).toBe("0"));
    await using short = await MCIClient.load(write("short.mci.json", { timeout_ms: 200 }));
    const late = await short.execute("slow_upstream", { seconds: 60 });
    expect(late.metadata["error_code"]).toBe("mcp_timeout");
    await vi.waitFor(async () => expect((await short.execute("tasks_left")).text).toBe("0"));
  });
});
