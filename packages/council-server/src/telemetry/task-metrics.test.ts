import type { TaskCounts } from "@mci-ts/council";
import { expect, it, onTestFinished, vi } from "vitest";
import { Metrics } from "./prometheus.ts";
import { createTaskMeters } from "./task-metrics.ts";

it("gauges of tasks are those of the scrape, and none while the database cannot be asked [A-task-metrics]", async () => {
  const metrics = new Metrics();
  const meters = createTaskMeters(metrics);
  const paused = async () => /^council_tasks_paused (\d+)$/m.exec(await metrics.render())?.[1];
  expect(await paused()).toBe("0");
  let answer: () => Promise<TaskCounts> = async () => ({ paused: 3 });
  meters.observe({ counts: () => answer(), stats: { declaredDead: 0, poolWaiting: 0 } });
  expect(await paused()).toBe("3");
  // Another scraper asks at the same moment.
  answer = () => expect.fail("asked again");
  expect(await paused()).toBe("3");
  const later = vi.spyOn(performance, "now").mockReturnValue(performance.now() + 60_000);
  onTestFinished(() => later.mockRestore());
  answer = async () => {
    throw new Error("down");
  };
  expect(await paused()).toBeUndefined();
  answer = async () => ({ paused: 4 });
  expect(await paused()).toBe("4");
});
