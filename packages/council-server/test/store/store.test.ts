import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../test/temporary-folder.ts";
import { createTestDatabase, emptyTables } from "../../../council-postgres/test/database.ts";
import { readConfig, type StoreConfig } from "../../src/config/config.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeHistory } from "./contract.ts";
import { ended, started } from "./records.ts";

const opened: Store[] = [];
const folders: string[] = [];
let databaseUrl: string;
/** For all tests up to a restart: to join a database takes longer than most of them. */
let joined: Store | undefined;

beforeAll(async () => {
  databaseUrl = await createTestDatabase();
});
afterAll(() => joined?.close());
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close();
});

async function open(config: Partial<StoreConfig>): Promise<Store> {
  const store = await openStore({ ...readConfig({}).store, ...config }, () => undefined);
  opened.push(store);
  return store;
}

describe("one contract for both stores [H-contract, S-search]", () => {
  describeHistory(
    "SQLite",
    () => {
      folders.push(temporaryFolder());
      return open({ dir: folders.at(-1) });
    },
    (config) => open({ ...config, dir: folders.at(-1) }),
  );

  it("[S-divide] a record that a column refuses is left out alone: those of other callers in its batch are kept", async () => {
    const logged: string[] = [];
    const store = await openStore({ ...readConfig({}).store, databaseUrl }, (line) => void logged.push(line));
    opened.push(store);
    const admin = new pg.Client({ connectionString: databaseUrl });
    await admin.connect();
    await admin.query("ALTER TABLE council.runs ADD CONSTRAINT no_bad CHECK (prompt <> 'bad')");
    for (const id of ["first", "bad", "last"]) {
      store.record(started(id, Date.now(), { prompt: id }));
      store.record(ended(id));
    }
    await store.commit("first");
    await expect(store.commit("bad"), "its response must not be a success").rejects.toThrow("no_bad");
    expect((await store.list({ limit: 9 })).map(({ id }) => id).toSorted()).toEqual(["first", "last"]);
    expect(logged).toEqual([expect.stringMatching(/a record is left out \(run bad\): .*"no_bad"/)]);
    await admin.query("ALTER TABLE council.runs DROP CONSTRAINT no_bad");
    await admin.end();
  });

  describeHistory(
    "PostgreSQL",
    async () => {
      await emptyTables(databaseUrl);
      joined ??= await openStore({ ...readConfig({}).store, databaseUrl }, () => undefined);
      return joined;
    },
    (config) => {
      joined = undefined;
      return open({ ...config, databaseUrl });
    },
  );
});
