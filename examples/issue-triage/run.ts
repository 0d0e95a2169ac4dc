import { deepEqual, equal } from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { MCIClient } from "mci-ts";

// A stand-in for GitHub on this machine: two pages of issues, one of them a pull request.
const server = createServer((request, response) => {
  const page = Number(new URL(request.url ?? "/", "http://localhost").searchParams.get("page") ?? 1);
  if (page === 1) response.setHeader("link", `<${request.url}&page=2>; rel="next"`);
  const issue = (number: number, label: string, more = {}) => ({
    number,
    title: `Issue ${number}`,
    body: "…".repeat(500),
    labels: [{ name: label, color: "ff0000" }],
    ...more,
  });
  const pages = [
    [issue(1, "bug"), issue(2, "ui", { pull_request: {} })],
    [issue(3, "bug"), issue(4, "docs"), issue(5, "bug")],
  ];
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(pages[page - 1]));
});
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
const env = { GITHUB_API: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
const file = new URL("triage.mci.yaml", import.meta.url);
let client = await MCIClient.load(file, { env });

// Only the tools with the tag, and the model sees none of the fixed values.
deepEqual(client.listTools(), ["count_labels", "open_issues"]);
deepEqual(client.getToolSchema("open_issues").properties, {});

// Look before you send.
const preview = await client.preview("open_issues");
equal(preview.type === "http" && preview.url.endsWith("/repos/acme/website/issues?state=open"), true);

// Two pages, joined, without the pull request, with three fields, and cut after three.
const { structuredContent: issues } = await client.execute("open_issues");
deepEqual(issues, [
  { number: 1, title: "Issue 1", labels: ["bug"] },
  { number: 3, title: "Issue 3", labels: ["bug"] },
  { number: 4, title: "Issue 4", labels: ["docs"] },
  "… 1 more item",
]);

const { structuredContent: labels } = await client.execute("count_labels", { issues: issues as object[] });
deepEqual(labels, { bug: 2, docs: 1 });

// What was reviewed is locked: 'mci lock' writes this to mci.lock.json, 'mci run --locked' serves nothing else.
const lock = client.lock();
await client.close();
client = await MCIClient.load(file, { env, lock });
deepEqual(client.warnings, []);
console.log(`Triaged ${JSON.stringify(labels)} with ${client.listTools().join(", ")}.`);
await client.close();
server.close();
