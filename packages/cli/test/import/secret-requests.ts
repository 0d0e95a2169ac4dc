import * as fc from "fast-check";
import { importCurl } from "../../src/import/curl/curl.ts";
import { importPostman } from "../../src/import/postman/postman.ts";

/** A request with credentials in every kind of place, and what may not be in the file that comes of it. */
export interface SecretRequest {
  readonly read: () => unknown;
  readonly secrets: readonly string[];
}

const CREDENTIAL_NAMES = (
  "token access_token accessToken auth-token authToken x-api-key apiKey api_key apikey key client_secret clientSecret " +
  "password passwd pwd pass Authorization session session_id sessionId PHPSESSID csrf_token X-CSRF-Token jwt signature sig " +
  "private_key credential otp pin secret webhook_secret X-Amz-Security-Token refresh_token id_token admin_token accountToken " +
  "X-Account-Token password1 token2 oauth2 appkey authkey dbpass userpwd secretvalue cred psk passwort"
).split(" ");
const OTHER_NAMES = "q page name id filter user X-Team limit ref data note max_tokens".split(" ");

const from = (characters: string, length: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: length, maxLength: length });
const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** What looks like a key under any name. */
const key = fc.oneof(
  from("0123456789abcdef", 30).map((text) => `${text}a7`),
  from(`${LETTERS}0123456789`, 22).map((text) => `${text}Q7`),
  from(LETTERS, 20).map((text) => `ghp_${text}`),
  from(LETTERS, 20).map((text) => `sk-${text}`),
  from(`${LETTERS}0123456789`, 20).map((text) => `eyJ${text}.${text}.x`),
);
/** What is a word, and a credential under such a name. */
const word = from("abcdefghijklmnopqrstuvwxyz", 9);

const secretField = fc.oneof(
  fc.tuple(fc.constantFrom(...CREDENTIAL_NAMES), fc.oneof(word, key)),
  fc.tuple(fc.constantFrom(...OTHER_NAMES), key),
);
const harmlessField = fc.tuple(fc.constantFrom(...OTHER_NAMES), fc.constantFrom("a", "1", "en", "two words"));
const fields = fc.array(
  fc.oneof(
    secretField.map(([name, value]) => ({ name, value, isSecret: true })),
    harmlessField.map(([name, value]) => ({ name, value, isSecret: false })),
  ),
  { maxLength: 4 },
);
type Field = { readonly name: string; readonly value: string; readonly isSecret: boolean };

/** How a JSON value is wrapped, from the inside out. */
const wrappers = fc.array(fc.constantFrom("object", "list", "both"), { maxLength: 3 });

export const secretRequest: fc.Arbitrary<SecretRequest> = fc
  .record({
    headers: fields,
    query: fields,
    body: fields,
    cookies: fields,
    wrap: wrappers,
    kind: fc.constantFrom("json", "form", "multipart", "graphql"),
    quotes: fc.constantFrom('"', '"""'),
    user: fc.option(word, { nil: undefined }),
    path: fc.option(key, { nil: undefined }),
    source: fc.constantFrom("curl", "postman"),
  })
  .map(({ source, ...request }) => {
    const { headers, query, body, cookies, user, path } = request;
    const all = [...headers, ...query, ...body].filter(({ isSecret }) => isSecret);
    const secrets = [...all, ...cookies.filter(({ isSecret }) => isSecret)].map(({ value }) => value);
    const more = [user === undefined ? [] : [user], path === undefined ? [] : [path]].flat();
    return {
      secrets: [...secrets, ...more],
      read: () =>
        source === "curl" ? importCurl(curlOf(request)).document : importPostman(postmanOf(request)).document,
    };
  });

interface Request {
  readonly headers: readonly Field[];
  readonly query: readonly Field[];
  readonly body: readonly Field[];
  readonly cookies: readonly Field[];
  readonly wrap: readonly string[];
  readonly kind: string;
  readonly quotes: string;
  readonly user?: string;
  readonly path?: string;
}

const encoded = (list: readonly Field[], separator: string) =>
  list.map(({ name, value }) => `${name}=${encodeURIComponent(value)}`).join(separator);
const addressOf = ({ user, path }: Request) =>
  `https://${user === undefined ? "" : `me:${user}@`}shop.example/hooks/${path ?? "list"}`;

function jsonOf({ body, wrap }: Request): unknown {
  const inner: unknown = Object.fromEntries(body.map(({ name, value }) => [name, value]));
  return wrap.reduce<unknown>(
    (value, kind) =>
      kind === "object" ? { data: value } : kind === "list" ? [value] : { items: [1, value] },
    inner,
  );
}

/** Values that stand in the query itself. */
function graphqlOf({ body, quotes }: Request): string {
  const fields = body.map(({ name, value }) => `${name.replaceAll("-", "_")}: ${quotes}${value}${quotes}`);
  return `mutation { save(note: "a \\"quoted\\" word", ${fields.join(", ")}) { id } }`;
}

function curlOf(request: Request): string {
  const { headers, query, cookies, body, kind } = request;
  const words = [
    `${addressOf(request)}?${encoded(query, "&")}`,
    ...headers.flatMap(({ name, value }) => ["-H", `${name}: ${value}`]),
    ...(cookies.length > 0 ? ["-b", encoded(cookies, "; ")] : []),
    ...(kind === "json" ? ["--json", JSON.stringify(jsonOf(request))] : []),
    ...(kind === "graphql" ? ["--json", JSON.stringify({ query: graphqlOf(request) })] : []),
    ...(kind === "form" ? ["-d", encoded(body, "&")] : []),
    ...(kind === "multipart" ? body.flatMap(({ name, value }) => ["-F", `${name}=${value}`]) : []),
  ];
  return ["curl", ...words.map((text) => `'${text.replaceAll("'", "'\\''")}'`)].join(" ");
}

function postmanOf(request: Request): string {
  const { headers, query, cookies, body, kind } = request;
  const listed = (list: readonly Field[]) => list.map(({ name, value }) => ({ key: name, value }));
  const content = {
    json: { mode: "raw", raw: JSON.stringify(jsonOf(request)) },
    form: { mode: "urlencoded", urlencoded: listed(body) },
    multipart: { mode: "formdata", formdata: listed(body) },
    graphql: { mode: "graphql", graphql: { query: graphqlOf(request) } },
  }[kind];
  const cookie = cookies.length > 0 ? [{ key: "Cookie", value: encoded(cookies, "; ") }] : [];
  const url = { raw: addressOf(request), query: listed(query) };
  const item = {
    name: "A",
    request: { method: "POST", url, header: [...listed(headers), ...cookie], body: content },
  };
  return JSON.stringify({ info: { name: "Shop" }, item: [item] });
}
