import { createHmac } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { text } from "node:stream/consumers";
import type { LogFields } from "@mci-ts/council";
import { describe, expect, it } from "vitest";
import { serve } from "../../../../../test/servers.ts";
import { eventually } from "../../../test/eventually.ts";
import type { ModelResponse } from "../../api/api-schemas.ts";
import type { WebhookFilter } from "../../store/backend.ts";
import type { PendingWebhook, StoreRecord } from "../../store/records.ts";
import { LiveRun } from "../live/live-run.ts";
import { publicOnly } from "./post-webhook.ts";
import { Webhooks } from "./webhooks.ts";

const SECRET = "a-secret-of-some-length";
/** What was recorded, the newest last. */
const recorded: StoreRecord[] = [];
const store = {
  record: (record: StoreRecord) => void recorded.push(record),
  commit: async () => {},
  claimWebhooks: async () => [] as PendingWebhook[],
  countWebhooks: async () => 2,
};
const configFor = (host: string) => ({ hosts: [host], secret: SECRET, allowPrivate: false });
const received: { headers: IncomingHttpHeaders; body: string }[] = [];

/** A receiver that responds with the statuses in turn, the last one from then on. */
async function receiver(...statuses: number[]): Promise<string> {
  received.length = 0;
  recorded.length = 0;
  const { host } = await serve(async (request, response) => {
    const body = await text(request);
    received.push({ headers: request.headers, body });
    response.writeHead(statuses[Math.min(received.length, statuses.length) - 1]!, { location: "/elsewhere" });
    response.end("ignored");
  });
  return host;
}

function endedRun(): LiveRun {
  const live = new LiveRun("run-1");
  live.end({ body: { result: "Tabs" } as ModelResponse });
  return live;
}

describe("webhooks [B-webhook]", () => {
  it("deliver the response, signed, and again until the receiver takes it", async () => {
    const host = await receiver(500, 429, 204);
    const logged: string[] = [];
    const webhooks = new Webhooks(
      configFor(host),
      store,
      () => 200,
      (line) => logged.push(line),
      [1, 1, 1],
    );
    await webhooks.deliverEnd(`http://${host}/hook`, endedRun(), "caller");
    await eventually(() => received.length).toBe(3);
    const { headers, body } = received[2]!;
    expect(JSON.parse(body)).toMatchObject({
      type: "run.completed",
      data: { id: "run-1", status: 200, body: { result: "Tabs" } },
    });
    const content = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
    const expected = createHmac("sha256", SECRET).update(content).digest("base64");
    expect(headers["webhook-signature"]).toBe(`v1,${expected}`);
    expect(logged).toEqual([]);
    await eventually(() =>
      recorded.map(({ kind, ...rest }) => [kind, "attempts" in rest && rest.attempts]),
    ).toEqual([
      ["webhook", 0],
      ["webhook", 1],
      ["webhook", 2],
      ["webhook_done", false],
    ]);
  });

  it("that a dead process left are continued, within the same limit of attempts", async () => {
    const host = await receiver(503);
    const logged: [string, LogFields?][] = [];
    const left = { id: "run-1", url: `http://${host}/`, attempts: 1, nextAt: 0 };
    const claimWebhooks = async () => [
      { ...left, httpStatus: 200, response: '{"result":"Tabs"}' },
      { ...left, id: "run-2", url: "http://127.0.0.1:1/", httpStatus: null, response: null },
    ];
    const webhooks = new Webhooks(
      configFor(host),
      { ...store, claimWebhooks },
      () => 200,
      (...entry) => logged.push(entry),
      [1, 1],
    );
    webhooks.start();
    await eventually(() => logged.toSorted()).toEqual([
      ["webhook of run run-1: not delivered: status 503", { run: "run-1" }],
      [
        "webhook of run run-2: its URL names the host 127.0.0.1:1, which MCI_WEBHOOK_HOSTS does not list",
        { run: "run-2" },
      ],
    ]);
    webhooks.close();
    expect(received.map(({ body }) => JSON.parse(body).data.body)).toEqual([
      { result: "Tabs" },
      { result: "Tabs" },
    ]);
  });

  it("that were left behind are counted where no host may be told any more, and not taken", async () => {
    const logged: string[] = [];
    const webhooks = new Webhooks(
      { hosts: [], allowPrivate: false },
      { ...store, claimWebhooks: () => expect.unreachable("nothing can be delivered") },
      () => 200,
      (line) => logged.push(line),
    );
    webhooks.start();
    await eventually(() => logged).toEqual([
      "runs: MCI_WEBHOOK_HOSTS is not set: webhooks that are not delivered: 2; they are kept as long as their runs",
    ]);
  });

  it("of a caller and of a host are bounded; the rest waits in the store and is delivered when there is room [B-webhook-bound]", async () => {
    const held: (() => void)[] = [];
    const { host } = await serve((_, response) => void held.push(() => response.writeHead(204).end()));
    const waiting: PendingWebhook[] = [];
    const filters: unknown[] = [];
    const bounded = {
      ...store,
      record(record: StoreRecord) {
        if (record.kind !== "webhook" || !record.waiting) return;
        const { id, url, attempts, nextAt } = record;
        waiting.push({ id, url, attempts, nextAt, httpStatus: 200, response: '{"result":"Tabs"}' });
      },
      async claimWebhooks(filter?: WebhookFilter) {
        filters.push(filter);
        return filter?.skipHosts.includes(host) ? [] : waiting.splice(0, filter?.limit);
      },
    };
    const webhooks = new Webhooks(
      configFor(host),
      bounded,
      () => 200,
      () => {},
      [1],
    );
    const deliver = (caller: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, async (_, n) => {
          const live = new LiveRun(`${caller}-${n}`);
          live.end({ body: { result: "Tabs" } as ModelResponse });
          await webhooks.deliverEnd(`http://${host}/hook`, live, caller);
        }),
      );
    await deliver("greedy", 60);
    await eventually(() => [held.length, waiting.length]).toEqual([25, 35]);
    // Another caller is not kept waiting by it.
    await deliver("modest", 5);
    await eventually(() => [held.length, waiting.length]).toEqual([30, 35]);
    for (const caller of ["a", "b", "c"]) await deliver(caller, 25);
    // The host has its hundred.
    await eventually(() => [held.length, waiting.length]).toEqual([100, 40]);
    webhooks.start();
    await eventually(() => filters.at(-1)).toEqual({ limit: 25, skipHosts: [host] });
    const answerAll = () => {
      for (const answer of held.splice(0)) answer();
      return waiting.length;
    };
    await eventually(answerAll).toBe(0);
    webhooks.close();
  });

  it("in the store of one receiver that does not respond keep none of another from being delivered [B-webhook-bound]", async () => {
    let held = 0;
    const { host: slow } = await serve(() => void held++);
    const host = await receiver(204);
    const pending = (id: string, to: string): PendingWebhook => ({
      ...{ id, url: `http://${to}/`, attempts: 0, nextAt: 0 },
      ...{ httpStatus: 200, response: '{"result":"Tabs"}' },
    });
    const waiting = Array.from({ length: 60 }, (_, i) => pending(`slow-${i}`, slow));
    waiting.push(pending("other", host));
    const claimWebhooks = async ({ limit, skipHosts }: WebhookFilter = { limit: 100, skipHosts: [] }) => {
      const open = waiting.filter(({ url }) => !skipHosts.includes(new URL(url).host)).slice(0, limit);
      for (const one of open) waiting.splice(waiting.indexOf(one), 1);
      return open;
    };
    const webhooks = new Webhooks(
      { ...configFor(slow), hosts: [slow, host] },
      { ...store, claimWebhooks },
      () => 200,
      () => {},
      [1],
    );
    webhooks.start();
    await eventually(() => held).toBe(25);
    // Looked for again from time to time, and when a delivery ends.
    await webhooks.deliverEnd(`http://${host}/`, endedRun(), "caller");
    await eventually(() => received.length).toBe(2);
    expect([held, waiting.length]).toEqual([25, 35]);
    webhooks.close();
  });

  it("to a name that leads to a private address are refused, unless that is allowed", async () => {
    const resolve = (name: string) =>
      new Promise((done) => publicOnly(name, { all: true }, (error, found) => done(error?.message ?? found)));
    expect(await resolve("localhost")).toMatch(
      /private address (127\.0\.0\.1|::1).*MCI_WEBHOOK_ALLOW_PRIVATE/,
    );
    expect(await resolve("1.1.1.1")).toEqual([{ address: "1.1.1.1", family: 4 }]);
  });

  it.each([
    [[400], 1, /status 400/],
    [[302, 200], 1, /status 302/],
    [[503], 3, /status 503/],
  ])(
    "of a receiver that responds with %o are attempted %i times, and logged",
    async (statuses, times, line) => {
      const host = await receiver(...statuses);
      const logged: string[] = [];
      const webhooks = new Webhooks(
        configFor(host),
        store,
        () => 200,
        (text) => logged.push(text),
        [1, 1],
      );
      await webhooks.deliverEnd(`http://${host}/hook`, endedRun(), "caller");
      await eventually(() => logged.join()).toMatch(line);
      expect(received.length).toBe(times);
    },
  );

  it.each([
    ["http://169.254.169.254/latest", /does not list/],
    ["https://allowed.example:8443/", /does not list/],
    ["https://allowed.example.evil.example/", /does not list/],
    ["https://user:secret@allowed.example/", /user name or password/],
    ["http://allowed.example/", /must use https/],
    ["https://allowed.example/hook?x=1", undefined],
  ])("to %s are checked before the run", (url, message) => {
    const webhooks = new Webhooks(
      configFor("allowed.example"),
      store,
      () => 200,
      () => undefined,
    );
    if (message) expect(() => webhooks.check(url)).toThrow(message);
    else expect(() => webhooks.check(url)).not.toThrow();
  });
});
