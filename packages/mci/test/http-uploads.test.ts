import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test } from "vitest";
import { serve } from "../../../test/servers.ts";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { MCIClient } from "../src/index.ts";

interface Seen {
  readonly form: FormData;
  readonly type: string;
  readonly bytes: Buffer;
}

/** A server that reads multipart bodies with the platform's own parser. */
async function uploadServer() {
  const seen: Seen[] = [];
  const { url } = await serve(async (request, response) => {
    const bytes = await buffer(request);
    const type = request.headers["content-type"] ?? "";
    const isForm = type.startsWith("multipart/");
    const form = isForm
      ? await new Response(bytes, { headers: { "content-type": type } }).formData()
      : new FormData();
    seen.push({ form, type, bytes });
    response.end("ok");
  });
  return { url: `${url}/`, seen };
}

/** A folder with a file of tools and files beside it. */
function folder(): string {
  const path = temporaryFolder({
    "tools/photo.png": Buffer.from("89504e470d0a1a0a00ff", "hex"),
    "tools/notes.csv": "a,b\r\n--x\r\n1,2",
    "secret.txt": "secret",
  });
  symlinkSync(join(path, "secret.txt"), join(path, "tools", "link.txt"));
  return join(path, "tools");
}

async function client(body: object, url: string) {
  const file = join(folder(), "tools.mci.json");
  const properties = { file: {}, files: { type: "array", items: {} }, text: {}, data: {}, type: {} };
  const tool = {
    name: "up",
    inputSchema: { type: "object", properties },
    execution: { type: "http", method: "POST", url, body },
  };
  writeFileSync(file, JSON.stringify({ schemaVersion: "1.0", tools: [tool] }));
  const loaded = await MCIClient.load(file);
  onTestFinished(() => loaded.close());
  return loaded;
}

const BODY = {
  type: "multipart",
  content: { note: "{{props.text}}", meta: "{!!props.data!!}" },
  files: { file: { path: "{!!props.file!!}" }, more: "{!!props.files!!}" },
};

test("[H-multipart] texts, JSON and files arrive as a platform's parser reads them", async () => {
  const { url, seen } = await uploadServer();
  const mci = await client(BODY, url);
  const result = await mci.execute("up", {
    text: "ü\r\n--",
    data: { a: [1] },
    file: "photo.png",
    files: ["notes.csv", "photo.png"],
  });
  expect(result.isError).toBe(false);
  const { form } = seen[0]!;
  expect(form.get("note")).toBe("ü\r\n--");
  expect(await (form.get("meta") as unknown as string)).toBe('{"a":[1]}');
  const photo = form.get("file") as File;
  expect([photo.name, photo.type]).toEqual(["photo.png", "image/png"]);
  expect(Buffer.from(await photo.arrayBuffer()).toString("hex")).toBe("89504e470d0a1a0a00ff");
  const more = form.getAll("more") as File[];
  expect(more.map(({ name, type }) => [name, type])).toEqual([
    ["notes.csv", "text/csv"],
    ["photo.png", "image/png"],
  ]);
});

test("[H-multipart] what is not given is left out; the same call has the same bytes", async () => {
  const { url, seen } = await uploadServer();
  const mci = await client(BODY, url);
  await mci.execute("up", { text: "x" });
  await mci.execute("up", { text: "x" });
  expect([...seen[0]!.form.keys()]).toEqual(["note"]);
  expect(seen[1]!.bytes.equals(seen[0]!.bytes)).toBe(true);
});

test("[H-multipart] names of the caller's choice cannot end their quotes or their line", async () => {
  const { url, seen } = await uploadServer();
  const mci = await client({ type: "multipart", content: "{!!props.data!!}" }, url);
  const name = 'a"; filename="x"\r\nX-Evil: 1\r\n\r\n';
  await mci.execute("up", { data: { [name]: "v" } });
  const { form, bytes } = seen[0]!;
  expect([...form.keys()]).toHaveLength(1);
  expect(form.get([...form.keys()][0]!)).toBe("v");
  expect(bytes.toString()).not.toContain("\r\nX-Evil");
});

test("[H-multipart] a content type of the caller's choice cannot add a header", async () => {
  const { url, seen } = await uploadServer();
  const mci = await client(
    {
      type: "multipart",
      files: { f: { path: "photo.png", contentType: "{{props.type}}", filename: "{{props.text}}" } },
    },
    url,
  );
  const result = await mci.execute("up", { type: "a/b\r\nX-Evil: 1", text: "n" });
  expect(result.metadata?.error_code).toBe("header_refused");
  expect(seen).toEqual([]);
  await mci.execute("up", { type: "image/x", text: 'n"ü.png' });
  expect((seen[0]!.form.get("f") as File).name).toBe('n"ü.png');
});

test.each(["../secret.txt", "link.txt", "/etc/passwd"])(
  "[H-multipart] %s lies outside and is not read",
  async (path) => {
    const { url, seen } = await uploadServer();
    const mci = await client(BODY, url);
    const result = await mci.execute("up", { file: path });
    expect(result.metadata?.error_code).toBe("path_refused");
    expect(seen).toEqual([]);
  },
);

test("[H-file-body] the bytes of a file are the body, typed by its content or name", async () => {
  const { url, seen } = await uploadServer();
  const mci = await client({ type: "file", content: "{{props.file}}" }, url);
  await mci.execute("up", { file: "notes.csv" });
  await mci.execute("up", {});
  expect(seen.map(({ type, bytes }) => [type, bytes.toString()])).toEqual([
    ["text/csv", "a,b\r\n--x\r\n1,2"],
    ["", ""],
  ]);
  const outside = await mci.execute("up", { file: "../secret.txt" });
  expect(outside.metadata?.error_code).toBe("path_refused");
  const missing = await mci.execute("up", { file: "none.txt" });
  expect(missing.metadata?.error_code).toBe("file_not_found");
});
