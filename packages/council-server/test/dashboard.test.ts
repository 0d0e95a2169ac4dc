import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { post, startCouncil } from "./harness.ts";

const file = new URL("../../../deploy/grafana/council-dashboard.json", import.meta.url);
const { panels, templating } = JSON.parse(readFileSync(file, "utf8")) as {
  panels: { title: string; gridPos: object; targets: { expr: string }[] }[];
  templating: { list: { query: string }[] };
};
const page = readFileSync(new URL("../../../docs/operations.md", import.meta.url), "utf8");
const alerts = readFileSync(new URL("../../../deploy/grafana/council-alerts.yaml", import.meta.url), "utf8");
const shown = [
  ...[...alerts.matchAll(/^ +expr: (.+)$/gm)].map(([, query]) => ["alert", query!] as const),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ...templating.list.map(({ query }) => ["variable", query] as const),
  ...[...page.matchAll(/`([^`]*council_[^`]*)`/g)].map(([, query]) => ["docs", query!] as const),
];

let metrics = "";
beforeAll(async () => {
  const { url } = await startCouncil();
  await post(`${url}/mcp/model`, { prompt: "Tabs or spaces?", intent: "validation" });
  metrics = await (await fetch(`${url}/metrics`)).text();
});

/** Names, and the labels of those that have a sample. */
function knownMetrics(): Map<string, Set<string>> {
  const known = new Map<string, Set<string>>();
  for (const [, name, type] of metrics.matchAll(/^# TYPE (\S+) (\S+)$/gm)) {
    const names = type === "histogram" ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name!];
    for (const one of names) known.set(one, new Set());
  }
  for (const [, name, labels] of metrics.matchAll(/^(\w+)\{(.*)\} /gm))
    for (const [, label] of labels!.matchAll(/(\w+)="/g)) known.get(name!)?.add(label!);
  return known;
}

describe("the example dashboard [O-dashboard]", () => {
  it("has panels, and the page of operations has queries", () => {
    expect(panels.length).toBeGreaterThan(12);
    expect(shown.filter(([where]) => where === "docs").length).toBeGreaterThan(8);
    expect(shown.filter(([where]) => where === "alert").length).toBeGreaterThan(5);
  });

  it("shows what operators of tasks, instances and the database need: no metric of theirs is left out", () => {
    const ours = [...knownMetrics().keys()].filter((name) =>
      /^council_(tasks?|instances|database|webhooks|provider|history)_/.test(name),
    );
    expect(ours.length).toBeGreaterThan(15);
    const queries = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)).join("\n");
    expect(ours.filter((name) => !queries.includes(`${name}{`))).toEqual([]);
  });

  it.each(shown)("%s: %s asks for metrics and labels that the service has", (_, query) => {
    const known = knownMetrics();
    const names = query.match(/\b(council|process)_\w+/g) ?? [];
    expect(names.length).toBeGreaterThan(0);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
    const labels = [...query.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => list!.split(/,\s*/));
    // A counter without a sample shows no labels.
    const sampled = names.flatMap((name) => [...(known.get(name) ?? [])]);
    if (sampled.length > 0) expect(labels.filter((label) => !sampled.includes(label))).toEqual([]);
    // A value that no sample has would select nothing.
    for (const [, name, matchers] of query.matchAll(/\b(\w+)\{([^}]*)\}/g))
      for (const [matcher] of matchers!.matchAll(/\w+="[^"]*"/g))
        expect(metrics.match(new RegExp(`^${name}\\{.*\\b${matcher}.*\\} `, "m")), matcher).not.toBeNull();
  });
});
