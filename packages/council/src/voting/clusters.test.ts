import { expect, test } from "vitest";
import { cpuMs, slowness } from "../../../../test/cpu-time.ts";
import { countClusters, createClusters } from "./clusters.ts";

function box(same: (a: string, b: string) => boolean = () => false) {
  const asked: [string, string][] = [];
  return {
    asked,
    ...createClusters(async (a, b) => {
      asked.push([a, b]);
      return same(a, b);
    }),
  };
}
const placeAll = async (clusters: ReturnType<typeof box>, answers: string[]) =>
  Promise.all(answers.map((a) => clusters.place(a)));

test("[B-clusters] spellings of one answer share a cluster, which lists its members, and no model is asked", async () => {
  const clusters = box();
  const answers = ["1,000", "1000", "**1000**", "1000"];
  const keys = await placeAll(clusters, answers);
  expect(keys).toEqual(["1,000", "1,000", "1,000", "1,000"]);
  expect(countClusters(answers.map((answer, i) => ({ answer, key: keys[i]! })))).toEqual([
    {
      key: "1,000",
      answer: "1000",
      votes: 4,
      members: [
        { text: "1,000", count: 1 },
        { text: "1000", count: 2 },
        { text: "**1000**", count: 1 },
      ],
    },
  ]);
  expect(clusters.asked).toEqual([]);
});

test("[B-equivalence] free text that still differs is asked about, once per cluster and wording", async () => {
  const clusters = box((a, b) => a === "Postgres" && b === "PostgreSQL");
  const keys = await placeAll(clusters, ["Postgres", "PostgreSQL", "PostgreSQL", "PostgreSQL."]);
  expect(keys).toEqual(["Postgres", "Postgres", "Postgres", "Postgres"]);
  expect(clusters.asked).toEqual([["Postgres", "PostgreSQL"]]);
});

test.each([
  [["41", "42"]],
  [["2025-01-01", "2025-01-02"]],
  [['{"a":1}', '{"a":2}']],
  [["f(a)", "f(b)"]],
  [["yes", "no"]],
  [["use eval", "do not use eval"]],
  [["Postgres 15", "Postgres 16"]],
])("[B-equivalence] %j differ in a way no rewording changes, so no model is asked", async (answers) => {
  const clusters = box(() => true);
  expect(new Set(await placeAll(clusters, answers)).size).toBe(2);
  expect(clusters.asked).toEqual([]);
});

test("[B-equivalence] a number in words may still be the one in figures", async () => {
  const clusters = box(() => true);
  expect(new Set(await placeAll(clusters, ["a dozen", "12"])).size).toBe(1);
});

test("answers that arrive while one is being compared wait their turn", async () => {
  let release = (_: boolean) => {};
  const clusters = createClusters(() => new Promise((resolve) => (release = resolve)));
  const first = await clusters.place("New York City");
  const second = clusters.place("NYC");
  const third = clusters.place("NYC");
  await Promise.resolve().then(() => {});
  release(true);
  expect(await Promise.all([second, third])).toEqual([first, first]);
});

test("[B-choices] picks among given choices stay separate even where only capitals differ", async () => {
  const clusters = box();
  expect(await clusters.place("MB", { picked: true })).toBe("MB");
  expect(await clusters.place("Mb", { picked: true })).toBe("Mb");
  expect(await clusters.place("MB", { picked: true })).toBe("MB");
});

test("[V-hostile] what no rewording changes is looked for once in each of many long answers", async () => {
  const { place } = createClusters(async () => false);
  const texts = Array.from(
    { length: 200 },
    (_, index) => `a${"bcdefgh"[index % 7]}${"x".repeat(index)} ${"é ".repeat(1500)}`,
  );
  const before = cpuMs();
  for (const text of texts) await place(text);
  expect((cpuMs() - before) / slowness()).toBeLessThan(1500);
});
