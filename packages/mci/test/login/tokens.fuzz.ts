import type { ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import * as fc from "fast-check";
import { MCIClient } from "mci-ts";
import { memoryLoginStore } from "mci-ts/login";
import { Cases } from "../../../../test/cases.ts";
import { serve } from "../../../../test/servers.ts";
import { secretsOf } from "../../src/login/login-store.ts";
import { Secrets } from "../../src/secrets.ts";

/** Tokens as authorization servers make them: also with characters that have another form in JSON, URLs and HTML. */
const token = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...'abcXYZ0189-._~+/="<&\\'), minLength: 8, maxLength: 30 }),
    fc.integer({ min: 100_000, max: 999_999 }),
  )
  .map(([text, number]) => `T${text}${number}`);

const ENCODINGS: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text,
  encodeURIComponent,
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => Buffer.from(text).toString("base64url"),
  (text) => text.toLowerCase(),
];

/** A server that repeats what it knows of a login, wherever a response has room. */
const echo = fc.record({
  secret: fc.constantFrom("access", "refresh", "client"),
  encode: fc.constantFrom(...ENCODINGS),
  status: fc.constantFrom(200, 302, 400, 401, 403, 404, 500),
  place: fc.constantFrom("json", "text", "description", "error", "scope", "header", "location"),
});
const server = fc.record({
  api: echo,
  /** Whether an MCP server works until one of its tools is called. */
  lists: fc.boolean(),
  tokens: fc.oneof({ arbitrary: fc.constant("works" as const), weight: 1 }, { arbitrary: echo, weight: 3 }),
  metadata: fc.oneof({ arbitrary: fc.constant("works" as const), weight: 3 }, { arbitrary: echo, weight: 1 }),
});
type Echo = typeof echo extends fc.Arbitrary<infer T> ? T : never;
type Behaviour = typeof server extends fc.Arbitrary<infer T> ? T : never;
type LoginSecrets = Readonly<Record<Echo["secret"], string>>;

/** What of a login a text may hold as a server wrote it, around what the server repeats. */
const PAGES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => JSON.stringify({ error: "invalid_grant", error_description: `bad ${text} sent` }),
  (text) => JSON.stringify({ [text]: [text, { note: text }] }),
  (text) => `<title>403</title><p title="${text}">no ${text} here</p>`,
  (text) => `Bearer error="insufficient_scope", scope="${text.replace(/["\\]/g, "\\$&")}"`,
  (text) => `https://auth.example.com/cb?code=1&access_token=${text}#${text}`,
  (text) => `a\r\nx-note: ${text}\r\n\r\n${text}${text}`,
];
const texts = new Cases();
const behaviours = new Cases();

export default [
  {
    cases: texts,
    name: "tokens of logins: none is left in a text that a server repeats it in, whole or cut off",
    property: fc.property(
      fc.record({ access: token, refresh: token, client: token }),
      fc.array(fc.string({ maxLength: 40 }), { minLength: 2, maxLength: 5 }),
      fc.array(fc.nat(60), { minLength: 2, maxLength: 4 }),
      ({ access, refresh, client }, around, cuts) => {
        const tokens = { access_token: access, refresh_token: refresh, token_type: "bearer" };
        const key = {
          name: "n",
          issuer: "https://auth.example.com",
          clientId: "c",
          resource: "r",
          savedAt: 0,
        };
        const all = secretsOf({ ...key, client: { client_id: "c", client_secret: client }, tokens });
        const secrets = new Secrets();
        for (const secret of all) secrets.add(secret, "credential");
        const forms = all.flatMap((secret) => ENCODINGS.map((encode) => encode(secret)));
        const pages = forms.flatMap((form) => PAGES.map((page) => page(form)));
        const whole = around.flatMap((text) => pages.map((page) => `${text}${page}${text}`));
        const cut = cuts.flatMap((left) => forms.map((form) => `sent ${form.slice(0, 10 + left)}…`));
        for (const text of texts.of([...whole, ...cut])) {
          const masked = secrets.mask(text);
          const left = forms.find((form) => masked.includes(form.slice(0, 10)));
          if (left !== undefined) throw new Error(`${left} is left in ${masked} of ${text}`);
        }
      },
    ),
  },
  {
    cases: behaviours,
    name: "tokens of logins: none is in any output, whatever the API, the MCP server and the issuer repeat",
    property: fc.asyncProperty(
      fc.record({ access: token, refresh: token, client: token }),
      fc.array(server, { minLength: 20, maxLength: 40, size: "max" }),
      fc.constantFrom("api", "mcp"),
      fc.boolean(),
      async (secrets, all, kind, isExpired) => {
        const rest = behaviours.of(all);
        const current = { behaviour: rest.next().value! };
        // What the client is, and knows of a login, is loaded once: then the server changes.
        await withEchoes(secrets, current, (origin) =>
          use(origin, secrets, { kind, isExpired }, (output, isUsable) => {
            for (const [name, secret] of Object.entries(secrets))
              for (const { place, text } of textsOf(output))
                if (ENCODINGS.some((encode) => text.includes(encode(secret))))
                  throw new Error(`the ${name} token is in ${place}: ${text}`);
            const next = isUsable ? rest.next().value : undefined;
            if (next) current.behaviour = next;
            return next !== undefined;
          }),
        );
      },
    ),
  },
];

/**
 * Gives `show` everything that a person or a program can see of a client whose login is used and renewed, and goes on with the same client
 * for as long as `show` has changed what its servers do.
 */
async function use(
  origin: string,
  { access, refresh, client: clientSecret }: LoginSecrets,
  { kind, isExpired }: { readonly kind: "api" | "mcp"; readonly isExpired: boolean },
  show: (output: unknown, isUsable: boolean) => boolean,
): Promise<void> {
  const store = memoryLoginStore();
  const clientId = "client-of-tests";
  const auth = { type: "oauth2", flow: "authorizationCode", name: "notes", clientId, issuer: origin };
  const url = `${origin}/${kind}`;
  const login = {
    ...{ name: "notes", issuer: origin, clientId, resource: kind === "api" ? origin : url },
    client: { client_id: clientId, client_secret: clientSecret },
    tokens: {
      ...{ access_token: access, refresh_token: refresh, token_type: "bearer" },
      expiresAt: Date.now() + (isExpired ? -1 : 1) * 3_600_000,
    },
    savedAt: Date.now(),
  };
  await store.save(login);
  const file =
    kind === "api"
      ? {
          env: { SECRET: clientSecret },
          tools: [
            {
              name: "me",
              execution: { type: "http", url, auth: { ...auth, clientSecret: "{{env.SECRET}}" } },
            },
          ],
        }
      : { mcp_servers: { notes: { url, auth: { ...auth, clientSecret } } } };
  const { env = {}, ...document } = file as typeof file & { env?: Record<string, string> };
  const seen: unknown[] = [];
  await using client = await MCIClient.fromObject(
    { schemaVersion: "1.0", ...document },
    { auth: { store }, env, refreshMcpTools: true },
  );
  seen.push(client.warnings, client.mcpServers(), client.tools());
  for (const name of client.listTools()) {
    const result = await client.execute(name, {}, { onExchange: (exchange) => seen.push(exchange) });
    // What a server says in a successful result is its content, and passes as it is.
    if (result.isError) seen.push(result);
    seen.push(await client.preview(name).catch((error) => error));
    seen.push(client.lock());
  }
  seen.push(await client.login("notes", async () => undefined).catch((error: unknown) => error));
  seen.push(client.warnings);
  // Without tools nothing is asked of the servers any more.
  while (show(seen.splice(0), client.listTools().length > 0)) {
    await store.save(login);
    for (const name of client.listTools()) {
      const result = await client.execute(name, {}, { onExchange: (exchange) => seen.push(exchange) });
      if (result.isError) seen.push(result);
    }
    seen.push(client.mcpServers(), client.warnings);
  }
}

/** Works with a server of its own: the login is bound to its address. */
async function withEchoes<T>(
  secrets: LoginSecrets,
  current: { readonly behaviour: Behaviour },
  work: (origin: string) => Promise<T>,
): Promise<T> {
  let stop = () => {};
  const { url: origin } = await serve(
    async (request, response) => {
      const body = await text(request);
      const { behaviour } = current;
      if (!behaviour.lists || request.url !== "/mcp" || !listTools(body, response))
        respond(request.url ?? "", response, { secrets, behaviour, origin });
    },
    (end) => (stop = end),
  );
  try {
    return await work(origin);
  } finally {
    stop();
  }
}

/** Just enough of a server of before 2026. Whether it has answered. */
function listTools(body: string, response: ServerResponse): boolean {
  const { id, method = "" } = (body === "" ? {} : JSON.parse(body)) as { id?: number; method?: string };
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "a", version: "1" },
    },
    "tools/list": { tools: [{ name: "me", inputSchema: { type: "object" } }] },
  };
  if (id === undefined || results[method] === undefined) return false;
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] }));
  return true;
}

interface Answering {
  readonly secrets: LoginSecrets;
  readonly behaviour: Behaviour;
  readonly origin: string;
}

function respond(path: string, response: ServerResponse, { secrets, behaviour, origin }: Answering): void {
  const { api, tokens, metadata } = behaviour;
  const [document, behaves] = path.includes("oauth-protected-resource")
    ? [{ resource: `${origin}/mcp`, authorization_servers: [origin] }, metadata]
    : path.includes(".well-known")
      ? [
          {
            ...{ issuer: origin, token_endpoint: `${origin}/token`, response_types_supported: ["code"] },
            ...{ authorization_endpoint: `${origin}/auth`, code_challenge_methods_supported: ["S256"] },
          },
          metadata,
        ]
      : path.startsWith("/token")
        ? [
            {
              ...{ access_token: secrets.access, token_type: "bearer" },
              ...{ refresh_token: secrets.refresh, expires_in: 1 },
            },
            tokens,
          ]
        : [{}, api];
  if (behaves !== "works") repeat(behaves, response, secrets, origin);
  else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(document));
}

function repeat(
  { secret, encode, status, place }: Echo,
  response: ServerResponse,
  secrets: LoginSecrets,
  origin: string,
): void {
  const text = encode(secrets[secret]);
  const inHeader = text.replace(/["\\]/g, "\\$&");
  response.statusCode = status;
  response.setHeader("content-type", place === "text" ? "text/plain" : "application/json");
  if (place === "scope")
    response.setHeader("www-authenticate", `Bearer error="insufficient_scope", scope="${inHeader}"`);
  if (place === "header") response.setHeader("x-note", text);
  if (place === "location") response.setHeader("location", `${origin}/${encodeURI(text)}`);
  const bodies: Readonly<Record<string, object>> = {
    json: { note: text, [text]: 1 },
    description: { error: "invalid_request", error_description: `bad ${text} sent` },
    error: { error: text },
  };
  response.end(place === "text" ? `no ${text} here` : JSON.stringify(bodies[place] ?? {}));
}

/** Every text of a value with its place, and what errors carry along. */
function textsOf(value: unknown, place = "", known = new Set<unknown>()): Text[] {
  if (typeof value === "string") return [{ place, text: value }];
  if (typeof value !== "object" || value === null || known.has(value)) return [];
  known.add(value);
  const hidden =
    value instanceof Error ? { message: value.message, stack: value.stack, cause: value.cause } : {};
  return Object.entries({ ...value, ...hidden }).flatMap(([key, item]) => [
    { place, text: key },
    ...textsOf(item, `${place}.${key}`, known),
  ]);
}

interface Text {
  readonly place: string;
  readonly text: string;
}
