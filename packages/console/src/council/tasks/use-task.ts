import type { Task, TaskEvent, TaskStep } from "@mci-ts/council-server/api";
import { useEffect, useState } from "react";
import { followEvents } from "../../api/events.ts";
import { getJson } from "../../api/http.ts";

export interface LiveTask {
  readonly task?: Task;
  /** The latest decided steps, oldest first. */
  readonly steps: readonly TaskStep[];
  readonly connection: "connecting" | "open" | "reconnecting" | "closed";
  readonly error?: unknown;
}

/** As many of the latest steps as one page shows. */
export const LATEST_STEPS = 100;

/** Follows a task from its latest steps on. Events are applied once per frame: a fast task decides hundreds of steps a second. */
export function useTask(id: string): LiveTask & {
  readonly setTask: (task: Task) => void;
  /** Again, after its events have ended. */
  readonly follow: () => void;
} {
  const [live, setLive] = useState<LiveTask>({ steps: [], connection: "connecting" });
  const [round, setRound] = useState(0);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let frame = 0;
    let pending: TaskEvent[] = [];
    // What is on the page stays there until there is something newer.
    setLive(({ steps, task }) =>
      round === 0
        ? { steps: [], connection: "connecting" }
        : { steps, connection: "connecting", ...(task && { task }) },
    );
    const flush = () => {
      frame = 0;
      const batch = pending;
      pending = [];
      setLive((before) => applyEvents(before, batch));
    };
    const path = `tasks/${encodeURIComponent(id)}`;
    async function follow(): Promise<void> {
      const task = await getJson<Task>(path, { signal });
      setLive((before) => ({ ...before, task }));
      await followEvents(`${path}/events`, {
        signal,
        after: String(task.kind === "steps" ? Math.max(0, task.step - LATEST_STEPS) : 0),
        isLast: ({ type }) => type === "task.end",
        onState: (connection) => setLive((before) => ({ ...before, connection })),
        onEvent: ({ data }) => {
          pending.push(JSON.parse(data));
          // A hidden tab gets no frames; a timer still comes.
          frame ||= document.hidden ? window.setTimeout(flush, 250) : requestAnimationFrame(flush);
        },
      });
    }
    follow().then(
      () => setLive((before) => ({ ...before, connection: "closed" })),
      (error) => signal.aborted || setLive((before) => ({ ...before, connection: "closed", error })),
    );
    return () => {
      controller.abort();
      cancelAnimationFrame(frame);
      clearTimeout(frame);
    };
  }, [id, round]);
  return {
    ...live,
    setTask: (task) => setLive((before) => ({ ...before, task })),
    follow: () => setRound(round + 1),
  };
}

function applyEvents(before: LiveTask, batch: readonly TaskEvent[]): LiveTask {
  const decided = batch.filter((event) => event.type === "step.decided");
  const task = batch.findLast((event) => event.type !== "step.decided")?.task ?? before.task;
  const byNumber = new Map([...before.steps, ...decided].map((step) => [step.step, step]));
  const steps = [...byNumber.values()].toSorted((a, b) => a.step - b.step).slice(-LATEST_STEPS);
  return { ...before, steps, ...(task ? { task } : {}) };
}
