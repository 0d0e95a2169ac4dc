import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { MIN_OUTCOMES } from "@mci-ts/council";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/temporary-folder.ts";
import { readConfig } from "../src/config/config.ts";
import { post, startCouncil } from "./harness.ts";
import { readJson } from "./read-json.ts";

const CAPITAL = { prompt: "What is the capital of Australia?" };
const folder = () => temporaryFolder();

describe("verdicts and measured outcomes [V-verdict]", () => {
  it("a confidence appears with enough verdicts, counts each run once, and survives a restart", async () => {
    const settings = { MCI_DATA_DIR: folder() };
    const { url, server } = await startCouncil({ behaviour: { truth: "Canberra" } }, settings);
    const judge = (id: string, body: object) => readJson(post(`${url}/runs/${id}/verdict`, body));
    let last = "";
    for (let i = 0; i < MIN_OUTCOMES; i++) {
      const { metadata } = await readJson(post(`${url}/mcp/model`, CAPITAL));
      expect(metadata.voting.confidence).toBeUndefined();
      last = metadata.request_id;
      expect(await judge(last, { right: i % 2 === 0 })).toEqual({
        id: last,
        right: i % 2 === 0,
        outcomes: i + 1,
      });
    }
    expect(await judge(last, { right: false, answer: "Sydney" })).toMatchObject({ outcomes: MIN_OUTCOMES });
    const { metadata, result } = await readJson(post(`${url}/mcp/model`, CAPITAL));
    const { votes, effective_votes, confidence, confidence_interval: interval, basis } = metadata.voting;
    expect([votes, basis.outcomes]).toEqual([{ Canberra: 3 }, MIN_OUTCOMES]);
    expect(effective_votes).toBeLessThan(2);
    expect(confidence).toBeLessThan(0.75);
    expect(interval[0]).toBeLessThan(confidence);
    expect(result).toMatch(/Agreement: 3 of 3 votes\. Confidence of being right: \d\d %/);
    const { target, outcomes, groups } = await readJson(fetch(`${url}/calibration?target=0.6`));
    expect([target, outcomes, groups.length]).toEqual([0.6, MIN_OUTCOMES, 2]);
    expect(groups[0]).toMatchObject({
      model: "sim",
      kind: null,
      outcomes: MIN_OUTCOMES,
      right: 0.5,
      confidence: [],
    });
    expect(groups[0].agreement).toEqual([
      { from: 0.8, to: 1, outcomes: MIN_OUTCOMES, stated: 1, right: 0.5, interval: expect.any(Array) },
    ]);
    expect(groups[0].prices).toHaveLength(10);
    expect(groups[1].kind).toBe("text");
    expect((await readJson(fetch(`${url}/runs/${last}`))).verdict).toEqual({ right: false, by: "person" });
    // From now on runs state a confidence, and verdicts are compared with it.
    await judge(metadata.request_id, { right: true, by: "check" });
    const { groups: later20 } = await readJson(fetch(`${url}/calibration`));
    expect(later20[0]).toMatchObject({
      by_check: 1,
      confidence: [{ outcomes: 1, stated: confidence, right: 1 }],
    });
    await server.close();
    const again = await startCouncil({ behaviour: { truth: "Canberra" } }, settings);
    const later = await readJson(post(`${again.url}/mcp/model`, CAPITAL));
    expect(later.metadata.voting.confidence).toBeGreaterThan(confidence);
  });

  it("a verdict is refused where there is nothing to judge", async () => {
    const { url } = await startCouncil();
    expect((await post(`${url}/runs/nobody/verdict`, { right: true })).status).toBe(404);
    const { metadata } = await readJson(post(`${url}/mcp/model`, { prompt: "Decompose the task: x" }));
    const refused = await post(`${url}/runs/${metadata.request_id}/verdict`, { right: true });
    expect([
      refused.status,
      ((await refused.json()) as { error: { message: string } }).error.message,
    ]).toEqual([400, expect.stringContaining("no votes")]);
    const wrong = await post(`${url}/runs/${metadata.request_id}/verdict`, { right: "yes" });
    expect(wrong.status).toBe(400);
  });

  it("MCI_OUTCOMES adds outcomes measured elsewhere; a bad line prevents startup", async () => {
    const file = join(folder(), "outcomes.jsonl");
    const outcome = {
      model: "sim",
      strategy: "vote, options and wording",
      kind: "text",
      leader_votes: 3,
      votes: 3,
      right_votes: 3,
    };
    writeFileSync(
      file,
      Array.from({ length: 40 }, (_, i) => `${JSON.stringify({ ...outcome, right: i < 36 })}\n`).join(""),
    );
    const { url } = await startCouncil({ behaviour: { truth: "Canberra" } }, { MCI_OUTCOMES: file });
    const { metadata } = await readJson(post(`${url}/mcp/model`, CAPITAL));
    expect(metadata.voting.confidence).toBeGreaterThan(0.75);
    expect(metadata.voting.basis.outcomes).toBe(40);
    expect(metadata.voting.basis.all_kinds).toBeUndefined();
    const yes = { prompt: "Is the sea salty, yes or no?", intent: "validation" };
    const other = await readJson(post(`${url}/mcp/model`, yes));
    expect(other.metadata.voting.basis).toMatchObject({ kind: "choice", outcomes: 40, all_kinds: true });
    expect(other.result).toContain("from 40 outcomes with all kinds of answers");
    writeFileSync(file, `${JSON.stringify({ ...outcome, right: "yes" })}\n`);
    expect(() => readConfig({ MCI_OUTCOMES: file })).toThrow(/MCI_OUTCOMES: .*line 1: right/);
  });
});
