import { expect, test } from "vitest";
import { describeHistory } from "./describe-history.ts";

test.each([
  [{}, "in memory, lost when the service stops (set MCI_DATA_DIR or DATABASE_URL to keep it)"],
  [{ dir: "/data" }, "SQLite in /data/history.db"],
  [
    { dir: "/data", databaseUrl: "postgresql://council:secret@db.example/council" },
    "PostgreSQL at db.example:5432, database council",
  ],
  [
    { databaseUrl: "postgresql:///runs?host=/var/run/postgresql" },
    "PostgreSQL at /var/run/postgresql:5432, database runs",
  ],
])("[S-history] the banner says where the history is: %j", (config, text) => {
  expect(describeHistory(config)).toBe(text);
});
