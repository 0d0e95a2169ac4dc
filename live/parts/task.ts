import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { waitOrThrow } from "../../chaos/wait.ts";
import type { Part } from "../part.ts";
import type { Service } from "../service.ts";

const STEPS = 12;
const KILLS = 2;

/** The question is easy on purpose: what is tried is the task, not the model. */
const TASK = {
  kind: "steps",
  name: "colours",
  state: { n: 0 },
  step: {
    prompt: "Question {{step}}: what colour is grass: red, green or blue?",
    answer: {
      type: "object",
      properties: { colour: { type: "string", enum: ["red", "green", "blue"] } },
      required: ["colour"],
    },
    next: "{ n: sum([state.n, `1`]) }",
  },
  until: `state.n >= \`${STEPS}\``,
  max_steps: 30,
  config: { k: 2, deadline_ms: 120_000 },
};

interface TaskView {
  readonly status: string;
  readonly steps?: number;
  readonly error?: { readonly code: string };
}

export const taskPart: Part = {
  name: "task",
  title: "A task of steps under kill -9",
  about: `${STEPS} voted steps on a real PostgreSQL (the embedded one). The service is killed with SIGKILL ${KILLS} times while a step is voted on.`,
  async run({ startService, folder, progress }) {
    const env = { MCI_DATA_DIR: join(folder, "task-data") };
    let service = await startService(env);
    const { id } = await request<{ id: string }>(service, "/tasks", TASK);
    let kills = 0;
    const decided = async () => (await request<{ steps: unknown[] }>(service, `/tasks/${id}/steps`)).steps;
    for (let kill = 1; kill <= KILLS; kill++) {
      const before = (await decided()).length;
      const goesOn = async () => {
        const { status } = await request<TaskView>(service, `/tasks/${id}`);
        return status !== "running" && status !== "queued" ? true : (await decided()).length > before;
      };
      await waitOrThrow("another step", goesOn, STEP_TIMEOUT_MS);
      if ((await request<TaskView>(service, `/tasks/${id}`)).status !== "running") break;
      progress(`kill -9 after step ${(await decided()).length}`);
      await service.kill("SIGKILL");
      kills++;
      service = await startService(env);
    }
    let view = await request<TaskView>(service, `/tasks/${id}`);
    for (let waited = 0; waited < 300 && ["running", "queued"].includes(view.status); waited++) {
      await sleep(1000);
      view = await request<TaskView>(service, `/tasks/${id}`);
    }
    const steps = (await decided()) as { step: number; answer: { colour: string } }[];
    const numbers = steps.map(({ step }) => step);
    const right = steps.filter(({ answer }) => answer.colour === "green").length;
    const inOrder = numbers.every((step, i) => step === i + 1);
    return [
      { what: "kills", ours: String(kills), target: String(KILLS), met: kills === KILLS },
      {
        what: "steps recorded, each once and in order",
        ours: String(numbers.length),
        target: `${STEPS}, no gap, none twice`,
        met: inOrder && numbers.length === STEPS,
      },
      {
        what: "the task's end",
        ours: view.error ? `${view.status} (${view.error.code})` : view.status,
        target: "complete",
        met: view.status === "complete",
      },
      {
        what: "steps decided right",
        ours: `${right} of ${steps.length}`,
        note: "says something about the model",
      },
    ];
  },
};

const STEP_TIMEOUT_MS = 240_000;

async function request<T>(service: Service, path: string, body?: object): Promise<T> {
  const response = await fetch(`${service.url}${path}`, {
    ...(body
      ? { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) }
      : {}),
  });
  const reply = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${reply.slice(0, 300)}`);
  return JSON.parse(reply) as T;
}
