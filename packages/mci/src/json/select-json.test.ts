import { expect, test } from "vitest";
import { cpuMs, slowness } from "../../../../test/cpu-time.ts";
import { selectJson } from "./select-json.ts";

const numbers = Array.from({ length: 1_000_000 }, (_, i) => (i * 7919) % 1_000_003);
const wide = Object.fromEntries(numbers.slice(0, 300_000).map((n) => [`k${n}`, n]));

test.each([
  ["[?@ > `5`]", numbers],
  ["sort(@)", numbers],
  ["[].[@, @]", numbers],
  ["values(@)", wide],
  ["*", wide],
  ["merge(@, @, @, @)", wide],
])(
  "[E-bounded] selecting %s from a large response ends after about a tenth of a second",
  async (source, data) => {
    await selectJson(1, source.startsWith("[") ? "@" : "[0]", "warm up");
    const started = cpuMs();
    await expect(selectJson(data, source, "result.select")).rejects.toThrow(
      "result.select: the expression takes more than 2000000 steps: select less, or from less data",
    );
    expect(cpuMs() - started).toBeLessThan(1000 * slowness());
  },
);

test("[E-bounded] 10 MiB of items with a few fields each are selected", async () => {
  const issue = (id: number) => ({
    id,
    title: "t",
    body: "x".repeat(950),
    labels: [{ name: "bug" }],
    user: { login: "u" },
  });
  const issues = Array.from({ length: 10_000 }, (_, i) => issue(i));
  const selected = await selectJson(
    issues,
    "[].{id: id, title: title, labels: labels[].name, by: user.login}",
    "x",
  );
  expect((selected as unknown[])[9999]).toEqual({ id: 9999, title: "t", labels: ["bug"], by: "u" });
});
