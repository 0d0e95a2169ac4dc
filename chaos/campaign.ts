import { setTimeout as sleep } from "node:timers/promises";
import { checkExits, checkStop } from "./checks/instances.ts";
import { countSteps } from "./checks/task-steps.ts";
import { CHECKS } from "./checks.ts";
import type { Fault } from "./fault.ts";
import { createHistory, type History, type Violation } from "./load/history.ts";
import { runClient } from "./load/runs.ts";
import { taskClient } from "./load/tasks.ts";
import { createRandom, type Random } from "./random.ts";
import { waitUntil } from "./wait.ts";
import { createWorld, type World, type WorldOptions } from "./world/world.ts";

export interface CampaignOptions extends WorldOptions {
  readonly faults: readonly Fault[];
  readonly seconds: number;
  readonly seed: number;
  readonly taskClients?: number;
  readonly runClients?: number;
  /** Called with what happens now. */
  readonly progress?: (text: string, history: History) => void;
}

export interface CampaignResult {
  /** How often each fault struck, by name; a text is the reason why it could not. */
  readonly strikes: ReadonlyMap<string, number | string>;
  readonly violations: readonly Violation[];
  readonly counts: {
    readonly tasks: number;
    readonly complete: number;
    readonly cancelled: number;
    /** Paused because they have spent the calls that their clients allowed. */
    readonly outOfBudget: number;
    readonly resumed: number;
    readonly lost: number;
    readonly steps: number;
    readonly runs: number;
    readonly starts: number;
    /** Ends that no fault asked for, by what the instances said about them. */
    readonly exits: Readonly<Record<string, number>>;
  };
  readonly postgres: string;
  readonly pooled: boolean;
  /** Logs, if something was found. */
  readonly folder: string;
}

/** world -> load + one fault after the other -> calm -> checks. */
export async function runCampaign(options: CampaignOptions): Promise<CampaignResult> {
  const { seed, progress = () => undefined } = options;
  const history = createHistory();
  const say = (text: string) => progress(text, history);
  say("starting PostgreSQL, a replica and the instances");
  const world = await createWorld(options);
  let keepLogs = true;
  try {
    const over = new AbortController();
    const clients = startClients(world, history, options, over.signal);
    await sleep(2000);
    const strikes = await makeWeather(world, options, createRandom(seed), say);
    over.abort();
    say("calm: every task comes to its end");
    await clients;
    for (const instance of world.instances) await waitUntil(instance.isReady, 60_000);
    say("checking");
    const violations = [...history.violations];
    for (const check of CHECKS) violations.push(...(await check(world, history)));
    const steps = await countSteps(world, history);
    violations.push(...(await checkStop(world)), ...checkExits(world));
    keepLogs = violations.length > 0;
    const ended = (end: string) => history.tasks.filter((task) => task.end === end).length;
    return {
      strikes,
      violations,
      counts: {
        tasks: history.tasks.filter(({ id }) => id !== undefined).length,
        complete: ended("complete"),
        cancelled: ended("cancelled"),
        outOfBudget: ended("budget"),
        resumed: history.resumed,
        lost: ended("lost"),
        steps,
        runs: history.runs.length,
        starts: world.instances.reduce((sum, { starts }) => sum + starts, 0),
        exits: countExits(world),
      },
      postgres: world.database.programs.version,
      pooled: world.pooler !== undefined,
      folder: world.folder,
    };
  } finally {
    await world.close(keepLogs);
  }
}

function countExits({ instances }: World): Record<string, number> {
  const reasons = instances.flatMap(({ exits }) => exits.map(({ reason = "without a reason" }) => reason));
  const groups = Map.groupBy(reasons, (reason) => reason);
  return Object.fromEntries([...groups].map(([reason, ends]) => [reason, ends.length]));
}

async function startClients(
  world: World,
  history: History,
  { seed, taskClients = 10, runClients = 3 }: CampaignOptions,
  over: AbortSignal,
): Promise<void> {
  // Each has numbers of its own: what one does must not depend on how fast the others are.
  const random = (client: number) => createRandom(seed * 1000 + client);
  await Promise.all([
    ...Array.from({ length: taskClients }, (_, i) =>
      taskClient(world, history, random(i), `task-${i}`, over),
    ),
    ...Array.from({ length: runClients }, (_, i) =>
      runClient(world, history, random(100 + i), `run-${i}`, over),
    ),
  ]);
}

async function makeWeather(
  world: World,
  { faults, seconds }: CampaignOptions,
  random: Random,
  say: (text: string) => void,
): Promise<Map<string, number | string>> {
  const strikes = new Map<string, number | string>();
  for (const { name, impossible } of faults) strikes.set(name, impossible?.(world) ?? 0);
  const possible = faults.filter(({ name }) => strikes.get(name) === 0);
  const end = performance.now() + seconds * 1000;
  let deck: Fault[] = [];
  while (performance.now() < end && possible.length > 0) {
    // Each once, in an order of chance, before any comes again.
    if (deck.length === 0) deck = shuffled(possible, random);
    const fault = deck.pop()!;
    // What strikes a service of which nothing is left shows nothing. On a busy machine a start takes a while.
    say("until an instance is ready");
    await waitUntil(async () => (await countReady(world)) > 0, READY_MS);
    say(fault.name);
    await repeatedly(() => fault.strike(world, random));
    strikes.set(fault.name, (strikes.get(fault.name) as number) + 1);
    say("a pause");
    await sleep(random.between(500, 4000));
  }
  return strikes;
}

const READY_MS = 180_000;

async function countReady({ instances }: World): Promise<number> {
  const ready = await Promise.all(instances.map((one) => one.isReady().catch(() => false)));
  return ready.filter(Boolean).length;
}

/** A fault that needs the database may find it at work on the one before. */
async function repeatedly(strike: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await strike();
    } catch (error) {
      if (attempt === MAX_ATTEMPTS) throw error;
      await sleep(RETRY_MS);
    }
  }
}

const MAX_ATTEMPTS = 5;
const RETRY_MS = 5000;

function shuffled<T>(list: readonly T[], random: Random): T[] {
  const left = [...list];
  const mixed: T[] = [];
  while (left.length > 0) mixed.push(...left.splice(random.between(0, left.length - 1), 1));
  return mixed;
}
