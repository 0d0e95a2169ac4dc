import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import { createTestDatabase, emptyTables } from "../../../postgres/test/database.ts";
import { readConfig, type StoreConfig } from "../../src/config/config.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { describeHistory } from "./contract.ts";

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
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
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
      folders.push(mkdtempSync(join(tmpdir(), "council-store-")));
      return open({ dir: folders.at(-1) });
    },
    (config) => open({ ...config, dir: folders.at(-1) }),
  );

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
