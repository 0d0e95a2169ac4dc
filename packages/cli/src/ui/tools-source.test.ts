import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { folder } from "../../test/mci.ts";
import { createToolsSource, type ToolsSourceOptions } from "./tools-source.ts";

test("[C-conflict] a page that saves while another process changes the file is told so", async () => {
  const root = folder({ "mci.json": "old" });
  const file = join(root, "mci.json");
  const source = createToolsSource({ file, writable: true } as ToolsSourceOptions);
  const saved = source.save("new", () => {
    writeFileSync(join(root, ".mci.json.lock"), "2 another\n");
    return true;
  });
  await expect(saved).rejects.toMatchObject({
    status: 409,
    code: "locked",
    message: expect.stringContaining("Another process is changing the file. Try again."),
  });
  expect(readFileSync(file, "utf8")).toBe("old");
});

const toolOf = (name: string) => ({
  schemaVersion: "1.0",
  publicEnv: [name],
  tools: [{ name: "t", execution: { type: "text", text: `{{env.${name}}}` } }],
});
const escaped = (text: string, code: string) => text.replaceAll("SECRET_KEY", `SECRET_${code}EY`);

test.each([
  ["as it is", JSON.stringify(toolOf("SECRET_KEY"))],
  ["with an escape of JSON", escaped(JSON.stringify(toolOf("SECRET_KEY")), "\\u004b")],
  ["with an escape of YAML", escaped(JSON.stringify(toolOf("SECRET_KEY")), "\\x4b")],
  ["over two lines", escaped(JSON.stringify(toolOf("SECRET_KEY")), "\\\n  K")],
])(
  "a text that is not saved shows no variable, however it writes its name: %s [UI-tells-nothing]",
  async (_, text) => {
    const file = join(folder({ "mci.yaml": "schemaVersion: '1.0'" }), "mci.yaml");
    const env = async () => ({ values: { SECRET_KEY: "s3cr3t-value" }, warnings: [], sources: new Map() });
    const source = createToolsSource({ file, writable: true, env } as unknown as ToolsSourceOptions);
    const { text: result } = await source.withText!(text, async (client, mask) => {
      const { text } = await client.execute("t");
      expect(text).toBe("s3cr3t-value");
      return { text: mask(text) };
    });
    expect(result).toBe("***");
  },
);
