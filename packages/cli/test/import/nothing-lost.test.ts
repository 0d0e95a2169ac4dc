// biome-ignore-all lint/suspicious/noTemplateCurlyInString: commands of a shell
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { importCurl } from "../../src/import/curl/curl.ts";
import { leaveOutInvalid, requireSomething } from "../../src/import/leave-out-invalid.ts";
import { importMcpConfig } from "../../src/import/mcp-config/mcp-config.ts";
import { mergeInto } from "../../src/import/merge.ts";
import { importPostman } from "../../src/import/postman/postman.ts";

// biome-ignore lint/suspicious/noExplicitAny: tools may have any shape
const onlyTool = ({ document }: { document: any }) => document.tools[0];

describe("[C-import-lost] curl: whatever is left out is named", () => {
  it.each([
    ["an unknown option", "curl https://a.example/x --foo", "The option --foo is not known and is left out."],
    ["the next request", "curl https://a.example/x --next -X PUT https://a.example/y", "What follows --next"],
    ["a pipe", "curl https://a.example/x | jq .", "What follows | in the command line is left out."],
    ["a redirection", "curl https://a.example/x >out.json 2>&1", "What follows > in the command line"],
    ["a second command", "curl https://a.example/x; rm -rf y", "What follows ; in the command line"],
    ["variables", 'curl "https://a.example/$ID" -H "X-A: ${B}"', "replaced $ID, ${B}; here they are text"],
    ["a command inside", 'curl "https://a.example/?x=$(date)"', "replaced $(…); here"],
    ["a range", "curl https://a.example/[1-3]", "curl would send a request for each address"],
    [
      "a file of headers",
      "curl https://a.example/x -H @h.txt",
      "The headers of the file h.txt are left out.",
    ],
    [
      "a header twice",
      "curl https://a.example/x -H 'X-A: a' -H 'x-a: b'",
      "The header 'x-a' is given 2 times; the last one is sent.",
    ],
    [
      "noise",
      "curl https://a.example/x -A me -H 'Accept-Language: de'",
      "left out: User-Agent, Accept-Language",
    ],
  ])("%s", (_, command, message) => {
    const imported = importCurl(command);
    expect(imported.warnings.join("\n")).toContain(message);
    expect(onlyTool(imported).execution.method).toBe("GET");
  });

  it("what changes nothing is not worth a word", () => {
    for (const command of [
      "curl -sSL --compressed --http2 https://a.example/x",
      "curl 'https://a.example/x?a=1&b=2' -H 'X-A: $HOME'",
      "curl https://a.example/x?a=1&b=2",
      String.raw`curl "https://a.example/\$ID"`,
      "curl -g 'https://a.example/[1-3]'",
    ])
      expect(importCurl(command).warnings, command).toEqual([]);
  });

  it("a quote that is not closed is an error, and --url-query is part of the query", () => {
    expect(() => importCurl("curl 'https://a.example/x -H 'a: b'")).toThrow("a quote that is not closed");
    const { params } = onlyTool(importCurl("curl https://a.example/x --url-query 'q=a b'")).execution;
    expect(params).toEqual({ q: "{!!props.q!!}" });
  });
});

it("[C-import-lost] several cookies of curl are one header", () => {
  const { secrets } = importCurl("curl https://a.example/x -b a=1 -b b=2");
  expect([...secrets.values()]).toEqual(["a=1; b=2"]);
});

const collection = (...item: object[]) =>
  JSON.stringify({ info: { name: "P", schema: "…/v2.1.0/collection.json" }, item });

describe("[C-import-lost] Postman: nothing is dropped without a word", () => {
  it("the type of a part is kept, and a body that cannot be read is asked for", () => {
    const formdata = [{ key: "t", value: "v", type: "text", contentType: "text/csv" }];
    const raw = { mode: "raw", raw: "{bad", options: { raw: { language: "json" } } };
    const url = "https://api.example.com/up";
    const { document, warnings } = importPostman(
      collection(
        { name: "a", request: { method: "POST", url, body: { mode: "formdata", formdata } } },
        { name: "b", request: { method: "POST", url, body: raw, proxy: {}, header: "User-Agent: x" } },
        { name: "c", request: { method: "POST", url, body: { mode: "future" } } },
      ),
    );
    const [a, b] = document.tools!;
    expect(a!.execution.body).toMatchObject({ contentTypes: { t: "text/csv" } });
    expect(b!.execution).toMatchObject({
      headers: { "Content-Type": "application/json" },
      body: { type: "raw", content: "{{props.body}}" },
    });
    expect(warnings).toEqual([
      "b: its JSON body cannot be read, so the whole body is asked for as text",
      "b: its 'proxy' is left out",
      "c: a body of the kind 'future' is left out",
      "Headers that browsers and tools add by themselves are left out: User-Agent",
    ]);
  });

  it("a user and a password in the address may be variables", () => {
    const request = { url: "https://{{user}}:{{pass}}@api.example.com/x" };
    expect(onlyTool(importPostman(collection({ name: "a", request }))).execution.auth).toEqual({
      type: "basic",
      username: "{{env.P_USER}}",
      password: "{{env.P_PASS}}",
    });
  });

  it("a document that ends too early is an error with its place", () => {
    const text = collection({ name: "a", request: { url: "https://a.example" } });
    expect(() => importPostman(text.slice(0, -2))).toThrow(/not valid JSON: .* at line 1, column \d+/);
    expect(() => importMcpConfig('{"mcpServers": {"a": {"command": "x"}')).toThrow("not valid JSON");
  });
});

describe("[C-import-lost] configurations of MCP clients", () => {
  it("an unknown setting, a server of another kind and those of projects are named", () => {
    const { document, skipped, warnings } = importMcpConfig(
      JSON.stringify({
        mcpServers: {
          a: { command: "x", autoApprove: ["y"], cwd: "/tmp" },
          b: { url: "ws://127.0.0.1/mcp" },
        },
        projects: { "/home/me/p": { mcpServers: { c: { command: "z" } } } },
      }),
    );
    expect(Object.keys(document.mcp_servers!)).toEqual(["a"]);
    expect(skipped).toEqual([
      { what: "b", reason: "is reached by ws:, which MCI does not speak", byChoice: false },
    ]);
    expect(warnings).toEqual([
      "a: its 'autoApprove' is left out",
      "a: its 'cwd' is left out: a server runs in the directory of the MCI file",
      "Left out, as they belong to the project /home/me/p: c",
    ]);
  });

  it("a server that would not be valid is left out, and the others stay", async () => {
    const config = JSON.stringify({ mcpServers: { a: { command: "x" }, "b c": { url: "http://" } } });
    const { document, skipped } = await leaveOutInvalid(importMcpConfig(config), tmpdir());
    expect(Object.keys(document.mcp_servers!)).toEqual(["a"]);
    expect(skipped).toMatchObject([{ what: "b c", reason: expect.stringContaining("not be valid") }]);
  });

  it("nothing at all is an error", () => {
    expect(() => requireSomething(importMcpConfig('{"mcpServers": {}}'))).toThrow("nothing to import");
    const disabled = importMcpConfig('{"mcpServers": {"a": {"command": "x", "disabled": true}}}');
    expect(() => requireSomething(disabled)).toThrow("a: is disabled");
  });
});

describe("[C-import-lost] importing into a file that is there", () => {
  const file = (name: string, text: string) => join(temporaryFolder({ [name]: text }), name);
  const { document } = importCurl("curl https://a.example/x", "fetch");

  it("keeps the comments and every entry of a YAML file", async () => {
    const before =
      '# ours\nschemaVersion: "1.0"\ntools:\n  # greets\n  - name: hi\n    execution: { type: text, text: hi } # short\n';
    const { text, changes } = await mergeInto(file("mci.yaml", before), document, "join", false);
    expect(text.startsWith(before)).toBe(true);
    expect(text).toContain("name: fetch");
    expect(changes).toMatchObject({ added: ["fetch"], removed: [], changed: [] });
  });

  it("refuses a file with a mistake, and one with settings that an import would drop", async () => {
    const broken = file("mci.json", '{"schemaVersion":"1.0","tools":[{"name":"a"');
    await expect(mergeInto(broken, document, "join", false)).rejects.toThrow("not valid JSON");
    const jinja = file("mci.json", '{"schemaVersion":"1.0","templateEngine":"jinja2","tools":[]}');
    await expect(mergeInto(jinja, document, "replace", false)).rejects.toThrow("would be lost");
  });

  it.each(["join", "replace"] as const)(
    "refuses to %s a JSON file with comments, unless it is forced to",
    async (mode) => {
      const commented = file("mci.json", '{\n  // ours\n  "schemaVersion": "1.0",\n  "tools": []\n}');
      await expect(mergeInto(commented, document, mode, false)).rejects.toThrow(
        "has comments or trailing commas",
      );
      expect((await mergeInto(commented, document, mode, true)).changes.added).toEqual(["fetch"]);
    },
  );
});

describe("[C-import-lost] Postman: whatever is left out or cut is named", () => {
  const request = (more: object) => ({ name: "a", request: { url: "https://a.example/x", ...more } });
  it.each([
    [
      "a header that is switched off",
      request({ header: [{ key: "X-A", value: "1", disabled: true }] }),
      "a: its header 'X-A' is switched off and is left out",
    ],
    [
      "a header twice",
      request({
        header: [
          { key: "X-A", value: "1" },
          { key: "x-a", value: "2" },
        ],
      }),
      "a: its header 'x-a' is given 2 times; the last one is sent",
    ],
    [
      "a header without a name",
      request({ header: [{ key: "", value: "1" }] }),
      "a: a header without a name is left out",
    ],
    [
      "a field without a name",
      request({ body: { mode: "urlencoded", urlencoded: [{ key: "", value: "1" }] } }),
      "a: a parameter or field without a name is left out",
    ],
    [
      "a long description",
      request({ description: "d".repeat(2000) }),
      "a: its description is cut to 1024 characters",
    ],
  ])("%s", (_, item, message) => {
    expect(importPostman(collection(item)).warnings).toEqual([message]);
  });

  it("empty rows are not worth a word, and what is not a request is skipped", () => {
    const empty = request({
      header: [{ key: "", value: "" }],
      url: { raw: "https://a.example/x", query: [{ key: null, value: null }] },
    });
    expect(importPostman(collection(empty)).warnings).toEqual([]);
    expect(importPostman(collection("odd" as never)).skipped).toMatchObject([{ what: "an entry" }]);
  });
});
