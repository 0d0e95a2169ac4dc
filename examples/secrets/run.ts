/**
 * Secrets come from `env`, go where the file sends them, and appear nowhere else.
 *
 *   npx node examples/secrets/run.ts
 */
import assert from "node:assert/strict";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { MCIClient } from "mci-ts";

const API_KEY = "sk-5f1d/with+signs";
process.env.OF_THE_PROCESS = "not for tools";

// Two origins: the first redirects to the second, copying the query as servers like to do.
const other = await listen((request) => ({ body: { url: request.url, headers: request.headers } }));
const api = await listen((request) => ({
  location: `${other.url}/there${request.url!.slice(request.url!.indexOf("?"))}`,
}));
const client = await MCIClient.load(new URL("tools.mci.json", import.meta.url), {
  env: { API: api.url, API_KEY, TENANT: "tenant-77" },
});
const never = (value: unknown, secret = API_KEY) => assert.ok(!JSON.stringify(value).includes(secret));

// The file's own server got the key. Another origin gets neither key nor tenant.
const called = await client.execute("call_api");
assert.equal(called.error, undefined);
assert.ok(api.seen[0]!.includes(encodeURIComponent(API_KEY)));
never(called, encodeURIComponent(API_KEY));
never(called, "tenant-77");

// Errors do not repeat what the request was made of.
const dead = await client.execute("call_dead_api");
assert.equal(dead.metadata.error_code, "http_network");
never(dead);

// A program gets what the file names, and what programs cannot do without.
const environment = JSON.parse((await client.execute("print_environment")).text);
assert.equal(environment.KEY_FOR_IT, API_KEY);
assert.equal(environment.TENANT, "tenant-77");
assert.equal(environment.OF_THE_PROCESS, undefined);

// What it prints about its failure is masked, in the message and in the metadata.
const crash = await client.execute("crash");
assert.equal(crash.error, "Command failed with exit code 2: bad key ***");
never(crash);

// A caller cannot ask for a secret, and a tool shows the placeholder, not the value.
const said = await client.execute("echo", { text: "{{env.API_KEY}}" });
assert.equal(said.text, "You said: {{env.API_KEY}}");
never(client.tools());

await client.close();
for (const { server } of [api, other]) {
  server.close();
  server.closeAllConnections();
}
console.log("secrets: the key went to one server and one program, and into no message");

async function listen(
  answer: (request: IncomingMessage) => { location?: string; body?: unknown },
): Promise<{ url: string; seen: string[]; server: Server }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(request.url ?? "");
    const { location, body } = answer(request);
    if (location === undefined) response.end(JSON.stringify(body));
    else response.writeHead(302, { location }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen, server };
}
