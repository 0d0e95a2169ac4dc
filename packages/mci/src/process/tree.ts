import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * Ends a process and everything it started. On POSIX the process leads a group of its own; children that left the group
 * (job control, setsid) are found by who their parent is. On Windows taskkill does it.
 */
export async function terminateTree(root: number): Promise<void> {
  if (process.platform === "win32") return taskkill(root);
  let tree = livingTree(root);
  signalTree(tree, root, "SIGTERM");
  for (const pauseMs of GRACE_MS) {
    await sleep(pauseMs);
    // The table of all processes takes a while to read. It is needed once these are gone: there may be others by now.
    if (tree.some(isRunning)) continue;
    tree = livingTree(root, tree);
    if (tree.length === 0) return;
  }
  tree = livingTree(root, tree);
  for (let round = 0; round < KILL_ROUNDS && tree.length > 0; round++) {
    signalTree(tree, root, "SIGKILL");
    await sleep(KILL_PAUSE_MS);
    tree = livingTree(root, tree);
  }
}

/** The same, at once and without waiting: for the moment in which our own process ends. */
export function killTree(root: number): void {
  if (process.platform === "win32")
    spawnSync("taskkill", taskkillArgs(root), { stdio: "ignore", windowsHide: true });
  else signalTree(livingTree(root), root, "SIGKILL");
}

/** Time to clean up after SIGTERM: half a second in all, looked at early because most programs need none of it. */
const GRACE_MS = [5, 15, 30, 50, 100, 100, 200];
/** A process can fork between being found and being killed, so killing is repeated. */
const KILL_ROUNDS = 20;
const KILL_PAUSE_MS = 10;

export interface ProcessRow {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** Unknown where only `ps` can be asked. */
  readonly session?: number;
}

function livingTree(root: number, rows: readonly ProcessRow[] = []): ProcessRow[] {
  const table = process.platform === "linux" ? linuxProcesses() : psProcesses();
  if (table.length > 0) return treeOf(root, rows, table);
  // Neither /proc nor ps: the group is all there is to go by.
  return sendSignal(-root, 0) ? [{ pid: root, parent: 0, group: root }] : [];
}

/** The rows that belong to the tree: by group, session, or parent; `known` are members whose parents may be gone. */
export function treeOf(
  root: number,
  rows: readonly ProcessRow[],
  table: readonly ProcessRow[],
): ProcessRow[] {
  const members = new Set([root, ...rows.map((row) => row.pid)]);
  const belongs = (row: ProcessRow) =>
    members.has(row.pid) || row.group === root || row.session === root || members.has(row.parent);
  // A parent can stand after its child in the table, so until nothing is added.
  for (let size = 0; size !== members.size; ) {
    size = members.size;
    for (const row of table) if (belongs(row)) members.add(row.pid);
  }
  return table.filter((row) => members.has(row.pid));
}

function signalTree(tree: readonly ProcessRow[], root: number, signal: NodeJS.Signals): void {
  if (tree.some((row) => row.group === root)) sendSignal(-root, signal);
  for (const row of tree) if (row.group !== root) sendSignal(row.pid, signal);
}

/** False if it is gone, or runs as another user. */
function sendSignal(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(target, signal);
  } catch {
    return false;
  }
}

function isRunning({ pid }: ProcessRow): boolean {
  return existsSync("/proc/self/stat") ? linuxProcess(pid).length > 0 : sendSignal(pid, 0);
}

function linuxProcesses(): ProcessRow[] {
  if (!existsSync("/proc/self/stat")) return psProcesses();
  return readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? linuxProcess(name) : []));
}

function linuxProcess(pid: number | string): ProcessRow[] {
  try {
    return parseStat(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return []; // It has ended.
  }
}

/** `pid (name) state ppid pgrp session …`; the name may hold anything. Zombies are dead already. */
export function parseStat(line: string): ProcessRow[] {
  const [state, parent, group, session] = line.slice(line.lastIndexOf(")") + 2).split(" ", 4);
  if (state === "Z" || state === "X") return [];
  return [
    {
      pid: Number.parseInt(line, 10),
      parent: Number(parent),
      group: Number(group),
      session: Number(session),
    },
  ];
}

function psProcesses(): ProcessRow[] {
  return parsePs(spawnSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,stat="], { encoding: "utf8" }).stdout ?? "");
}

export function parsePs(output: string): ProcessRow[] {
  return output.split("\n").flatMap((line) => {
    const [pid, parent, group, state] = line.trim().split(/\s+/);
    if (state === undefined || state.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group) }];
  });
}

async function taskkill(root: number): Promise<void> {
  const child = spawn("taskkill", taskkillArgs(root), { stdio: "ignore", windowsHide: true });
  await once(child, "exit").catch(() => {});
}

function taskkillArgs(root: number): string[] {
  return ["/pid", String(root), "/T", "/F"];
}
