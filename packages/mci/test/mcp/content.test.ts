import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { MCIClient } from "../../src/client.ts";
import { mayMatch, parseUriTemplate } from "../../src/load/content/uri-template.ts";

const baseDir = temporaryFolder({ "pages/one.md": "# One" }, afterAll);
writeFileSync(join(baseDir, "..", "mci-content-outside.md"), "outside");

const own = {
  schemaVersion: "1.0",
  prompts: [
    {
      name: "review",
      description: "Reviews code",
      arguments: [{ name: "code", required: true }, { name: "tone" }],
      execution: { type: "text", text: "Review: {{props.code}} ({{props.tone | 'plain'}})" },
    },
  ],
  resources: [
    {
      name: "about",
      uri: "docs://about",
      mimeType: "text/markdown",
      execution: { type: "text", text: "# About" },
    },
    {
      name: "page",
      uriTemplate: "docs://pages/{page}",
      execution: { type: "file", path: "pages/{{props.page}}.md" },
    },
  ],
};

describe("a file's own prompts and resources", () => {
  test("are listed, filled in and read [MCP-own-content]", async () => {
    await using client = await MCIClient.fromObject(own, { baseDir });
    expect(client.offers).toEqual({ resources: true, prompts: true, skills: false });
    expect(await client.prompts()).toMatchObject([
      { name: "review", arguments: [{ name: "code" }, { name: "tone" }] },
    ]);
    expect(await client.getPrompt("review", { code: "{{env.SECRET}}" })).toEqual({
      description: "Reviews code",
      messages: [{ role: "user", content: { type: "text", text: "Review: {{env.SECRET}} (plain)" } }],
    });
    await expect(client.getPrompt("review")).rejects.toMatchObject({ code: "invalid_input" });
    await expect(client.getPrompt("reveiw")).rejects.toThrow("Did you mean 'review'?");
    expect(await client.resources()).toMatchObject([{ uri: "docs://about", name: "about" }]);
    expect(await client.readResource("docs://about")).toEqual({
      contents: [{ uri: "docs://about", mimeType: "text/markdown", text: "# About" }],
    });
    expect(await client.readResource("docs://pages/one")).toMatchObject({ contents: [{ text: "# One" }] });
    await expect(client.readResource("docs://nothing")).rejects.toMatchObject({ code: "resource_not_found" });
  });

  test("keep values of clients inside the allowed folders [MCP-own-content]", async () => {
    await using client = await MCIClient.fromObject(own, { baseDir });
    for (const page of ["..%2F..%2Fmci-content-outside", "%2Fetc%2Fpasswd", "..\\..\\x", "one%00"])
      await expect(client.readResource(`docs://pages/${page}`)).rejects.toMatchObject({
        code: "request_failed",
      });
    await expect(client.readResource("docs://pages/../one")).rejects.toMatchObject({
      code: "resource_not_found",
    });
  });

  test("that cannot work are errors of loading [MCP-own-content]", async () => {
    const text = { type: "text", text: "x" };
    const load = (part: object) => MCIClient.fromObject({ schemaVersion: "1.0", ...part }, { baseDir });
    const prompt = (execution: object) => ({ prompts: [{ name: "p", execution }] });
    await expect(load(prompt({ type: "cli", command: "ls" }))).rejects.toThrow("cannot be of type cli");
    const resources = (...all: object[]) => ({
      resources: all.map((one) => ({ name: "r", execution: text, ...one })),
    });
    await expect(load(resources({}))).rejects.toThrow("either uri or uriTemplate");
    await expect(load(resources({ uri: "https://example.com/a" }))).rejects.toThrow("a scheme of your own");
    await expect(load(resources({ uriTemplate: "docs://{?query}" }))).rejects.toThrow(
      "{name} and {+name} only",
    );
    await expect(load(resources({ uri: "a:b" }, { uri: "a:b" }))).rejects.toThrow(
      "two of the resource 'a:b'",
    );
  });

  test("are in the lock: one that changed is not served [MCP-own-content]", async () => {
    await using first = await MCIClient.fromObject(own, { baseDir });
    const lock = first.lock();
    expect(Object.keys(lock.content ?? {})).toEqual([
      "prompt review",
      "resource docs://about",
      "resource template docs://pages/{page}",
    ]);
    const [about, page] = own.resources;
    const changed = { ...own, resources: [{ ...about, execution: { type: "text", text: "other" } }, page] };
    await using second = await MCIClient.fromObject(changed, { baseDir, lock });
    expect(await second.resources()).toEqual([]);
    expect(await second.prompts()).toHaveLength(1);
    expect(second.warnings.map(({ message }) => message)).toEqual([
      "The resource docs://about (main) changed since it was locked: execution",
    ]);
  });
});

test.each([
  ["a://{x}", "a://1", { x: "1" }],
  ["a://{x}", "a://1/2", undefined],
  ["a://{+x}", "a://1/2", { x: "1/2" }],
  ["a://{x}/y/{z}", "a://1/y/2", { x: "1", z: "2" }],
  ["a://{x}.json", "a://.json", undefined],
  ["a://{x}", "a://%E0%A4%A", undefined],
  ["a://{x}", `a://${"1".repeat(10_000)}`, undefined],
])("the template %s reads %s", (template, uri, values) => {
  expect(parseUriTemplate(template)?.match(uri)).toEqual(values);
});

test("a template of a server without a scheme matches nothing: it could claim every address", () => {
  expect([mayMatch("{+all}", "docs://a"), mayMatch("x{all}", "xyz"), mayMatch("a://{b}", "a://c")]).toEqual([
    ...[false, false, true],
  ]);
});
