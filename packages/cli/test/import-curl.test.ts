// biome-ignore-all lint/suspicious/noExplicitAny: tools may have any shape

import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { promisify } from "node:util";
import { MCIClient } from "mci-ts";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { serve } from "../../../test/servers.ts";
import { importCurl } from "../src/import/curl/curl.ts";
import { shellWords } from "../src/import/curl/words.ts";
import { folder } from "./mci.ts";

const run = promisify(execFile);

/** What a server sees of a request; boundaries and the like aside. */
interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const COMPARED = /^(authorization|content-type|cookie|accept|x-.*)$/;
let seen: Seen[] = [];
const { url } = await serve(async (request, response) => {
  const body = (await buffer(request)).toString("latin1");
  const boundary = /boundary=(\S+)/.exec(request.headers["content-type"] ?? "")?.[1];
  const neutral = (text: string) => (boundary === undefined ? text : text.replaceAll(boundary, "BOUNDARY"));
  const headers = Object.entries(request.headers)
    .filter(([name, value]) => COMPARED.test(name) && value !== "*/*")
    .map(([name, value]) => [name, neutral(String(value))]);
  seen.push({
    method: request.method,
    url: request.url,
    headers: Object.fromEntries(headers),
    body: neutral(body),
  });
  response.end("ok");
}, afterAll);
let hasCurl = true;

beforeAll(async () => {
  hasCurl = await run("curl", ["--version"]).then(
    () => true,
    () => false,
  );
});

/** Secrets of the commands below, by what their variables end in. */
const SECRETS: Readonly<Record<string, string>> = {
  X_AUTH_TOKEN: "hdr",
  TOKEN: "t0ken",
  USERNAME: "me",
  PASSWORD: "p w",
  COOKIE: "sid=1; theme=dark",
};

describe("[C-import-curl] the tool sends what curl sends", () => {
  test.each([
    ["a query", `curl 'URL/search?q=a%20b&page=2'`, {}],
    ["a query from data", `curl -G URL/s --data-urlencode 'q=a b&c' -d page=2`, {}],
    ["a name that occurs twice", `curl 'URL/s?tag=a&tag=b'`, {}],
    ["a form", `curl URL/f -d 'a=1&b=x%26y' -d c=3`, {}],
    ["encoded data", `curl URL/f --data-urlencode 'text=ü & more' --data-urlencode 'n=1'`, {}],
    ["JSON", `curl -sX POST URL/j -H 'Content-Type: application/json' -d '{"a":"it","n":[1,2]}'`, {}],
    ["--json", `curl --json '{"a":1}' URL/j`, {}],
    [
      "another kind of JSON",
      `curl -XPATCH URL/j -H 'content-type: application/merge-patch+json' -d '{"a":null}'`,
      {},
    ],
    ["a user", `curl -u 'me:p w' URL/me`, {}],
    ["a token", `curl --oauth2-bearer t0ken URL/me`, {}],
    ["headers", `curl -sSL URL/h -H 'X-Team: a: b' -H 'X-Auth-Token: hdr' -H 'Accept: text/csv'`, {}],
    ["cookies", `curl URL/c -b 'sid=1; theme=dark'`, {}],
    ["an XML body", `curl URL/x -H 'Content-Type: text/xml' --data-raw '<a>@</a>'`, { body: "<a>@</a>" }],
    ["a file as body", `curl URL/u -H 'Content-Type: text/csv' --data-binary @a.csv`, { body: "a.csv" }],
    ["an upload", `curl -T a.csv URL/up/a.csv -H 'Content-Type: text/csv'`, { body: "a.csv" }],
    ["DELETE", `curl --request DELETE URL/d/1`, {}],
    ["HEAD", `curl -I URL/d/1`, {}],
    [
      "a form with a file",
      `curl URL/m -F note=hi -F 'file=@a.csv;type=text/x-a;filename=b.csv'`,
      { file: "a.csv" },
    ],
  ])("%s", async (_, command, properties) => {
    if (!hasCurl) return expect(importCurl(command.replace("URL", url)).warnings).toBeDefined();
    const cwd = folder({ "a.csv": "a,b\n1,2\n" });
    const words = shellWords(command).map((word) => word.replace("URL", url));
    seen = [];
    await run("curl", ["-s", ...words.slice(1)], { cwd });
    const { document, variables } = importCurl(command.replace("URL", url), "go");
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/t0ken|p w"|sid=1|hdr/);
    const file = join(cwd, "tools.mci.json");
    writeFileSync(file, text);
    const env = Object.fromEntries(
      variables.map(({ name }) => [name, SECRETS[Object.keys(SECRETS).find((end) => name.endsWith(end))!]]),
    );
    await using client = await MCIClient.load(file, { env });
    const result = await client.execute("go", properties);
    expect(result.error).toBeUndefined();
    expect(seen).toHaveLength(2);
    expect(comparable(seen[1]!)).toEqual(comparable(seen[0]!));
  });
});

/** Encoded in another way means the same, and so does JSON with other blanks. */
function comparable({ url: address, body, headers, ...rest }: Seen): unknown {
  const type = headers["content-type"] ?? "";
  const query = [...new URL(address!, "http://x").searchParams];
  const content = type.includes("json")
    ? JSON.parse(body)
    : type.includes("urlencoded")
      ? [...new URLSearchParams(body)]
      : body.replaceAll(/^content-disposition/gim, "Content-Disposition");
  return { ...rest, path: address!.split("?")[0], query, content, headers };
}

describe("[C-import-curl] as other programs write the command", () => {
  const tool = (command: string) => {
    const { document, warnings } = importCurl(command);
    const { execution, inputSchema } = document.tools![0] as Record<string, any>;
    return { execution, inputSchema, warnings };
  };

  test("Chrome for cmd.exe", () => {
    const command =
      'curl ^"https://api.example.com/v1/items?x=1^" ^\r\n  -X ^"POST^" ^\r\n  -H ^"content-type: application/json^" ^\r\n' +
      '  --data-raw ^"^{^\\^"name^\\^":^\\^"50^%^\\^"^}^"';
    const made = tool(command);
    expect(made.execution.url).toBe("https://api.example.com/v1/items");
    expect(made.inputSchema.properties.name).toEqual({ type: "string", default: "50%" });
  });

  test("Chrome for bash, with $'…'", () => {
    const made = tool(
      `curl 'https://a.example/x' --data-raw $'{"a":"it\\'s \\u0021"}' -H 'content-type: application/json'`,
    );
    expect(made.inputSchema.properties.a.default).toBe("it's !");
  });

  test("Firefox, with its headers", () => {
    const made = tool(
      `curl 'https://a.example/x' --compressed -H 'User-Agent: Mozilla/5.0' -H 'Accept: */*' -H 'Origin: https://a.example' ` +
        `-H 'Connection: keep-alive' -H 'Sec-Fetch-Mode: cors' -H 'Cookie: s=1'`,
    );
    expect(made.execution.headers).toEqual({ Accept: "*/*", Cookie: "{{env.A_COOKIE}}" });
  });

  test("documentation: a prompt, continued lines, options that say nothing, JSON without a type", () => {
    const made = tool(
      `$ curl -sS --max-time 10 -o out.json \\\n  https://api.stripe.example/v1/charges \\\n  -u sk_test_1: \\\n  -d '{"amount": 5}'`,
    );
    expect(made.execution.method).toBe("POST");
    expect(made.execution.auth.type).toBe("basic");
    expect(made.execution.body.type).toBe("json");
    expect(made.warnings.join("\n")).toContain("--max-time 10 is left out");
    expect(made.warnings.join("\n")).toContain("it is sent as JSON");
    expect(JSON.stringify(made.execution)).not.toContain("sk_test_1");
  });

  test("the content type of each part is kept, of a field and of a file", () => {
    const made = tool(
      `curl https://a.example/m -F 'meta={"a":1};type=application/json' -F 'file=@a.csv;type=text/x-a' -F note=hi`,
    );
    expect(made.execution.body).toMatchObject({
      type: "multipart",
      content: { meta: "{!!props.meta!!}", note: "{!!props.note!!}" },
      contentTypes: { meta: "application/json" },
      files: { file: { contentType: "text/x-a" } },
    });
  });

  test.each([
    [
      "https://a.example/users/42/posts/7",
      ["users_id", "posts_id"],
      "/users/{{props.users_id}}/posts/{{props.posts_id}}",
    ],
    ["https://a.example/user/1234", ["user_id"], "/user/{{props.user_id}}"],
    ["https://a.example/api/3/items", [], "/api/3/items"],
  ])("numbers in the path of %s that name one of many are properties", (address, expected, path) => {
    const made = tool(`curl ${address}`);
    expect(Object.keys(made.inputSchema?.properties ?? {})).toEqual(expected);
    expect(made.execution.url).toBe(`https://a.example${path}`);
    // The example is what the command sends if the caller says nothing.
    const defaults = Object.values(made.inputSchema?.properties ?? {}).map((value: any) => value.default);
    expect(defaults).toEqual(address.match(/(?<=users?\/|posts\/)\d+/g) ?? []);
  });

  test("what cannot be carried over is said", () => {
    const made = tool(
      `curl -k https://a.example https://b.example -b cookies.txt --data-urlencode note@a.txt`,
    );
    expect(made.execution.url).toBe("https://a.example/");
    expect(made.warnings).toHaveLength(4);
  });
});
