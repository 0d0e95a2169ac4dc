import { createServer } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { listen } from "../../../../test/servers.ts";
import { GuardError } from "../error.ts";
import { metadataUrls, readMetadata } from "./issuer-metadata.ts";
import { createResourceServer, type ResourceServerOptions } from "./resource-server.ts";

const AUDIENCE = "https://tools.example.com/mcp";
const PLACE = { host: "tools.example.com", path: "/mcp" };

interface Key {
  readonly kid: string;
  readonly privateKey: Awaited<ReturnType<typeof generateKeyPair>>["privateKey"];
  readonly publicJwk: object;
}

async function newKey(kid: string, alg = "ES256"): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg, use: "sig" } };
}

let keys: Key[];
let issuer: string;
let requests: string[];
/** What the introspection endpoint says about each token. */
let opaque: Record<string, object>;
let isDown: boolean;

/** An issuer whose keys are in the test's hand. */
beforeEach(async () => {
  keys = [await newKey("one")];
  requests = [];
  opaque = {};
  isDown = false;
  const server = createServer(async (request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const body = Buffer.concat(await request.toArray()).toString();
    const send = (status: number, value: object) =>
      response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
    if (isDown) return send(500, {});
    if (request.url === "/.well-known/oauth-authorization-server")
      return send(200, {
        issuer,
        jwks_uri: `${issuer}/keys`,
        introspection_endpoint: `${issuer}/introspect`,
      });
    if (request.url === "/keys") return send(200, { keys: keys.map(({ publicJwk }) => publicJwk) });
    if (request.url !== "/introspect") return send(404, {});
    const isAllowed = request.headers.authorization === `Basic ${Buffer.from("rs:s%20s").toString("base64")}`;
    if (!isAllowed) return send(401, {});
    return send(200, opaque[new URLSearchParams(body).get("token")!] ?? { active: false });
  });
  issuer = (await listen(server)).url;
});

const now = () => Math.floor(Date.now() / 1000);
const claims = () => ({ iss: issuer, aud: AUDIENCE, sub: "ann", scope: "read write", exp: now() + 60 });

function sign(payload: object = claims(), key = keys[0]!, header: object = {}): Promise<string> {
  return new SignJWT({ ...payload })
    .setProtectedHeader({ alg: "ES256", kid: key.kid, ...header })
    .sign(key.privateKey);
}

function open(options: Partial<ResourceServerOptions> = {}) {
  const server = createResourceServer({
    issuer,
    audience: AUDIENCE,
    realm: "mci",
    scopes: ["read"],
    ...options,
  });
  return (token?: string) => server.authenticate(token && `Bearer ${token}`, PLACE);
}

const refused = (reason: string) =>
  expect.objectContaining({
    status: 401,
    message: `The token was refused: ${reason}`,
    headers: {
      "www-authenticate": `Bearer realm="mci", error="invalid_token", error_description="${reason}", scope="read", resource_metadata="https://tools.example.com/.well-known/oauth-protected-resource/mcp"`,
    },
  });

describe("a resource server", () => {
  test("[G-issuer] a token of the issuer says who its holder is", async () => {
    const token = await sign();
    const caller = await open()(token);
    expect(caller).toMatchObject({ sub: "ann", scopes: ["read", "write"], token });
    expect(
      await open()(await sign({ ...claims(), scope: undefined, scp: ["a"], aud: ["x", AUDIENCE] })),
    ).toMatchObject({ scopes: ["a"] });
  });

  test("[G-issuer] without a token the challenge says where to get one, and nothing is asked of the issuer", async () => {
    const error = await open()().catch((reason: GuardError) => reason);
    expect(error).toBeInstanceOf(GuardError);
    expect((error as GuardError).headers["www-authenticate"]).toBe(
      'Bearer realm="mci", scope="read", resource_metadata="https://tools.example.com/.well-known/oauth-protected-resource/mcp"',
    );
    expect(requests).toEqual([]);
  });

  test.each<[string, () => Promise<string>, string]>([
    ["expired", () => sign({ ...claims(), exp: now() - 31 }), "the token has expired"],
    [
      "of a later time",
      () => sign({ ...claims(), nbf: now() + 40 }),
      "the claim nbf of the token is missing or wrong",
    ],
    [
      "without an end",
      () => sign({ ...claims(), exp: undefined }),
      "the claim exp of the token is missing or wrong",
    ],
    [
      "without a subject",
      () => sign({ ...claims(), sub: undefined }),
      "the claim sub of the token is missing or wrong",
    ],
    ["with an empty subject", () => sign({ ...claims(), sub: "" }), "the token has no subject"],
    [
      "for another audience",
      () => sign({ ...claims(), aud: "https://other.example" }),
      "the token is for another audience",
    ],
    ["without an audience", () => sign({ ...claims(), aud: undefined }), "the token is for another audience"],
    [
      "of another issuer",
      () => sign({ ...claims(), iss: "https://evil.example" }),
      "the token is from another issuer",
    ],
    [
      "with the name of a key of ours, signed by another",
      async () => sign(claims(), { ...(await newKey("one")) }),
      "the signature of the token is wrong",
    ],
    [
      "signed with an unknown key",
      async () => sign(claims(), await newKey("two")),
      "the token is signed with an unknown key",
    ],
    [
      "without a signature",
      async () => `${b64({ alg: "none" })}.${b64(claims())}.x`,
      "the algorithm of the token is not allowed",
    ],
    [
      "signed with the public key as a secret",
      () =>
        new SignJWT(claims())
          .setProtectedHeader({ alg: "HS256", kid: "one" })
          .sign(Buffer.from(JSON.stringify(keys[0]!.publicJwk))),
      "the algorithm of the token is not allowed",
    ],
    ["that is not a token", async () => "a.b.c", "the token is malformed"],
    ["that is opaque", async () => "opaque", "the token is not a JWT"],
    ["of endless length", async () => "x".repeat(20_000), "the token is too long"],
  ])("[G-issuer] a token %s is refused, and the refusal shows nothing of it", async (_, token, reason) => {
    await expect(open()(await token())).rejects.toEqual(refused(reason));
  });

  test("[G-issuer] clocks may differ by half a minute", async () => {
    const authenticate = open();
    expect(await authenticate(await sign({ ...claims(), exp: now() - 20 }))).toMatchObject({ sub: "ann" });
    expect(await authenticate(await sign({ ...claims(), nbf: now() + 20 }))).toMatchObject({ sub: "ann" });
  });

  test("[G-issuer] keys are rotated without a restart, and made-up key names do not make the issuer work", async () => {
    const authenticate = open();
    await authenticate(await sign());
    const [old] = keys;
    const next = await newKey("next");
    keys = [next];
    // Within the time in which keys are not fetched again, a new one is not known yet.
    await expect(authenticate(await sign(claims(), next))).rejects.toThrow("unknown key");
    const made = await Promise.all(Array.from({ length: 50 }, (_, index) => newKey(`made-up-${index % 3}`)));
    for (const key of made)
      await expect(authenticate(await sign(claims(), key))).rejects.toThrow("unknown key");
    expect(requests.filter((one) => one === "GET /keys")).toHaveLength(1);
    expect(await open()(await sign(claims(), next))).toMatchObject({ sub: "ann" });
    await expect(open()(await sign(claims(), old))).rejects.toThrow("unknown key");
  });

  test("[G-issuer] an issuer that does not respond is not the caller's fault, and comes back by itself", async () => {
    const errors: string[] = [];
    const authenticate = open({ onError: ({ message }) => errors.push(message) });
    isDown = true;
    await expect(authenticate(await sign())).rejects.toMatchObject({
      code: "issuer_unavailable",
      status: 503,
    });
    expect(errors[0]).toContain("status 500");
  });

  test("[G-issuer] opaque tokens are asked about, once for a while", async () => {
    const authenticate = open({ introspection: { clientId: "rs", clientSecret: "s s" } });
    const valid = { active: true, sub: "bob", scope: "read", aud: AUDIENCE, exp: now() + 60 };
    opaque = {
      good: valid,
      other: { ...valid, aud: "https://other.example" },
      none: { ...valid, aud: undefined },
      foreign: { ...valid, iss: "https://evil.example" },
      old: { ...valid, exp: now() - 60 },
    };
    expect(await authenticate("good")).toMatchObject({ sub: "bob", scopes: ["read"] });
    await authenticate("good");
    expect(requests.filter((one) => one === "POST /introspect")).toHaveLength(1);
    await expect(authenticate("unknown")).rejects.toEqual(refused("the token is not valid, or no longer"));
    for (const token of ["other", "none"])
      await expect(authenticate(token)).rejects.toEqual(refused("the token is for another audience"));
    await expect(authenticate("foreign")).rejects.toEqual(refused("the token is from another issuer"));
    await expect(authenticate("old")).rejects.toEqual(refused("the token has expired"));
    const denied = open({ introspection: { clientId: "rs", clientSecret: "wrong" } });
    await expect(denied("good")).rejects.toMatchObject({ code: "issuer_unavailable" });
  });
});

const b64 = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

test.each<[string, unknown, string]>([
  ["another issuer", { issuer: "https://evil.example" }, "another issuer"],
  ["an issuer with a slash more", { issuer: "https://a.example/" }, "another issuer"],
  ["keys without TLS", { issuer: "https://a.example", jwks_uri: "http://a.example/keys" }, "jwks_uri"],
  ["keys in a file", { issuer: "https://a.example", jwks_uri: "file:///etc/passwd" }, "jwks_uri"],
  ["keys that are not an address", { issuer: "https://a.example", jwks_uri: 1 }, "jwks_uri"],
  [
    "a password in an address",
    { issuer: "https://a.example", token_endpoint: "https://a:b@a.example" },
    "token_endpoint",
  ],
  ["nothing", null, "another issuer"],
])("[G-issuer] metadata with %s is refused", (_, document, reason) => {
  expect(() => readMetadata(document, "https://a.example")).toThrow(reason);
});

test("[G-issuer] the metadata of an issuer with a path is looked for as both standards say", () => {
  expect(metadataUrls("https://a.example/tenant")).toEqual([
    "https://a.example/.well-known/oauth-authorization-server/tenant",
    "https://a.example/.well-known/openid-configuration/tenant",
    "https://a.example/tenant/.well-known/openid-configuration",
  ]);
});
