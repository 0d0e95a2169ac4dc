import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { serve } from "../../../../test/servers.ts";
import { codeTool, type PlanStore } from "../../src/code/index.ts";
import { MCIClient } from "../../src/index.ts";

/*
 * Plans against a real HTTP service and a real git repository, committed by processes that are killed (SIGKILL) at random
 * moments until one of them gets to the end. Whatever happens, each planned write must take effect exactly once.
 */

export interface Proof {
  readonly plans: number;
  readonly kills: number;
  /** Writes that were planned, and effects that were found; both by kind. */
  readonly planned: { readonly http: number; readonly git: number };
  readonly effects: { readonly http: number; readonly git: number };
  /** Writes that took effect more than once, or never. */
  readonly wrong: readonly string[];
  /** HTTP requests that the service recognized by their key and did not execute again. */
  readonly recognized: number;
}

export interface ProofOptions {
  readonly kills: number;
  /** No further plan begins after this time, in milliseconds since 1970. Default: never. */
  readonly until?: number;
  readonly onProgress?: (kills: number) => void;
  /** A PostgreSQL for the plans, with its address. Default: a folder. */
  readonly database?: { readonly url: string; readonly store: PlanStore };
}

const WRITES = 50;
/** A kill comes at a random moment within this time after the commit has begun, early ones more often. */
const MAX_DELAY_MS = 600;

/** `program`: commit-plan.ts as a program. Ends after the plan during which the last kill happened. */
export async function provePlans(
  { kills: wanted, until = Number.POSITIVE_INFINITY, onProgress = () => {}, database }: ProofOptions,
  program: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Proof> {
  const folder = mkdtempSync(join(tmpdir(), "mci-plans-"));
  const service = await startService();
  const repository = join(folder, "repository");
  mkdirSync(repository);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, encoding: "utf8" });
  git("init", "--quiet");
  const file = join(folder, "mci.json");
  writeFileSync(file, JSON.stringify(toolsFor(service.url, repository)));
  const client = await MCIClient.load(file);
  const plans = database?.url ?? join(folder, "plans");
  const code = codeTool(client, { plans: database?.store ?? plans });
  let [kills, count] = [0, 0];
  const ids: string[] = [];
  try {
    while (kills < wanted && Date.now() < until) {
      count++;
      const result = await code.call("run_code", { code: scriptFor(count) });
      const id = String(result.metadata["plan_id"]);
      for (let attempt = 0; ; attempt++) {
        const killAfterMs = kills < wanted ? Math.random() ** 2 * MAX_DELAY_MS : undefined;
        const output = await commit([...program, file, plans, id], env, killAfterMs);
        // Git leaves the lock of a process that was killed; its owner removes it.
        for (const lock of ["index.lock", "HEAD.lock"])
          rmSync(join(repository, ".git", lock), { force: true });
        if (output === undefined) {
          kills++;
          onProgress(kills);
        } else if (output.includes('"complete":true')) break;
        else if (attempt > 500) throw new Error(`The plan does not end: ${output}`);
      }
      ids.push(...Array.from({ length: WRITES }, (_, index) => idOf(count, index)));
    }
    const commits = git("log", "--format=%s").trim().split("\n");
    const found = { http: service.effects, git: commits };
    return proofOf(ids, found, { plans: count, kills, recognized: service.recognized() });
  } finally {
    await client.close();
    await service.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const idOf = (plan: number, index: number) =>
  `${index % 2 === 0 ? "http" : "git"}-${plan}-${String(index).padStart(3, "0")}`;

function scriptFor(plan: number): string {
  const ids = Array.from({ length: WRITES }, (_, index) => idOf(plan, index));
  return `for (const id of ${JSON.stringify(ids)}) await (id.startsWith("http") ? tools.post_effect({ id }) : tools.git_commit({ id }))`;
}

function toolsFor(url: string, cwd: string): object {
  const inputSchema = { type: "object", properties: { id: { type: "string" } }, required: ["id"] };
  const identity = ["-c", "user.name=proof", "-c", "user.email=proof@example.com"];
  return {
    schemaVersion: "1.0",
    tools: [
      {
        name: "post_effect",
        inputSchema,
        idempotency: { header: "Idempotency-Key" },
        execution: { type: "http", method: "POST", url: `${url}/effects/{{props.id}}` },
      },
      {
        name: "git_commit",
        inputSchema,
        idempotency: { verify: { tool: "git_find", input: { id: "id" }, done: "length(@) > `0`" } },
        execution: {
          type: "cli",
          command: "git",
          args: [...identity, "commit", "--allow-empty", "--quiet", "--message={{props.id}}"],
          cwd,
        },
      },
      {
        name: "git_find",
        inputSchema,
        annotations: { readOnlyHint: true },
        execution: {
          type: "cli",
          // A repository without a commit has no log.
          successExitCodes: [0, 128],
          command: "git",
          args: ["log", "--all", "--format=%s", "--fixed-strings", "--grep={{props.id}}"],
          cwd,
        },
      },
    ],
  };
}

/** A service that executes a request once for each key, and takes its time before and after. */
async function startService() {
  const effects: string[] = [];
  const keys = new Set<string>();
  let recognized = 0;
  const { url, server } = await serve(
    async (request, response) => {
      await sleep(Math.random() * 4);
      const key = String(request.headers["idempotency-key"]);
      if (keys.has(key)) recognized++;
      else {
        keys.add(key);
        effects.push(request.url!.split("/").at(-1)!);
      }
      await sleep(Math.random() * 4);
      response.end("done");
    },
    () => {},
  );
  return {
    url,
    effects,
    recognized: () => recognized,
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

/** What the program printed; undefined if it was killed. */
async function commit(
  [command, ...args]: readonly string[],
  env: Readonly<Record<string, string>>,
  killAfterMs: number | undefined,
): Promise<string | undefined> {
  const child = spawn(command!, args, { stdio: ["ignore", "pipe", "pipe"], env: { ...process.env, ...env } });
  let output = "";
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  child.stdout.on("data", (chunk) => {
    if (output === "" && killAfterMs !== undefined) setTimeout(() => child.kill("SIGKILL"), killAfterMs);
    output += chunk;
  });
  const [exitCode, signal] = await new Promise<[number | null, string | null]>((resolve) =>
    child.once("close", (code, name) => resolve([code, name])),
  );
  if (signal === "SIGKILL") return undefined;
  if (exitCode !== 0) throw new Error(`The commit ended with ${exitCode}: ${errors}`);
  return output;
}

function proofOf(
  ids: readonly string[],
  found: { readonly http: readonly string[]; readonly git: readonly string[] },
  rest: Pick<Proof, "plans" | "kills" | "recognized">,
): Proof {
  const times = new Map<string, number>();
  for (const id of [...found.http, ...found.git]) times.set(id, (times.get(id) ?? 0) + 1);
  const known = new Set(ids);
  const wrong = [
    ...ids.filter((id) => times.get(id) !== 1).map((id) => `${id}: ${times.get(id) ?? 0} times`),
    ...[...times.keys()].filter((id) => !known.has(id)).map((id) => `${id}: not planned`),
  ];
  const http = ids.filter((id) => id.startsWith("http")).length;
  return {
    ...rest,
    planned: { http, git: ids.length - http },
    effects: { http: found.http.length, git: found.git.length },
    wrong,
  };
}
