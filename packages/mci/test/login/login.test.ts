import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { MCIClient } from "mci-ts";
import {
  fileLoginStore,
  type LoginStore,
  memoryLoginStore,
  type OnAuthorize,
  openLoopback,
} from "mci-ts/login";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
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
});

const load = (
  auth: { store: LoginStore; onAuthorize?: OnAuthorize; redirectUrl?: string },
  server: object = {},
) =>
  MCIClient.fromObject(
    { schemaVersion: "1.0", mcp_servers: { notes: { url: servers.url, ...server } } },
    { auth, baseDir: dir, refreshMcpTools: true },
  );
const onAuthorize: OnAuthorize = (url) => personLogsIn(url);

describe("an MCP server that asks for a login", () => {
  test("[LOGIN-required] without a person the tools are missing, one line says what to do, and nothing is registered", async () => {
    await using client = await load({ store: memoryLoginStore() });
    expect(client.listTools()).toEqual([]);
    expect(client.warnings[0]!.message).toBe(
      "Failed to fetch tools from MCP server 'notes': needs login: mci login notes",
    );
    expect(servers.grants).toEqual([]);
  });

  test("[LOGIN-code] a person logs in once; another client with the store needs none, and no secret is in its output", async () => {
    const store = memoryLoginStore();
    await using first = await load({ store, onAuthorize });
    expect((await first.execute("whoami")).content).toMatchObject([{ text: "you are in" }]);
    const [login] = await store.list();
    expect(login).toMatchObject({ name: "notes", issuer: servers.issuer, resource: servers.url });
    await using second = await load({ store });
    expect((await second.execute("whoami")).isError).toBe(false);
    expect(servers.grants).toEqual(["authorization_code"]);
    expect(JSON.stringify([second.warnings, second.lock(), second.mcpServers()])).not.toContain(
      login!.tokens!.access_token,
    );
  });

  test("[LOGIN-refresh] a token that is refused is renewed once for all calls that wait, whatever their client", async () => {
    const store = memoryLoginStore();
    await using first = await load({ store, onAuthorize });
    await using second = await load({ store });
    const [before] = await store.list();
    servers.revoke("AccessToken");
    const results = await Promise.all([first, second, first, second].map((one) => one.execute("whoami")));
    expect(results.map(({ isError }) => isError)).toEqual([false, false, false, false]);
    expect(servers.grants).toEqual(["authorization_code", "refresh_token"]);
    expect((await store.list())[0]!.tokens!.refresh_token).not.toBe(before!.tokens!.refresh_token);
  });

  test("[LOGIN-refresh] a refresh token that is refused ends the login: the call says so, and the next login uses the client again", async () => {
    const store = memoryLoginStore();
    await using client = await load({ store, onAuthorize });
    await using without = await load({ store });
    const { clientId } = (await store.list())[0]!;
    servers.revoke("AccessToken");
    servers.revoke("RefreshToken");
    const refused = await without.execute("whoami");
    expect(refused.metadata).toMatchObject({ error_code: "login_required" });
    expect((await store.list())[0]!.tokens).toBeUndefined();
    await client.login("notes", onAuthorize);
    expect((await store.list())[0]).toMatchObject({ clientId });
  });

  test("[LOGIN-scope] a call that needs another scope asks the person once; without one it says which", async () => {
    const store = memoryLoginStore();
    await using client = await load({ store, onAuthorize });
    await using without = await load({ store });
    servers.neededScope = "tools:write";
    expect((await without.execute("whoami")).error).toContain(
      "with the scope 'tools:write': mci login notes",
    );
    expect((await client.execute("whoami")).isError).toBe(false);
    expect((await store.list())[0]!.tokens!.scope?.split(" ").sort()).toEqual(["tools:read", "tools:write"]);
    servers.neededScope = "tools:never";
    expect((await client.execute("whoami")).error).toContain("its login failed");
  });

  test.each<[string, (address: URL) => void, string]>([
    ["of another login", (address) => address.searchParams.set("state", "x"), "from another login"],
    [
      "with the issuer of another server",
      (address) => address.searchParams.set("iss", "https://evil.example"),
      "login failed",
    ],
    ["with a code that was made up", (address) => address.searchParams.set("code", "x"), "login failed"],
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

  test("a login at a server whose settings lack a variable fails as a login, and says which", async () => {
    const mcp_servers = { notes: { url: "{{env.NOWHERE}}/mcp" } };
    await using client = await MCIClient.fromObject(
      { schemaVersion: "1.0", mcp_servers },
      { fetchMcpTools: false },
    );
    await expect(client.login("notes", async (url) => url)).rejects.toMatchObject({
      code: "login_failed",
      message: expect.stringContaining("env.NOWHERE"),
    });
  });

  test("[LOGIN-port] a browser that is sent to another port ends no login, and a code of another port is refused", async () => {
    const store = memoryLoginStore();
    const [first, second] = await Promise.all([openLoopback(), openLoopback()]);
    await using client = await load({ store, redirectUrl: first.redirectUrl });
    // Logged in at one port; the browser arrives at that of another login.
    await client.login("notes", async (url) => {
      const address = new URL(await personLogsIn(url));
      expect(address.origin).toBe(new URL(first.redirectUrl).origin);
      const strayed = new URL(address);
      strayed.port = new URL(second.redirectUrl).port;
      const other = new URL("https://auth.example.com/?state=of-the-other-login");
      const ended = second.wait(other, new AbortController().signal).then(() => "ended");
      expect((await fetch(strayed)).status).toBe(404);
      expect(await Promise.race([ended, sleep(20).then(() => "waits")])).toBe("waits");
      return address;
    });
    expect(await store.list()).toHaveLength(1);
    // A code that was issued for one port, in a login that listens at another: the server compares the two.
    const later = memoryLoginStore();
    await using other = await load({ store: later, redirectUrl: second.redirectUrl });
    const login = other.login("notes", async (url) => {
      const elsewhere = new URL(url);
      elsewhere.searchParams.set("redirect_uri", first.redirectUrl);
      return personLogsIn(elsewhere);
    });
    await expect(login).rejects.toMatchObject({ code: "login_failed" });
    expect(await later.list()).toEqual([]);
    // The registered port is taken: another is used, which a server allows on this machine.
    const third = await openLoopback(Number(new URL(first.redirectUrl).port));
    expect(third.redirectUrl).not.toBe(first.redirectUrl);
    await using again = await load({ store, redirectUrl: third.redirectUrl });
    await again.login("notes", onAuthorize);
    expect((await again.execute("whoami")).isError).toBe(false);
    for (const loopback of [first, second, third]) loopback.close();
  });

  test("[LOGIN-mixup] a code counts once", async () => {
    const store = memoryLoginStore();
    await using client = await load({ store });
    let used = "";
    await client.login("notes", async (url) => {
      used = await personLogsIn(url);
      return used;
    });
    await expect(client.login("notes", async () => used)).rejects.toMatchObject({ code: "login_failed" });
  });

  test("[LOGIN-names] what has no login is refused with what there is", async () => {
    await using client = await load({ store: memoryLoginStore() });
    expect(client.loginNames()).toEqual(["notes"]);
    await expect(client.login("note", onAuthorize)).rejects.toThrow("did you mean 'notes'?");
  });

  test("[LOGIN-machine] a client of a machine gets its tokens itself, only from the issuer that the file names", async () => {
    const flow = { type: "oauth2", flow: "clientCredentials", clientId: "a", clientSecret: "secret-of-a" };
    await using unnamed = await load({ store: memoryLoginStore() }, { auth: flow });
    expect(unnamed.warnings[0]!.message).toContain("its login needs auth.issuer");
    await using other = await load(
      { store: memoryLoginStore() },
      { auth: { ...flow, issuer: "https://other.example" } },
    );
    expect(other.warnings[0]!.message).toContain(
      "refusing to present them to a different authorization server",
    );
    expect(servers.grants).toEqual([]);
  });
});

describe("the file of logins", () => {
  const login = (resource: string, savedAt = 1) => ({
    ...{ issuer: "https://a.example", clientId: "c", resource, savedAt },
    client: { client_id: "c" },
    tokens: { access_token: `token-of-${resource}`, token_type: "bearer" },
  });

  test("[LOGIN-store] only its owner can read it, and a login replaces the one with the same issuer, client and resource", async () => {
    const path = join(dir, "deep", "logins.json");
    const store = fileLoginStore(path);
    expect(await store.list()).toEqual([]);
    await store.save(login("https://x.example"));
    await store.save(login("https://y.example", 2));
    await store.save({ ...login("https://x.example", 3), issuer: "https://b.example" });
    await store.save(login("https://x.example", 4));
    expect((await store.list()).map(({ issuer, resource, savedAt }) => [issuer, resource, savedAt])).toEqual([
      ["https://a.example", "https://x.example", 4],
      ["https://b.example", "https://x.example", 3],
      ["https://a.example", "https://y.example", 2],
    ]);
    if (process.platform !== "win32") {
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(join(dir, "deep")).mode & 0o777).toBe(0o700);
    }
    expect(await store.remove(login("https://x.example"))).toBe(true);
    expect(await store.remove(login("https://x.example"))).toBe(false);
  });

  test("[LOGIN-store] many stores write at once without losing anything, and exclusive work never overlaps", async () => {
    const path = join(dir, "logins.json");
    const stores = Array.from({ length: 4 }, () => fileLoginStore(path));
    let inside = 0;
    await Promise.all(
      stores.flatMap((store, index) =>
        [1, 2, 3].map(async (n) => {
          await store.save(login(`https://${index}-${n}.example`));
          await store.exclusively("https://r.example", async () => {
            expect(++inside).toBe(1);
            await new Promise((resolve) => setTimeout(resolve, 5));
            inside--;
          });
        }),
      ),
    );
    expect(await stores[0]!.list()).toHaveLength(12);
  });

  test("[LOGIN-store] a file that is not one of logins is an error that shows nothing of it", async () => {
    const path = join(dir, "logins.json");
    writeFileSync(path, '{"version":1,"logins":[{"secret-in-here');
    await expect(fileLoginStore(path).list()).rejects.toMatchObject({ code: "login_store" });
    await expect(fileLoginStore(path).save(login("https://x.example"))).rejects.not.toThrow("secret-in-here");
    expect(readFileSync(path, "utf8")).toContain("secret-in-here");
  });
});
