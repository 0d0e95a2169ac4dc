/**
 * Wrap an HTTP API: every way to authenticate, query, JSON and form bodies, retries, and what an error looks like.
 *
 *   npx node examples/http-api/run.ts
 */
import assert from "node:assert/strict";
import { MCIClient } from "mci-ts";
import { SECRETS, startNotesServer } from "./notes-server.ts";

const server = await startNotesServer();
const client = await MCIClient.load(new URL("tools.mci.json", import.meta.url), {
  env: { API: server.url, ...SECRETS },
});

// An array repeats its parameter; `limit` was not given, so it is not sent.
const found = await client.execute("search_notes", { text: "a & b", tags: ["x", "y"] });
assert.deepEqual(found.structuredContent, {
  query: [
    ["q", "a & b"],
    ["tag", "x"],
    ["tag", "y"],
  ],
  found: [],
});

// A value stays one segment of the path.
const note = await client.execute("get_note", { id: "a/b" });
assert.deepEqual(note.structuredContent, { path: "/notes/a%2Fb" });

// {!! !!} keeps types, and takes its key along when the property was not given.
const created = await client.execute("create_note", { text: "Buy milk", pinned: true });
assert.deepEqual(created.structuredContent, { id: "n1", note: { text: "Buy milk", pinned: true } });
assert.equal(created.metadata.status_code, 201);

const account = await client.execute("sign_up", { name: "Ada", mail: "ada@example.com" });
assert.deepEqual(account.structuredContent, { name: "Ada", mail: "ada@example.com" });

// The first response was 503. One token serves all attempts and all calls.
const reports = [await client.execute("get_report"), await client.execute("get_report")];
assert.deepEqual(
  reports.map((report) => report.structuredContent),
  [{ notes: 12 }, { notes: 12 }],
);
assert.equal(reports[0]!.metadata.attempts, 2);
assert.equal(server.tokensIssued(), 1);

// A failure is a result. The key is in the URL that failed, and in no message.
const missing = await client.execute("get_note", { id: "nope" });
assert.equal(missing.error, 'HTTP request failed: 404 Not Found\n{"path":"/notes/nope"}');
assert.deepEqual([missing.metadata.error_code, missing.metadata.status_code], ["http_status", 404]);
assert.ok(!JSON.stringify(missing).includes(SECRETS.API_KEY));

await client.close();
server.close();
console.log("http-api: five tools, five ways to authenticate, all answered as expected");
