import { parentPort, workerData } from "node:worker_threads";
import { cpuMs } from "../cpu-time.ts";
import { attacks } from "./attacks.ts";

/** Runs in a thread of its own, so that a pattern that never ends can be stopped. */

/** A linear pattern reads a short text in microseconds; a quadratic one takes about 0.15 ms or more, also on a fast machine. */
const SUSPICIOUS_MS = 0.1;
/** Of all texts, those that cost most for each of their characters. */
const MAX_COMPARED = 5;
/** By the clock, which is exact but also runs while the thread waits for a processor. */
const MIN_ROUNDS = 5;
const MAX_ROUNDS = 12;
/** What takes longer than that is measured by processor time at once. */
const MAX_ROUND_MS = 20;
/** By processor time, which some systems count in steps of 10 ms. */
const CPU_MS = 100;

const { regexes, from, progress } = workerData as {
  regexes: { source: string; flags: string }[];
  from: number;
  progress: Int32Array;
};
for (let index = from; index < regexes.length; index++) {
  parentPort!.postMessage({ index });
  const { source, flags } = regexes[index]!;
  const attack = slowAttack(source, flags);
  if (attack !== undefined) parentPort!.postMessage({ index, attack });
}

/** The beginning of a text that takes more than linear time; undefined if none of the slowest ones does. */
function slowAttack(source: string, flags: string): string | undefined {
  const regex = new RegExp(source, flags);
  const suspicious: { index: number; perChar: number }[] = [];
  let index = 0;
  for (const text of attacks(source, flags, 1)) {
    if (time(regex, text) >= SUSPICIOUS_MS) {
      const least = Math.min(time(regex, text), time(regex, text));
      if (least >= SUSPICIOUS_MS) suspicious.push({ index, perChar: least / text.length });
    }
    index += 1;
  }
  const slowest = suspicious.sort((a, b) => b.perChar - a.perChar).slice(0, MAX_COMPARED);
  const slow = slowest.find((attack) => grows(source, flags, regex, attack.index));
  return slow && nth(attacks(source, flags, 1), slow.index).slice(0, 40);
}

/** Four times the text takes four times as long on a linear pattern, and sixteen times as long on a quadratic one. */
function grows(source: string, flags: string, regex: RegExp, index: number): boolean {
  const [shortText, longText] = [1, 4].map((factor) => nth(attacks(source, flags, factor), index));
  let short = Number.POSITIVE_INFINITY;
  let long = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    // The least of several measurements counts: the others are the machine's.
    short = Math.min(short, time(regex, shortText!));
    long = Math.min(long, time(regex, longText!));
    if (round >= MIN_ROUNDS && long < 8 * short) return false;
    if (long > MAX_ROUND_MS) break;
  }
  return cpuTime(regex, longText!) >= 8 * cpuTime(regex, shortText!);
}

/** Of one of many runs. */
function cpuTime(regex: RegExp, text: string): number {
  const started = cpuMs();
  let runs = 0;
  for (; cpuMs() - started < CPU_MS; runs++) time(regex, text);
  return (cpuMs() - started) / runs;
}

function nth(texts: Iterable<string>, index: number): string {
  let left = index;
  for (const text of texts) if (left-- === 0) return text;
  throw new Error("the attacks of another length are not the same ones");
}

function time(regex: RegExp, text: string): number {
  Atomics.add(progress, 0, 1);
  const started = performance.now();
  text.replace(regex, "");
  return performance.now() - started;
}
