import { killTree } from "../../process/tree.ts";

/**
 * The trees that must not outlive us. The process has one exit event and one set of signals, so this is the one place
 * that is shared by all clients; it listens only while something runs.
 */
const running = new Set<ProcessTree>();

/** A tree by its first process, once that is started. */
export interface ProcessTree {
  pid?: number;
}

/**
 * Ends the tree when our process ends, by itself or by a signal. To be called before the tree is started, so that no
 * signal comes between; and the returned function when the tree is gone.
 */
export function killOnExit(tree: ProcessTree): () => void {
  if (running.size === 0) listen();
  running.add(tree);
  return () => {
    running.delete(tree);
    if (running.size === 0) unlisten();
  };
}

/** Ctrl-C in a terminal does not reach children, because they have process groups of their own. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function listen(): void {
  process.on("exit", onExit);
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

function unlisten(): void {
  process.off("exit", onExit);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

function onExit(): void {
  for (const { pid } of running) if (pid !== undefined) killTree(pid);
}

function onSignal(signal: NodeJS.Signals): void {
  // An application that handles the signal decides what happens; its exit ends the trees.
  if (process.listenerCount(signal) > 1) return;
  onExit();
  unlisten();
  process.kill(process.pid, signal);
}
