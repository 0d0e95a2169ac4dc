import * as fc from "fast-check";
import { BatchWriter } from "./batch-writer.ts";
import type { StoreRecord } from "./records.ts";

const record = (id: string): StoreRecord => ({ kind: "webhook_done", id });

/** Bits say which records the store refuses; numbers between them, after how many records it is written. */
const refusals = fc.array(fc.boolean(), { minLength: 1, maxLength: 40 });

export default [
  {
    name: "batches: the records that a store refuses are left out, and no other",
    property: fc.asyncProperty(refusals, fc.nat(40), async (refused, pause) => {
      const written: string[] = [];
      const writer = new BatchWriter(
        async (records) => {
          const ids = records.map((one) => ("id" in one ? one.id : ""));
          if (ids.some((id) => refused[Number(id)])) throw new Error("refused");
          written.push(...ids);
        },
        () => {},
        () => "permanent",
      );
      for (const index of refused.keys()) {
        writer.enqueue(record(String(index)));
        if (index === pause) await writer.flush();
      }
      await writer.close();
      const expected = [...refused.keys()].filter((index) => !refused[index]).map(String);
      const dropped = refused.filter(Boolean).length;
      return (
        written.join() === expected.join() &&
        writer.stats.dropped === dropped &&
        writer.stats.queued === 0 &&
        refused.every((is, index) => (writer.reasonDropped(String(index)) === "refused") === is)
      );
    }),
  },
];
