import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import manifest from "../../../../package.json" with { type: "json" };
import { folder } from "../mci.ts";
import { extensionsServer, fixture, serveHttp } from "../serve/support.ts";
import { clientCommand } from "./client-command.ts";
import { type Suite, startSuite } from "./suite.ts";

// The newest official suite: `mci run --http` as its server, the library as its client, in both eras of the protocol.
// What they do is checked here, so they run in this process; conformance.test.ts has the server in a process of its own.

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

let suite: Suite;
beforeAll(async () => {
  suite = startSuite(here("../../../../node_modules/@modelcontextprotocol/conformance-alpha/dist/index.js"));
  return suite.end;
});

const DEPRECATED =
  "sampling, roots and logging are deprecated by the revision of 2026 (SEP-2577), and not passed on";

/** What is not passed on, with the reason. */
const NOT_FOR_SERVERS: Readonly<Record<string, string>> = {
  "logging-set-level": DEPRECATED,
  "tools-call-with-logging": DEPRECATED,
  "tools-call-sampling": DEPRECATED,
  "input-required-result-basic-sampling": DEPRECATED,
  "input-required-result-basic-list-roots": DEPRECATED,
  "input-required-result-multiple-input-requests": `it wants sampling and roots beside a form: ${DEPRECATED}`,
  "input-required-result-capability-check": `it is about a client that has only sampling: ${DEPRECATED}`,
};

const IMPATIENT = "server-stateless";

/** Scenarios of official extensions that `mci run` offers. */
const EXTENSIONS_OF_SERVERS = [
  "sep-2640-skills-enumeration",
  "sep-2640-skills-manifest",
  "sep-2640-skills-directory",
  "tasks-lifecycle",
  "tasks-capability-negotiation",
  "tasks-wire-fields",
  "tasks-request-state-removal",
  "tasks-mrtr-input",
  "tasks-request-headers",
  "tasks-dispatch-and-envelope",
  "tasks-required-task-error",
  "tasks-mrtr-composition",
];
/** The suite itself skips it: what it would observe is not where the extension says. */
const SKIPPED_BY_THE_SUITE = ["tasks-status-notifications"];

const AUTH_OF_BOTH_ERAS = [
  "metadata-default",
  "metadata-var1",
  "metadata-var2",
  "metadata-var3",
  "basic-cimd",
  "scope-from-www-authenticate",
  "scope-from-scopes-supported",
  "scope-omitted-when-undefined",
  "scope-step-up",
  "scope-retry-limit",
  "token-endpoint-auth-basic",
  "token-endpoint-auth-post",
  "token-endpoint-auth-none",
  "pre-registration",
];
const AUTH_OF_2026 = [
  "resource-mismatch",
  "offline-access-scope",
  "offline-access-not-supported",
  "authorization-server-migration",
  "iss-supported",
  "iss-not-advertised",
  "iss-supported-missing",
  "iss-wrong-issuer",
  "iss-unexpected",
  "iss-normalized",
  "metadata-issuer-mismatch",
];
const AUTH_EXTENSIONS = [
  "client-credentials-jwt",
  "client-credentials-basic",
  "enterprise-managed-authorization",
  "wif-jwt-bearer",
  "dpop",
  "dpop-nonce",
];

/** Scenarios of the client that apply to one which lists and calls tools. */
const FOR_TOOLS_CLIENTS: readonly (readonly [scenario: string, ...versions: string[]])[] = [
  ["initialize", "2025-11-25"],
  ["tools_call", "2025-11-25", "2026-07-28"],
  ["sse-retry", "2025-11-25"],
  ["request-metadata", "2026-07-28"],
  ["http-standard-headers", "2026-07-28"],
  ["http-custom-headers", "2026-07-28"],
  ["http-invalid-tool-headers", "2026-07-28"],
  ["json-schema-ref-no-deref", "2026-07-28"],
  ["json-schema-2020-12-preservation", "2025-11-25", "2026-07-28"],
  ...AUTH_OF_BOTH_ERAS.map((name) => [`auth/${name}`, "2025-11-25", "2026-07-28"] as const),
  ...AUTH_OF_2026.map((name) => [`auth/${name}`, "2026-07-28"] as const),
  ...AUTH_EXTENSIONS.map((name) => [`auth/${name}`, "of an extension"] as const),
  ["elicitation-sep1034-client-defaults", "2025-11-25"],
  ["sep-2322-client-request-state", "2026-07-28"],
  ...["no-prefetch", "verify-digest", "verify-size", "verify-frontmatter"].map(
    (name) => [`sep-2640-client-${name}`, "of an extension"] as const,
  ),
  ["auth/2025-03-26-oauth-metadata-backcompat", "2025-03-26"],
  ["auth/2025-03-26-oauth-endpoint-fallback", "2025-03-26"],
];

/** Without `--watch`, conformance.test.ts checks the older protocol. */
const SERVERS: readonly { readonly args: readonly string[]; readonly versions: readonly string[] }[] = [
  { args: [], versions: ["2026-07-28"] },
  { args: ["--watch"], versions: ["2025-11-25", "2026-07-28"] },
];

describe.each(SERVERS)("with the options $args", ({ args, versions }) => {
  let cwd: string;
  let url: string;
  beforeAll(async () => {
    const ends: (() => unknown)[] = [];
    cwd = folder({}, (end) => ends.unshift(end));
    cpSync(here("fixtures"), cwd, { recursive: true });
    const env = {
      NODE: process.execPath,
      UPSTREAM: fixture("upstream.ts"),
      FULL: fixture("full.ts"),
      EXTENSIONS: extensionsServer,
    };
    ({ url } = await serveHttp({ cwd, env, args: ["tools.mci.yaml", ...args] }, (end) => ends.unshift(end)));
    return async () => {
      for (const end of ends) await end();
    };
  });

  test.each(versions)(
    "every scenario for a server passes with protocol %s [RUN-conformance]",
    async (version) => {
      const results = join(cwd, `results-${version}`);
      await suite.run(["server", "--url", url, "--suite", "all", "--spec-version", version, "-o", results]);
      const failed = failedChecks(results);
      // It waits 600 ms for an answer, which a busy machine may not give: once more, alone.
      if (failed[IMPATIENT]?.length) {
        const again = join(cwd, `again-${version}`);
        await suite.run([
          "server",
          "--url",
          url,
          "--scenario",
          IMPATIENT,
          "--spec-version",
          version,
          "-o",
          again,
        ]);
        Object.assign(failed, failedChecks(again));
      }
      expect(Object.keys(failed).length).toBeGreaterThan(20);
      // A scenario that has a reason and passes has one no more. Those of another revision are not run.
      for (const [scenario, checks] of Object.entries(failed))
        if (scenario in NOT_FOR_SERVERS) expect([scenario, checks.length > 0]).toEqual([scenario, true]);
        else expect([scenario, checks]).toEqual([scenario, []]);
    },
  );

  if (args.length === 0)
    test.each(EXTENSIONS_OF_SERVERS)(
      "the scenario %s of an extension passes [RUN-conformance]",
      async (name) => {
        const results = join(cwd, `results-${name}`);
        await suite.run(["server", "--url", url, "--scenario", name, "-o", results]);
        const checks = readdirSync(results).flatMap((folder) =>
          JSON.parse(readFileSync(join(results, folder, "checks.json"), "utf8")),
        ) as { id: string; status: string; errorMessage?: string }[];
        // A scenario that skips what it cannot find passes as well.
        const other = checks.filter(({ status }) => status !== "SUCCESS" && status !== "INFO");
        expect(
          other.map(({ id, status, errorMessage }) => `${id} ${status}: ${errorMessage}`).join("\n"),
        ).toBe("");
        expect(checks.filter(({ status }) => status === "SUCCESS").length).toBeGreaterThan(0);
      },
    );
});

test("every scenario of an extension of servers is run, but those that the suite skips", async () => {
  const { output } = await suite.run(["list", "--server"]);
  const listed = [...output.matchAll(/^ {2}- (\S+) \[extension\]/gm)].map(([, name]) => name!);
  expect(listed.sort()).toEqual([...EXTENSIONS_OF_SERVERS, ...SKIPPED_BY_THE_SUITE].sort());
});

test.each(FOR_TOOLS_CLIENTS.flatMap(([name, ...versions]) => versions.map((version) => [name, version])))(
  "the scenario %s for a tools client passes with protocol %s [RUN-conformance]",
  async (scenario, version) => {
    const command = await clientCommand();
    const args = ["client", "--command", command, "--scenario", scenario!];
    const isDated = /^\d/.test(version!);
    const { code, output } = await suite.run([...args, ...(isDated ? ["--spec-version", version!] : [])]);
    expect(output).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed, 0 warnings/);
    expect(code).toBe(0);
  },
);

test("every scenario of the client is run", async () => {
  const { output } = await suite.run(["list", "--client"]);
  const listed = [...output.matchAll(/^ {2}- (\S+) \[/gm)].map(([, name]) => name!);
  expect(listed.length).toBeGreaterThan(30);
  const covered = new Set(FOR_TOOLS_CLIENTS.map(([name]) => name));
  expect(listed.filter((name) => !covered.has(name))).toEqual([]);
});

test("the suite's version is pinned", () => {
  expect(manifest.devDependencies["@modelcontextprotocol/conformance-alpha"]).toMatch(
    /^npm:@modelcontextprotocol\/conformance@\d+\.\d+\.\d+-alpha\.\d+$/,
  );
});

/** Ids of the checks that failed, by scenario. */
function failedChecks(results: string): Record<string, string[]> {
  return Object.fromEntries(
    readdirSync(results).map((name) => {
      const checks: { id: string; status: string }[] = JSON.parse(
        readFileSync(join(results, name, "checks.json"), "utf8"),
      );
      const failed = checks.filter(({ status }) => status === "FAILURE").map(({ id }) => id);
      return [name.replace(/^server-|-\d{4}(-\d\d){2}T.*/g, ""), [...new Set(failed)]];
    }),
  );
}
