// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders of other clients look like this
import { expect, test } from "vitest";
import { importCurl } from "../../src/import/curl/curl.ts";
import { importMcpConfig } from "../../src/import/mcp-config/mcp-config.ts";
import { importPostman } from "../../src/import/postman/postman.ts";

const SECRET = "hunterxy";
const KEY = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
const UUID = "550e8400-e29b-41d4-a716-446655440000";
const ADDRESS = "https://shop.example/a";

const quoted = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
const curl = (...words: string[]) => importCurl(["curl", ...words.map(quoted)].join(" "));
const postman = (request: object, name = "A", more: object = {}) =>
  importPostman(JSON.stringify({ info: { name: "Shop" }, item: [{ name, request }], ...more }));
const server = (settings: object) => importMcpConfig(JSON.stringify({ mcpServers: { s: settings } }));
const text = (type: string, body: string) => ["-H", `Content-Type: ${type}`, "-d", body] as const;

test.each([
  ["a word before token", () => curl(`${ADDRESS}?admin_token=${SECRET}&X-Account-Token=${SECRET}`)],
  [
    "a number after the name",
    () => curl(ADDRESS, "--json", `{"password1":"${SECRET}","oauth2":"${SECRET}"}`),
  ],
  ["names in one word", () => curl(ADDRESS, "-H", `appkey: ${SECRET}`, "-H", `dbpass: ${SECRET}`)],
  ["a name inside a text", () => curl(ADDRESS, ...text("text/yaml", `password: ${SECRET}`))],
  ["a name inside prose", () => curl(ADDRESS, "--json", `{"note":"my password is ${SECRET}"}`)],
  ["a parameter of a path", () => curl(`${ADDRESS};jsessionid=${SECRET}`)],
  ["a parameter of Accept", () => curl(ADDRESS, "-H", `Accept: text/html;token=${SECRET}`)],
  ["a parameter of Content-Type", () => curl(ADDRESS, ...text(`text/plain; x=${SECRET}`, "a"))],
  ["a media type", () => curl(ADDRESS, ...text(`text/plain, ${SECRET}`, "a"))],
  [
    "a type of a part",
    () => curl(ADDRESS, "-F", `a=b;type=text/csv; x=${SECRET}`, "-F", `f=@a;type=${SECRET}`),
  ],
  [
    "a type of a part in a collection",
    () => {
      const contentType = `text/csv; x=${SECRET}`;
      const formdata = [
        { key: "a", value: "b", contentType },
        { key: "f", type: "file", src: "a", contentType },
      ];
      return postman({ url: ADDRESS, body: { mode: "formdata", formdata } });
    },
  ],
  ["a form that is nothing but a text", () => curl(ADDRESS, "-d", SECRET)],
  [
    "a form with a text among its fields",
    () => curl(ADDRESS, "-d", `a=1&${SECRET}`, "--data-urlencode", SECRET),
  ],
  ["a file of cookies or headers", () => curl(ADDRESS, "-b", `x9y!${SECRET}`, "-H", `@x9y!${SECRET}`)],
  ["a file name", () => curl(ADDRESS, "-F", `f=@a;filename=token=${SECRET}`)],
  [
    "what the summary says of an option",
    () => curl(ADDRESS, "--proxy-user", `me:${SECRET}`, "-E", `a.pem:${SECRET}`),
  ],
  [
    "a request named by its address",
    () => postman({ url: `${ADDRESS}?token=${SECRET}` }, `${ADDRESS}?token=${SECRET}`),
  ],
  [
    "text beside a variable",
    () => postman({ url: ADDRESS, header: [{ key: "X-Team", value: `{{v}} Zx9!-${SECRET}7` }] }),
  ],
  [
    "a value with signs",
    () => postman({ url: `${ADDRESS}?a={{v}}` }, "A", { variable: [{ key: "v", value: `Zx9!K${SECRET}` }] }),
  ],
  [
    "GraphQL with a variable",
    () =>
      postman({
        url: ADDRESS,
        body: { mode: "graphql", graphql: { query: `{ a(password: "${SECRET}{{v}}") }` } },
      }),
  ],
  [
    "an address for tokens",
    () =>
      postman({
        url: ADDRESS,
        auth: {
          type: "oauth2",
          oauth2: [
            { key: "grant_type", value: "client_credentials" },
            { key: "accessTokenUrl", value: `https://id.example/t?secret=${SECRET}` },
          ],
        },
      }),
  ],
  [
    "an environment with a reference",
    () => server({ command: "npx", env: { TOKEN: `${SECRET}\${X}`, KEY: `${SECRET}\${` } }),
  ],
  [
    "JSON in an environment",
    () => server({ command: "npx", env: { HEADERS: `{"Authorization":"Bearer ${SECRET}"}` } }),
  ],
  ["a connection string", () => server({ command: "npx", args: [`Server=x;Password=${SECRET}`] })],
  [
    "variables of docker",
    () => server({ command: "docker", args: ["-e", `A_TOKEN=${SECRET}`, `--env=B_KEY=${SECRET}`] }),
  ],
  ["a shell's command", () => server({ command: "sh", args: ["-c", `A_TOKEN=${SECRET} npx x`] })],
  ["a command", () => server({ command: `TOKEN=${SECRET} npx x` })],
  ["an address", () => server({ url: `https://me:${SECRET}@x.example/` })],
  ["a fragment", () => server({ url: `https://x.example/#token=${SECRET}` })],
])("[C-import-secrets] not in the file, its variables or its warnings: %s", (_, read) => {
  const { document, variables, warnings, skipped } = read();
  expect(skipped).toEqual([]);
  expect(JSON.stringify([document, variables, warnings])).not.toContain(SECRET);
});

test("[C-import-secrets] a UUID in a path is asked for, another key in it is a variable", () => {
  const [tool] = curl(`https://shop.example/hooks/${UUID}/wJalrXUtnFEMI-K7MDENG-bPxRfiCYEX`).document.tools!;
  expect(tool).toMatchObject({
    name: "get_hooks",
    inputSchema: { properties: { hooks_id: { type: "string" } }, required: ["hooks_id"] },
    execution: { url: "https://shop.example/hooks/{{props.hooks_id}}/{{env.SHOP_HOOKS_PATH}}" },
  });
  expect(JSON.stringify(tool)).not.toMatch(/550e8400|K7MDENG/);
});

test("[C-import-secrets] a name that is a key itself is refused", () => {
  expect(() => curl(`${ADDRESS}?${KEY}`)).toThrow("is a credential");
  expect(() => curl(`${ADDRESS}?verbose&Zx9!Qk7pW`)).toThrow("is a credential");
  expect(() => curl(ADDRESS, "-F", `${KEY}=@a`)).toThrow("is a credential");
  expect(() => curl(ADDRESS, "-F", KEY)).toThrow("has no '='");
  expect(() => curl(ADDRESS, "--json", JSON.stringify({ [KEY]: 1 }))).toThrow("is a credential");
  const { skipped, document } = postman({ url: { raw: ADDRESS, query: [{ key: KEY, value: "" }] } });
  expect(skipped).toMatchObject([{ what: "A", reason: expect.stringContaining("is a credential") }]);
  expect(document.tools).toEqual([]);
});

test("[C-import-secrets] what is not a credential stays what it was", () => {
  const [tool] = curl(`${ADDRESS}?max_tokens=5&page_token=abc&sort_key=name&state=open&q=it's+a+test!`)
    .document.tools!;
  expect(tool).toMatchObject({
    envAllowList: [],
    inputSchema: {
      properties: {
        max_tokens: { default: "5" },
        page_token: { default: "abc" },
        sort_key: { default: "name" },
        state: { default: "open" },
        q: { default: "it's a test!" },
      },
    },
  });
  const usual = "application/vnd.shop.v2+json; charset=utf-8; odata.metadata=minimal, text/*;q=0.8";
  const [flags] = curl(`${ADDRESS}?verbose&filter[name]=&$top=`, "-H", `Accept: ${usual}`).document.tools!;
  expect(flags).toMatchObject({
    envAllowList: [],
    execution: { headers: { Accept: usual }, params: { verbose: expect.anything() } },
  });
  const { document } = server({
    command: "npx",
    args: ["--header", "Authorization: Bearer ${TOKEN}", "-e", "A_TOKEN", "--log-level=info"],
  });
  expect(document.mcp_servers!.s).toMatchObject({
    args: ["--header", "Authorization: Bearer {{env.TOKEN}}", "-e", "A_TOKEN", "--log-level=info"],
  });
});

test("[C-import-secrets] a type with a secret still says what the body is", () => {
  const typed = curl(ADDRESS, ...text(`application/json; x=${SECRET}`, '{"a":1}'));
  expect(typed.document.tools![0]).toMatchObject({
    execution: {
      headers: { "Content-Type": "application/json; x={{env.SHOP_CONTENT_TYPE_X}}" },
      body: { type: "json" },
    },
  });
  const bare = curl(ADDRESS, "-d", "some text");
  expect(bare.warnings).toEqual([expect.stringContaining("not a form of names and values")]);
  expect(bare.document.tools![0]).toMatchObject({
    inputSchema: { properties: { body: { type: "string" } }, required: ["body"] },
    execution: {
      headers: { "Content-Type": "application/x-www-form-urlencoded" },
      body: { type: "raw", content: "{{props.body}}" },
    },
  });
});
