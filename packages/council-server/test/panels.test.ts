import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { readConfig } from "../src/config/config.ts";
import { post, startCouncil, startService } from "./harness.ts";
import { readJson } from "./read-json.ts";

const folder = temporaryFolder({}, afterAll);

describe("panels and presets [P-service]", () => {
  it("the models of a panel are asked, and each other ranked", async () => {
    const { url, sim } = await startCouncil({ behaviour: { truth: "Redis" } });
    const config = { models: ["a", "b", "c"], judge_model: "j", peer_ranking: true, criteria: ["cost"] };
    const body = { prompt: "How should we store sessions?", intent: "decision", config };
    const { metadata } = await readJson(post(`${url}/mcp/model`, body));
    expect(metadata.council.ranking).toMatchObject({ agrees_with_judge: true });
    expect(metadata.council.ranking.rankings.length).toBe(3);
    expect(sim.log.map(({ model }) => model).toSorted()).toEqual(["a", "a", "b", "b", "c", "c", "j"]);
  });

  it("MCI_PRESETS adds presets; an unknown one is rejected before any call", async () => {
    const file = join(folder, "presets.json");
    writeFileSync(file, JSON.stringify({ audit: { k: 4, models: ["x", "y"] } }));
    const { url, sim } = await startCouncil({ behaviour: { truth: "Tabs" } }, { MCI_PRESETS: file });
    const ask = (preset: string) =>
      post(`${url}/mcp/model`, { prompt: "Tabs or spaces?", intent: "validation", config: { preset } });
    const { error } = await readJson(ask("hasty"));
    expect([error.details[0].path, sim.stats.arrivals]).toEqual(["config.preset", 0]);
    const { metadata } = await readJson(ask("audit"));
    expect(metadata).toMatchObject({ model: "x, y", voting: { k: 4 } });
  });

  it("a bad file prevents startup, with its name and the place", () => {
    const file = join(folder, "bad.json");
    writeFileSync(file, JSON.stringify({ audit: { k: 99 } }));
    expect(() => readConfig({ MCI_PRESETS: file })).toThrow(/MCI_PRESETS: .*audit\.k must be/);
    expect(() => readConfig({ MCI_PRESETS: `${file}.missing` })).toThrow(
      /MCI_PRESETS: .*must be a JSON file/,
    );
  });

  it("the simulated model replaces a panel, with a warning for each model", async () => {
    const { url } = await startService();
    const config = { models: ["a", "b"], judge_model: "c" };
    const { metadata } = await readJson(post(`${url}/mcp/model`, { prompt: "Tabs or spaces?", config }));
    expect(metadata.warnings.length).toBe(3);
  });
});
