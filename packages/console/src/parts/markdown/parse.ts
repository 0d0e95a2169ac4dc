import type { Token } from "marked";

/** Milliseconds for one text, once the worker runs. Ordinary answers take a few. */
const LIMIT_MS = 1000;
/** Milliseconds for the worker to start. */
const START_MS = 20_000;
/** Results that are kept, so that a text that is shown again is formatted at once. */
const MAX_CACHED = 100;

type Parsed = readonly Token[] | undefined;

interface Job {
  readonly text: string;
  readonly done: (tokens: Parsed) => void;
}

const cache = new Map<string, Parsed>();
const waiting: Job[] = [];
let worker: Worker | undefined;
let current: Job | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

/** The tokens of a text that was parsed before. */
export function cachedTokens(text: string): { readonly tokens: Parsed } | undefined {
  return cache.has(text) ? { tokens: cache.get(text) } : undefined;
}

/** Calls `done` with the tokens, or with undefined if parsing took too long. Returns what gives up. */
export function parseMarkdown(text: string, done: Job["done"]): () => void {
  const job = { text, done };
  waiting.push(job);
  next();
  return () => {
    const index = waiting.indexOf(job);
    if (index >= 0) waiting.splice(index, 1);
    else if (current === job) current = { text, done: () => {} };
  };
}

/** One text after the other: each has its own time. */
function next(): void {
  if (current !== undefined) return;
  current = waiting.shift();
  if (current === undefined) return;
  if (worker === undefined) start();
  else send();
}

function start(): void {
  try {
    worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
  } catch {
    finish(undefined);
    return;
  }
  timer = setTimeout(stop, START_MS);
  worker.onerror = stop;
  worker.onmessage = ({ data }: MessageEvent<"ready" | { tokens: Parsed }>) =>
    data === "ready" ? send() : finish(data.tokens);
}

function send(): void {
  clearTimeout(timer);
  timer = setTimeout(stop, LIMIT_MS);
  worker?.postMessage(current?.text ?? "");
}

/** The worker is lost in its text, or cannot run; the next text gets a new one. */
function stop(): void {
  worker?.terminate();
  worker = undefined;
  finish(undefined);
}

function finish(tokens: Parsed): void {
  clearTimeout(timer);
  const job = current;
  current = undefined;
  if (job !== undefined) {
    cache.set(job.text, tokens);
    if (cache.size > MAX_CACHED) cache.delete(cache.keys().next().value!);
    job.done(tokens);
  }
  next();
}
