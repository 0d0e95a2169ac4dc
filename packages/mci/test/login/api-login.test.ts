import { MCIClient } from "mci-ts";
import {
  type DeviceCode,
  type LoginOptions,
  type LoginStore,
  memoryLoginStore,
  type OnAuthorize,
} from "mci-ts/login";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { serve } from "../../../../test/servers.ts";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { type LoginServers, personLogsIn, startLoginServers } from "./authorization-server.ts";

let servers: LoginServers;
let dir: string;
beforeAll(async () => {
  servers = await startLoginServers();
  return () => servers.close();
});
beforeEach(() => {
  dir = temporaryFolder();
  servers.neededScope = "";
  servers.grants.length = 0;
  servers.seen.length = 0;
});

const auth = (more: object = {}) => ({
  ...{ type: "oauth2", flow: "authorizationCode", name: "notes", clientId: "api-client" },
  ...{ issuer: servers.issuer, scopes: ["tools:read"] },
  ...more,
});
const load = (
  options: LoginOptions & { store: LoginStore },
  { settings = auth() as object, url = `${servers.api}/me` } = {},
) =>
  MCIClient.fromObject(
    {
      schemaVersion: "1.0",
      tools: [
        {
          name: "me",
          inputSchema: { type: "object", properties: { host: { type: "string" } } },
          execution: { type: "http", url, auth: settings },
        },
        { name: "other", execution: { type: "text", text: "here" } },
      ],
    },
    { auth: options, baseDir: dir },
  );
const failing = (): never => {
  throw new Error("no words");
};
const onAuthorize: OnAuthorize = (url) => personLogsIn(url);

describe("an HTTP tool whose API has users", () => {
  test("[LOGIN-api] without a login one line says what to do, the other tools work, and nothing is asked", async () => {
    await using client = await load({ store: memoryLoginStore() });
    expect(client.warnings.map(({ message }) => message)).toEqual(["Tool 'me' needs login: mci login notes"]);
    expect(client.loginNames()).toEqual(["notes"]);
    const refused = await client.execute("me");
    expect([refused.error, refused.metadata!["error_code"]]).toEqual([
      "needs login: mci login notes",
      "login_required",
    ]);
    expect((await client.execute("other")).text).toBe("here");
    expect(servers.grants).toEqual([]);
  });

  test.each<[string, LoginOptions["loginCommand"], string]>([
    ["the application's own words", (name) => `Settings > Accounts > ${name}`, "Settings > Accounts > notes"],
    ["the usual ones, if the function throws", () => failing(), "mci login notes"],
    ["the usual ones, if it returns no text", () => 5 as never, "mci login notes"],
  ])("[LOGIN-api] what to do is said in %s", async (_, loginCommand, said) => {
    await using client = await load({ store: memoryLoginStore(), loginCommand });
    expect(client.warnings.map(({ message }) => message)).toEqual([`Tool 'me' needs login: ${said}`]);
    expect((await client.execute("me")).error).toBe(`needs login: ${said}`);
  });

  test("[LOGIN-api] a person logs in once; other clients with the store need none, and no preview shows the token", async () => {
    const store = memoryLoginStore();
    await using first = await load({ store });
    await first.login("notes", onAuthorize);
    await using second = await load({ store });
    expect(second.warnings).toEqual([]);
    expect((await second.execute("me")).structuredContent).toEqual({ user: "ann" });
    const [login] = await store.list();
    expect(login).toMatchObject({
      ...{ name: "notes", issuer: servers.issuer, clientId: "api-client" },
      resource: new URL(servers.api).origin,
    });
    const shown = JSON.stringify([await second.preview("me"), second.lock(), second.warnings]);
    expect(shown).toContain("Bearer ***");
    for (const secret of [login!.tokens!.access_token, login!.tokens!.refresh_token!])
      expect(shown).not.toContain(secret);
    expect(servers.grants).toEqual(["authorization_code"]);
  });

  test("[LOGIN-api] a call asks the application's person, once for calls at the same time", async () => {
    let asked = 0;
    const store = memoryLoginStore();
    await using client = await load({
      store,
      onAuthorize: (url) => {
        asked++;
        return personLogsIn(url);
      },
    });
    const results = await Promise.all([client.execute("me"), client.execute("me")]);
    expect(results.map(({ isError }) => isError)).toEqual([false, false]);
    expect(asked).toBe(1);
  });

  test("[LOGIN-api] a refused token is renewed once for all that wait; a refused refresh token ends the login", async () => {
    const store = memoryLoginStore();
    await using client = await load({ store });
    await client.login("notes", onAuthorize);
    servers.revoke("AccessToken");
    const results = await Promise.all([1, 2, 3].map(() => client.execute("me")));
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false]);
    expect(servers.grants).toEqual(["authorization_code", "refresh_token"]);
    servers.revoke("AccessToken");
    servers.revoke("RefreshToken");
    expect((await client.execute("me")).metadata!["error_code"]).toBe("login_required");
    expect((await store.list())[0]!.tokens).toBeUndefined();
    servers.restore();
  });

  test("[LOGIN-api] a token that expires soon by this machine's clock is renewed first; one that cannot be is sent", async () => {
    const store = memoryLoginStore();
    await using client = await load({ store });
    await client.login("notes", onAuthorize);
    const [login] = await store.list();
    await store.save({ ...login!, tokens: { ...login!.tokens!, expiresAt: Date.now() - 60_000 } });
    expect((await client.execute("me")).isError).toBe(false);
    expect(servers.grants).toEqual(["authorization_code", "refresh_token"]);
    const { refresh_token: _, ...rest } = (await store.list())[0]!.tokens!;
    await store.save({ ...login!, tokens: { ...rest, expiresAt: Date.now() - 60_000 } });
    expect((await client.execute("me")).isError).toBe(false);
    expect(servers.grants).toHaveLength(2);
  });

  test("[LOGIN-api] a scope that is missing is named, and the next login asks for it", async () => {
    const store = memoryLoginStore();
    await using client = await load({ store });
    await client.login("notes", onAuthorize);
    servers.neededScope = "tools:write";
    expect((await client.execute("me")).error).toBe(
      "needs login with the scope 'tools:write': mci login notes",
    );
    await client.login("notes", onAuthorize);
    expect((await client.execute("me")).isError).toBe(false);
  });

  test("[LOGIN-device] a person types a code on another device", async () => {
    const store = memoryLoginStore();
    await using client = await load({ store }, { settings: auth({ flow: "deviceCode" }) });
    let shown: DeviceCode | undefined;
    await client.login("notes", {
      onDeviceCode: (code) => {
        shown = code;
        void personLogsIn(code.completeUrl!);
      },
    });
    expect(shown!.userCode).toMatch(/^\w{4}-\w{4}$/);
    expect((await client.execute("me")).structuredContent).toEqual({ user: "ann" });
    expect(servers.grants).toContain("urn:ietf:params:oauth:grant-type:device_code");
  });

  test("[LOGIN-device] nobody who is there ends it: a signal does", async () => {
    await using client = await load(
      { store: memoryLoginStore() },
      { settings: auth({ flow: "deviceCode" }) },
    );
    const controller = new AbortController();
    const login = client.login("notes", {
      onDeviceCode: () => controller.abort(),
      signal: controller.signal,
    });
    await expect(login).rejects.toMatchObject({ code: "login_failed" });
  });

  test.each<[string, (address: URL) => void, string]>([
    ["of another login", (address) => address.searchParams.set("state", "x"), "from another login"],
    [
      "with the issuer of another server",
      (address) => address.searchParams.set("iss", "https://evil.example"),
      "iss",
    ],
    [
      "with the issuer in another spelling",
      (address) => address.searchParams.set("iss", `${address.searchParams.get("iss")}/`),
      "iss",
    ],
    ["with a code that was made up", (address) => address.searchParams.set("code", "x"), "invalid_grant"],
    [
      "of a person who said no",
      (address) => {
        address.searchParams.delete("code");
        address.searchParams.set("error", "access_denied");
      },
      "access_denied",
    ],
  ])("[LOGIN-mixup] an address %s is refused, and nothing is stored", async (_, change, message) => {
    const store = memoryLoginStore();
    await using client = await load({ store });
    const login = client.login("notes", async (url) => {
      const address = new URL(await personLogsIn(url));
      change(address);
      return address;
    });
    await expect(login).rejects.toMatchObject({
      code: "login_failed",
      message: expect.stringContaining(message),
    });
    expect(await store.list()).toEqual([]);
  });

  test("[LOGIN-origin] a caller cannot lead the token to another host, nor can metadata of another issuer", async () => {
    const store = memoryLoginStore();
    await using client = await load({ store });
    await client.login("notes", onAuthorize);
    const [login] = await store.list();
    const { origin } = new URL(servers.api);
    await using open = await load(
      { store },
      { url: "{{props.host}}/me", settings: auth({ resource: origin }) },
    );
    await store.save({ ...login!, resource: `${origin}/` });
    const elsewhere = await open.execute("me", { host: "http://localhost:1" });
    expect(elsewhere.error).toContain("is not sent to http://localhost:1");
    await using unknown = await load({ store }, { url: "{{props.host}}/me" });
    expect((await unknown.execute("me", { host: origin })).error).toContain("must be known without a call");
    // Another spelling of the same address finds the same server, and is a login of its own.
    const twice = memoryLoginStore();
    await using spelled = await load(
      { store: twice },
      { settings: auth({ issuer: `${servers.issuer.toUpperCase().replace("HTTP", "http")}/` }) },
    );
    await spelled.login("notes", onAuthorize);
    expect((await spelled.execute("me")).isError).toBe(false);
    await using first = await load({ store: twice });
    expect((await first.execute("me")).metadata!["error_code"]).toBe("login_required");
    const { url: issuer } = await serve((_, response) => {
      response.setHeader("content-type", "application/json");
      response.end(
        JSON.stringify({ issuer: servers.issuer, authorization_endpoint: "https://evil.example/" }),
      );
    });
    await using mixed = await load({ store: memoryLoginStore() }, { settings: auth({ issuer }) });
    await expect(mixed.login("notes", onAuthorize)).rejects.toThrow(/issuer/);
  });
});
