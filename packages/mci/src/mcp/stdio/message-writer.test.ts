import { Writable } from "node:stream";
import { describe, expect, test } from "vitest";
import { MessageWriter } from "./message-writer.ts";

const message = (id: number) => ({ jsonrpc: "2.0", id, method: "x" }) as const;
const statusesOf = (promises: Promise<void>[]) =>
  Promise.allSettled(promises).then((results) => results.map(({ status }) => status));

/** A pipe that takes its time, as a full one does, and breaks after `count` pieces. */
function slowPipe(count: number) {
  const written: string[] = [];
  const write = (chunk: Buffer, _: unknown, done: (error?: Error) => void) =>
    setImmediate(() => {
      if (written.length === count) return done(new Error("EPIPE"));
      written.push(chunk.toString());
      done();
    });
  // Without this the stream would not put together what waits.
  const writev = (chunks: { chunk: Buffer }[], done: (error?: Error) => void) =>
    write(Buffer.concat(chunks.map(({ chunk }) => chunk)), undefined, done);
  const pipe = new Writable({ write, writev }).on("error", () => {});
  return { pipe, written };
}

describe("messages into a pipe", () => {
  test("are written one by one, in order, however many wait", async () => {
    const { pipe, written } = slowPipe(10);
    const writer = new MessageWriter(pipe);
    expect(await statusesOf([1, 2, 3].map((id) => writer.write(message(id))))).toEqual(
      Array(3).fill("fulfilled"),
    );
    expect(written).toEqual([1, 2, 3].map((id) => `{"jsonrpc":"2.0","id":${id},"method":"x"}\n`));
  });

  test("have failed only if they did not get through themselves", async () => {
    const { pipe, written } = slowPipe(2);
    const writer = new MessageWriter(pipe);
    const statuses = await statusesOf([1, 2, 3, 4].map((id) => writer.write(message(id))));
    expect(statuses).toEqual(["fulfilled", "fulfilled", "rejected", "rejected"]);
    expect(written).toHaveLength(2);
  });

  test("that cannot be written as JSON do not stand in the way of others", async () => {
    const { pipe } = slowPipe(10);
    const writer = new MessageWriter(pipe);
    const hostile = { ...message(1), params: { n: 5n } } as never;
    const statuses = statusesOf([writer.write(message(1)), writer.write(hostile), writer.write(message(2))]);
    expect(await statuses).toEqual(["fulfilled", "rejected", "fulfilled"]);
    await writer.settled();
  });

  test("are settled when each of them has got through or failed", async () => {
    const { pipe } = slowPipe(1);
    const writer = new MessageWriter(pipe);
    await writer.settled();
    const seen: string[] = [];
    const note = (promise: Promise<void>) =>
      promise.then(
        () => seen.push("sent"),
        () => seen.push("failed"),
      );
    const both = [1, 2].map((id) => note(writer.write(message(id))));
    await writer.settled();
    await Promise.all(both);
    expect(seen).toEqual(["sent", "failed"]);
    expect(await statusesOf([writer.write(message(3))])).toEqual(["rejected"]);
  });
});
