import { describe, expect, it } from "vitest";
import { BatchWriter } from "./batch-writer.ts";
import type { StoreRecord } from "./records.ts";

const record = (id: string): StoreRecord => ({ kind: "webhook_done", id });

/** A store that refuses some records, each with everything that is written with it. */
function openWriter(refused: readonly string[], kind: "permanent" | "lost") {
  const written: string[] = [];
  const logged: string[] = [];
  const writer = new BatchWriter(
    async (records) => {
      const ids = records.map((one) => ("id" in one ? one.id : ""));
      if (ids.some((id) => refused.includes(id))) throw new Error("refused");
      written.push(...ids);
    },
    (message) => void logged.push(message),
    () => kind,
  );
  return { writer, written, logged };
}

describe("a batch that can never be written", () => {
  it("is divided until only the bad records are left out, and the log names their runs [S-divide]", async () => {
    const ids = Array.from({ length: 500 }, (_, n) => `run-${n}`);
    const bad = ["run-0", "run-17", "run-18", "run-499"];
    const { writer, written, logged } = openWriter(bad, "permanent");
    for (const id of ids) writer.enqueue(record(id));
    await writer.flush();
    expect(written).toEqual(ids.filter((id) => !bad.includes(id)));
    expect(logged.filter((line) => line.includes("left out"))).toEqual(
      bad.map((id) => `history: a record is left out (run ${id}): refused`),
    );
    expect(writer.stats).toMatchObject({ ok: true, queued: 0, written: 496, dropped: 4 });
  });

  it("is divided when the writer closes, too [S-divide]", async () => {
    const { writer, written } = openWriter(["b"], "permanent");
    for (const id of ["a", "b", "c"]) writer.enqueue(record(id));
    await writer.close();
    expect(written).toEqual(["a", "c"]);
  });
});

it("a process that may never write again says so to everyone who waits for a record, now and later [S-lost]", async () => {
  const { writer, written, logged } = openWriter(["a"], "lost");
  for (const id of ["a", "b"]) writer.enqueue(record(id));
  await expect(Promise.all([writer.flush(), writer.flush()])).rejects.toThrow("refused");
  writer.enqueue(record("c"));
  await expect(writer.flush()).rejects.toThrow("refused");
  expect(written).toEqual([]);
  expect(writer.stats).toMatchObject({ ok: false, queued: 0, dropped: 3 });
  expect(logged).toEqual(["history: 2 records are left out (run a, b): refused"]);
  await writer.close();
});
