import { beforeAll, expect, test } from "vitest";
import { startIssuer, type TestIssuer } from "../../../test/issuer/authorization-server.ts";
import { folder } from "../../cli/test/mci.ts";
import { readConfig } from "../../council-server/src/config/config.ts";
import { serve } from "../../council-server/src/server.ts";
import {
  type LoginServers,
  personLogsIn,
  startLoginServers,
} from "../../mci/test/login/authorization-server.ts";
import { openPage } from "./support/browser.ts";
import { startUi } from "./support/servers.ts";

let servers: LoginServers;
beforeAll(async () => {
  servers = await startLoginServers();
  return () => servers.close();
});

test("[C-login] a tool that needs a login has a button for it: the person logs in, and the tool works", async () => {
  const auth = {
    ...{ type: "oauth2", flow: "authorizationCode", name: "notes", clientId: "api-client" },
    ...{ issuer: servers.issuer, scopes: ["tools:read"] },
  };
  const me = { name: "me", execution: { type: "http", url: `${servers.api}/me`, auth } };
  const cwd = folder({ "mci.json": { schemaVersion: "1.0", tools: [me] } });
  const { address } = await startUi(cwd);
  const { page } = await openPage({ fresh: true });
  await page.goto(address());
  await page.getByRole("button", { name: "Log in to notes" }).click();
  const link = page.getByRole("link", { name: "Open the login page" });
  const returned = await personLogsIn((await link.getAttribute("href"))!);
  expect((await fetch(returned)).status).toBe(200);
  await expect.poll(() => page.getByText("needs a login").count(), { timeout: 20_000 }).toBe(0);
  const called: { result: object } = await page.evaluate(async () => {
    const authorization = `Bearer ${sessionStorage.getItem("mci-console-token")}`;
    const headers = { authorization, "content-type": "application/json" };
    const response = await fetch("api/tools/me/call", { method: "POST", headers, body: "{}" });
    return (await response.json()) as { result: object };
  });
  expect(called.result).toMatchObject({ structuredContent: { user: "ann" } });
});

const AUDIENCE = "https://council.example.com";
let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startIssuer(["council:admin"]);
  return () => issuer.close();
});

test("[C-login] a person logs in to the console at the issuer, in a real browser; the token stays in the tab, the code nowhere", async () => {
  const server = await serve(
    readConfig({
      ...{ PORT: "0", MCI_DETECT_LOCAL: "0", MCI_OAUTH_ISSUER: issuer.issuer, MCI_OAUTH_AUDIENCE: AUDIENCE },
      MCI_OAUTH_CONSOLE_CLIENT: "console",
    }),
    { log: () => {} },
  );
  try {
    const { page } = await openPage({ fresh: true, allowedErrors: /401|ERR_FAILED|ERR_CONNECTION_REFUSED/ });
    // The pages of the authorization server would load a font from elsewhere.
    await page.route(/^https?:\/\/(?!127\.0\.0\.1)/, (route) => route.abort());
    await page.goto(`${server.url}/#/history`);
    await page.getByRole("button", { name: /Log in at/ }).click();
    await page.getByPlaceholder("Enter any login").fill("ann");
    await page.getByPlaceholder("and password").fill("x");
    await page.getByRole("button", { name: "Sign-in" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL(`${server.url}/#/history`);
    // The page is loaded once more, and asks for the token before it has one.
    const storedToken = () => page.evaluate(() => sessionStorage.getItem("mci-console-token"));
    await expect.poll(storedToken).not.toBeNull();
    expect(await page.getByRole("button", { name: /Log in at/ }).count()).toBe(0);
    const token = await storedToken();
    expect(await page.evaluate(() => localStorage.length)).toBe(0);
    expect(await page.evaluate(() => sessionStorage.getItem("mci-console-login"))).toBeNull();
    const run = await fetch(`${server.url}/mcp/model`, {
      method: "POST",
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      body: JSON.stringify({ prompt: "Tabs or spaces?" }),
    });
    const stored = await fetch(`${server.url}/runs/${run.headers.get("x-request-id")}`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await stored.json()).toMatchObject({ subject: "ann" });

    // An answer that this tab did not ask for ends nothing.
    await page.evaluate(() => sessionStorage.clear());
    await page.goto(`${server.url}/?code=stolen&state=of-another#/history`);
    await expect.poll(() => page.getByRole("alert").first().textContent()).toContain("from another login");
    expect(page.url()).not.toContain("stolen");
    const elsewhere = { code: "c", code_verifier: "v".repeat(43), redirect_uri: "https://evil.example/" };
    const refused = await fetch(`${server.url}/console/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(elsewhere),
    });
    expect(refused.status).toBe(400);
    const madeUp = await fetch(`${server.url}/console/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ ...elsewhere, redirect_uri: `${server.url}/` }),
    });
    expect(madeUp.status).toBe(401);
  } finally {
    await server.close();
  }
});
