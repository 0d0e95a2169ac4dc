import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { type EchoRequest, pairs, readRequest } from "./echo-request.ts";
import { TokenEndpoint } from "./echo-tokens.ts";

export interface EchoServer {
  readonly origin: string;
  stop(): Promise<void>;
}

/** The server that cases know as $HTTP; README.md says what each route does. */
export async function startEchoServer(): Promise<EchoServer> {
  const tokens = new TokenEndpoint();
  const attempts = new Map<string, number>();
  const routes: Record<string, Route> = {
    echo,
    answer,
    drip,
    hops,
    pages,
    flaky: (request, response) => flaky(request, response, attempts),
    token: (request, response) => tokens.issue(request, response),
    tokens: (request, response) => tokens.count(request, response),
    protected: (request, response) => tokens.guard(request, response),
  };
  const server = createServer(async (message, response) => {
    const request = await readRequest(message);
    const route = routes[request.steps[0] ?? ""] ?? noRoute;
    await route(request, response);
  });
  const origin = await listen(server);
  return {
    origin,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

type Route = (request: EchoRequest, response: ServerResponse) => unknown;

function echo({ steps: _, ...request }: EchoRequest, response: ServerResponse): void {
  const type = request.headers["content-type"]?.split(";")[0]?.trim() ?? "";
  const account = {
    ...request,
    ...(/^application\/(.+\+)?json$/.test(type) ? { json: parse(request.body) } : {}),
    ...(type === "application/x-www-form-urlencoded" ? { form: pairs(request.body) } : {}),
  };
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(account));
}

/** undefined if it is no JSON. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function noRoute({ path }: EchoRequest, response: ServerResponse): void {
  response.writeHead(404, { "content-type": "text/plain" }).end(`no such route: ${path}`);
}

/** Answers what its query asks for. */
async function answer({ query }: EchoRequest, response: ServerResponse): Promise<void> {
  const asked = new Map(query);
  await wait(Number(asked.get("wait") ?? 0), undefined, { ref: false });
  response.statusCode = Number(asked.get("status") ?? 200);
  const type = asked.get("type");
  if (type !== undefined) response.setHeader("content-type", type);
  for (const [name, value] of query) {
    const [header, ...rest] = name === "header" ? value.split(":") : [];
    if (header !== undefined) response.setHeader(header, rest.join(":").trim());
  }
  const base64 = asked.get("base64");
  const text = (asked.get("text") ?? "").repeat(Number(asked.get("times") ?? 1));
  const body = base64 === undefined ? text : Buffer.from(base64, "base64");
  if (asked.has("cut")) response.write(body, () => response.destroy());
  else response.end(body);
}

/** Sends its headers at once and then one character after the other. */
async function drip({ query }: EchoRequest, response: ServerResponse): Promise<void> {
  const asked = new Map(query);
  response.writeHead(200, { "content-type": "text/plain" });
  for (let sent = 0; sent < Number(asked.get("count")) && !response.destroyed; sent++) {
    response.write(".");
    await wait(Number(asked.get("gap")), undefined, { ref: false });
  }
  response.end();
}

/** Redirects as often as its path says. */
function hops({ steps }: EchoRequest, response: ServerResponse): void {
  const left = Number(steps[1]);
  if (left > 0) response.writeHead(302, { location: `/hops/${left - 1}` }).end();
  else response.writeHead(200, { "content-type": "text/plain" }).end("arrived");
}

/** One of several pages, which say in three ways where the next one is. */
function pages({ steps, query }: EchoRequest, response: ServerResponse): void {
  const count = Number(steps[1]);
  const asked = new URLSearchParams(query.map(([name, value]): [string, string] => [name, value]));
  const given = asked.get("page") ?? "1";
  const page = Number.parseInt(given, 10);
  const address = (number: number) => {
    asked.set("page", String(number));
    return `${asked.get("origin") ?? ""}/pages/${count}?${asked}`;
  };
  const next = page < count ? address(page + 1) : null;
  const cursor = next === null ? null : `${page + 1}${asked.has("awkward") ? "&page=1/../#ü" : ""}`;
  const items = [given === String(page) ? page : given];
  const body = { items, next, cursor, self: address(page), tag: asked.get("tag") };
  if (next !== null) response.setHeader("link", `<${next}>; rel="next"`);
  response.setHeader("content-type", "application/json");
  response.end(JSON.stringify(asked.has("bare") ? items : body));
}

/** Fails as often as its path says before it answers with the number of the try. */
function flaky({ steps, query }: EchoRequest, response: ServerResponse, attempts: Map<string, number>): void {
  const [, failures, key = ""] = steps;
  const number = (attempts.get(key) ?? 0) + 1;
  attempts.set(key, number);
  const asked = new Map(query);
  const retryAfter = asked.get("retry-after");
  if (retryAfter !== undefined) response.setHeader("retry-after", retryAfter);
  response.statusCode = number <= Number(failures) ? Number(asked.get("status") ?? 503) : 200;
  response.setHeader("content-type", "text/plain");
  response.end(`try ${number}`);
}
