/**
 * Triage of GitHub's issues: an imported API, of which an agent gets two tools that fit its work.
 *
 *   npx node examples/issue-triage/run.ts
 */
import { deepEqual, equal, match } from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { MCIClient } from "mci-ts";
import { importOpenApi } from "mci-ts/openapi";

// The toolset is generated and never edited, so that importing again loses nothing:
//   mci import openapi github-excerpt.json --auth bearer -o mci/github.mci.json
const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");
const options = { auth: "bearer", variablePrefix: "GITHUB" };
const { toolset } = importOpenApi(read("github-excerpt.json"), options);
deepEqual(JSON.parse(read("mci/github.mci.json")), JSON.parse(JSON.stringify(toolset)));

// A stand-in for GitHub on this machine: two pages of issues, one of them a pull request.
const labelled: string[] = [];
const server = createServer(async (request, response) => {
  if (request.method === "POST") {
    let body = "";
    for await (const chunk of request) body += chunk;
    labelled.push(`${request.url} ${body} ${request.headers.authorization}`);
    return response.setHeader("content-type", "application/json").end("[]");
  }
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
const env = {
  GITHUB_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
  GITHUB_TOKEN: "not-a-real-token",
};
const file = new URL("triage.mci.yaml", import.meta.url);
let client = await MCIClient.load(file, { env });

// Only the tools with the tag, and the model sees none of the fixed values.
deepEqual(client.listTools(), ["count_labels", "open_issues", "label_issue"]);
deepEqual(client.getToolSchema("open_issues").properties, {});

// Look before you send.
const preview = await client.preview("open_issues");
equal(preview.type, "http");
match(JSON.stringify(preview), /\/repos\/acme\/website\/issues\?state=open&per_page=100/);

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

await client.execute("label_issue", { issue_number: 4, labels: ["triaged"] });
deepEqual(labelled, ['/repos/acme/website/issues/4/labels {"labels":["triaged"]} Bearer not-a-real-token']);

// What was reviewed is locked: 'mci lock' writes this to mci.lock.json, 'mci run --locked' serves nothing else.
const lock = client.lock();
await client.close();
client = await MCIClient.load(file, { env, lock });
deepEqual(client.warnings, []);
console.log(`Triaged ${JSON.stringify(labels)} with ${client.listTools().join(", ")}.`);
await client.close();
server.close();
