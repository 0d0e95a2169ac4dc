import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Adapter, Observed } from "../../conformance/run/adapter.ts";
import type { Case } from "../../conformance/run/case.ts";
import { judge } from "../../conformance/run/judge.ts";
import { readCases } from "../../conformance/run/read-cases.ts";
import { stage } from "../../conformance/run/stage.ts";
import { startWorld, type World } from "../../conformance/run/world.ts";
import { LineProcess } from "../prepare/line-process.ts";

const RUNNER = fileURLToPath(new URL("../peers/mci_py_runner.py", import.meta.url));
const CASE_MILLISECONDS = 20_000;
/** Many cases only wait, for a deadline or a program. */
const LANES = 3;

export interface Replayed {
  readonly case: Case;
  readonly topic: string;
  /** What was not as the case expects it; empty if it passed. */
  readonly differences: readonly string[];
}

/** Every case on mci-py, in a folder that is not that of any case. */
export async function replayOnMciPy(venv: string): Promise<Replayed[]> {
  const world = await startWorld();
  try {
    const left = readCases().flatMap(({ topic, cases }) => cases.map((each) => ({ topic, case: each })));
    const replayed: Replayed[] = [];
    const lane = async () => {
      const adapter = new MciPy(venv);
      for (let next = left.shift(); next !== undefined; next = left.shift())
        replayed.push({ ...next, differences: await replay(next.case, world, adapter.observe) });
      await adapter.close();
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    return replayed.sort((a, b) => a.case.id.localeCompare(b.case.id));
  } finally {
    await world.stop();
  }
}

async function replay(each: Case, world: World, adapter: Adapter): Promise<string[]> {
  const staged = stage(each, world.places);
  try {
    return judge(staged, await adapter(staged.task), { codes: false });
  } catch (error) {
    return [(error as Error).message];
  } finally {
    staged.remove();
  }
}

/** The runner, started again after a case that it did not survive. */
class MciPy {
  readonly #python: string;
  #process: LineProcess | undefined;

  constructor(venv: string) {
    this.#python = join(venv, "bin/python");
  }

  readonly observe: Adapter = async (task) => {
    this.#process ??= new LineProcess(this.#python, [RUNNER], tmpdir());
    try {
      const observed = await this.#process.ask<Observed & { crash?: string }>(task, CASE_MILLISECONDS);
      if (observed.crash !== undefined) throw new Error(`crashed: ${observed.crash}`);
      return observed;
    } catch (error) {
      if (!(error as Error).message.startsWith("crashed")) {
        await this.#process.close();
        this.#process = undefined;
      }
      throw error;
    }
  };

  async close(): Promise<void> {
    await this.#process?.close();
  }
}
