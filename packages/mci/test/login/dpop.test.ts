import { join } from "node:path";
import { MCIClient } from "mci-ts";
import { fileLoginStore, type LoginStore, memoryLoginStore, type OnAuthorize } from "mci-ts/login";
import { afterAll, expect, test } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { type LoginServers, personLogsIn, startLoginServers } from "./authorization-server.ts";

// Tokens that are of use only with a key (DPoP), at a real authorization server that checks the proofs.

const dir = temporaryFolder({}, afterAll);
const onAuthorize: OnAuthorize = (url) => personLogsIn(url);

function load({ url }: LoginServers, store: LoginStore, more: { onAuthorize?: OnAuthorize } = {}) {
  return MCIClient.fromObject(
    { schemaVersion: "1.0", mcp_servers: { notes: { url } } },
    { auth: { store, ...more }, baseDir: dir, refreshMcpTools: true },
  );
}

test("[LOGIN-dpop] a server that wants bound tokens gets a new proof with each request, from every process, and for renewals", async () => {
  const servers = await startLoginServers({ dpop: "required" });
  try {
    const store = fileLoginStore(join(dir, "logins.json"));
    await using first = await load(servers, store, { onAuthorize });
    expect((await first.execute("whoami")).content).toMatchObject([{ text: "you are in" }]);
    const [login] = await store.list();
    expect(login!.tokens).toMatchObject({
      token_type: "DPoP",
      dpopKey: { kty: "EC", d: expect.any(String) },
    });
    await using second = await load(servers, fileLoginStore(join(dir, "logins.json")));
    expect((await second.execute("whoami")).isError).toBe(false);
    servers.revoke("AccessToken");
    expect((await second.execute("whoami")).isError).toBe(false);
    expect(servers.grants).toEqual(["authorization_code", "refresh_token"]);
    expect((await store.list())[0]!.tokens!.dpopKey).toEqual(login!.tokens!.dpopKey);
    const shown = JSON.stringify([first.warnings, first.lock(), first.mcpServers()]);
    expect(shown).not.toContain(login!.tokens!.dpopKey!.d);

    // Someone who has only the tokens cannot use them; what this client renews without the key is not bound, and refused as well.
    const stolen = memoryLoginStore();
    const { dpopKey: _, ...tokens } = (await store.list())[0]!.tokens!;
    await stolen.save({ ...login!, tokens });
    await using thief = await load(servers, stolen);
    const refused = await thief.execute("whoami");
    expect([refused.isError, refused.error]).toEqual([true, expect.stringContaining("401 Unauthorized")]);
  } finally {
    await servers.close();
  }
});

test("[LOGIN-dpop] an authorization server that offers bound tokens for a server that did not ask is not asked for them", async () => {
  const servers = await startLoginServers({ dpop: "offered" });
  try {
    const store = memoryLoginStore();
    await using client = await load(servers, store, { onAuthorize });
    expect((await client.execute("whoami")).isError).toBe(false);
    const [login] = await store.list();
    expect(login!.tokens).toMatchObject({ token_type: "Bearer" });
    expect(login!.tokens).not.toHaveProperty("dpopKey");
  } finally {
    await servers.close();
  }
});
