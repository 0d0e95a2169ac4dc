import { describe, expect, it } from "vitest";
import { Metrics } from "./prometheus.ts";

describe("metrics", () => {
  it("are written in Prometheus' text format [A-health]", async () => {
    const metrics = new Metrics();
    const runs = metrics.counter<"tool">("runs_total", "Runs.");
    runs.add({ tool: "vote" });
    runs.add({ tool: "vote" }, 2);
    runs.add({ tool: 'a "quoted"\nname\\' });
    metrics.total("votes_total", "Votes.");
    metrics.observeValue("gauge", "active", "Active.", () => 3);
    const seconds = metrics.histogram<"tool">("seconds", "Time.", [0.1, 1]);
    for (const value of [0.05, 0.5, 5]) seconds.observe({ tool: "vote" }, value);
    expect(await metrics.render()).toBe(
      [
        "# HELP runs_total Runs.",
        "# TYPE runs_total counter",
        'runs_total{tool="vote"} 3',
        'runs_total{tool="a \\"quoted\\"\\nname\\\\"} 1',
        "# HELP votes_total Votes.",
        "# TYPE votes_total counter",
        "votes_total 0",
        "# HELP active Active.",
        "# TYPE active gauge",
        "active 3",
        "# HELP seconds Time.",
        "# TYPE seconds histogram",
        'seconds_bucket{tool="vote",le="0.1"} 1',
        'seconds_bucket{tool="vote",le="1"} 2',
        'seconds_bucket{tool="vote",le="+Inf"} 3',
        'seconds_sum{tool="vote"} 5.55',
        'seconds_count{tool="vote"} 3',
        "",
      ].join("\n"),
    );
  });
});
