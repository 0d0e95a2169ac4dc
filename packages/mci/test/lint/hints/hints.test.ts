import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { collectHints, showsHint } from "../../../../../test/hints/collect-hints.ts";
import { lintFile, MCIClient } from "../../../src/index.ts";
import { folder } from "../support.ts";
import type { Content } from "./row.ts";
import { ROWS } from "./rows.ts";
import { STORIES } from "./stories.ts";

/** Hints that no row follows, and why. */
const NOT_FOLLOWED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({
    "says what is wrong, and suggests nothing": [
      "Path is not a file…",
      "Not a usable file: URL (…)",
      "Unsupported file extension '…'. Supported extensions: …",
      "The file is larger than the limit of … bytes",
      "No such file or directory……",
      "… is of type ….",
      "envAllowList does not name ….",
    ],
    "needs a login or an issuer, which these rows do not have": [
      "Only requests with a token of an issuer have a caller (mci run --oauth-issuer).",
      "give the tools of each host a login of their own",
    ],
    "says a limit that no real file reaches": [
      "they may add … keys in all",
      "anchors may be repeated … times in all",
    ],
    "needs a proxy that refuses; the tests of proxies have one": [
      "asks for a user and a password, or does not accept those it got (407). Write them into its address",
      "refused to connect (status …). Check whether it allows this address",
    ],
    "asks a person to look": [
      "run its command in a terminal to see its output; it must speak MCP on standard input and output",
      "check its url, and that the server is running there",
    ],
    "needs a server that asks for a login; test/login has one": ["set … in the file", "run '…'"],
    "needs an MCP server that asks, or fails to list; test/mcp has them": [
      "to do without them, set resources: false, prompts: false and skills: false on the server",
      "call it where a person can answer, or give the client an onInput function",
      "give the server a prefix",
    ],
    "no program has a name that begins with a dash": ["write the dash in the command itself"],
    "needs a folder that cannot be written, which the user of these tests may have no way to make": [
      "it is fetched from the server on every load…",
      "move it beside the MCI file, or allow its folder in directoryAllowList",
    ],
    "is advice of the command: the tests of imports follow it": [
      " This is a Postman collection: use 'mci import postman'.",
    ],
  }).flatMap(([reason, hints]) => hints.map((hint) => [hint, reason])),
);

const seen: string[] = [];

test.each(Object.entries(STORIES))("[I-hints] %s: the advice leads to what works", async (_, story) => {
  const { shown, outcome, right } = await story();
  expect(outcome).toEqual(right);
  seen.push(shown);
});
const write = (path: string, content: Content) =>
  writeFileSync(
    path,
    typeof content === "string" || Buffer.isBuffer(content) ? content : JSON.stringify(content),
  );

test.each(ROWS)(
  "[I-hints] $title: the hint leads to what works",
  async ({ wrong, hint, right, call, name = "t", entry = "mci.json", files = {} }) => {
    const root = folder({ "data/a.txt": "{{env.A}}", ...files } as Record<string, string | object>);
    for (const file of Object.keys(files)) if (file.endsWith(".sh")) chmodSync(join(root, file), 0o755);
    const path = join(root, entry);
    write(path, wrong);
    const { problems } = await lintFile(path, { env: {} });
    const hinted = problems.find((problem) => hint.test(problem.hint ?? ""));
    expect(hinted, JSON.stringify(problems)).toBeDefined();
    seen.push(hinted!.hint!);
    const [, ...suggested] = hint.exec(hinted!.hint!)!;
    write(path, right(...suggested));
    const { problems: left } = await lintFile(path, { env: {} });
    // Rows share schemas, which have more properties than each row uses.
    expect(
      left.filter((one) => hint.test(one.hint ?? "") || !one.message.includes("nothing uses it")),
    ).toEqual([]);
    if (call === undefined) return;
    await using client = await MCIClient.load(path, { env: {} });
    expect((await client.execute(name, call[0])).text?.trim()).toBe(call[1]);
  },
);

test("[I-hints] every hint in the source is followed by a row, or has a reason why it is not", ({ skip }) => {
  skip(seen.length < ROWS.length + Object.keys(STORIES).length, "not all rows have run");
  const hints = [...collectHints("mci")];
  const missing = hints.filter(
    (hint) => !Object.hasOwn(NOT_FOLLOWED, hint) && !seen.some((shown) => showsHint(shown, hint)),
  );
  expect(missing).toEqual([]);
  expect(Object.keys(NOT_FOLLOWED).filter((hint) => !hints.includes(hint))).toEqual([]);
});
