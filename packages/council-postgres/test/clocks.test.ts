import { expect, onTestFinished, test, vi } from "vitest";
import { readConfig } from "../../council-server/src/config/config.ts";
import { openDatabase } from "../src/database/database.ts";
import { openPostgresStore } from "../src/store/store.ts";
import { claimWebhooks } from "../src/store/webhooks.ts";
import { writeRecords } from "../src/store/write.ts";
import { createTestDatabase } from "./database.ts";

test("[D-clocks] a webhook that an instance with a wrong clock left is delivered when its pause is over, not hours later", async () => {
  const database = openDatabase(await createTestDatabase(), { applicationName: "test" });
  onTestFinished(() => database.close());
  await database.query("INSERT INTO council.instances (id, lock_key) VALUES ('ahead', 1)");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3 * 60 * 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  const webhook = { id: "run", url: "https://example.test/", attempts: 2, nextAt: Date.now() + 60_000 };
  await writeRecords(database, [{ kind: "webhook", ...webhook }], {
    owner: "ahead",
    assertAlive: async () => undefined,
    durable: true,
    watched: new Set(),
  });
  vi.useRealTimers();
  await database.query("DELETE FROM council.instances");
  const [claimed] = await claimWebhooks(database, "other");
  expect(claimed).toMatchObject({ id: "run", attempts: 2 });
  const waitMs = claimed!.nextAt - Date.now();
  expect(waitMs).toBeLessThanOrEqual(60_000);
  expect(waitMs).toBeGreaterThan(0);
});

test("[D-clocks] an instance whose clock is wrong says so", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  onTestFinished(() => void vi.useRealTimers());
  const logged: string[] = [];
  const store = await openPostgresStore({
    ...readConfig({}).store,
    databaseUrl: await createTestDatabase(),
    log: (message) => logged.push(message),
  });
  onTestFinished(() => store.close());
  await expect
    .poll(() => logged, { timeout: 20_000 })
    .toContainEqual(
      expect.stringMatching(/^the clock of this machine is (59|60) seconds ahead of the database's/),
    );
});
