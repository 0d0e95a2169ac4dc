import { createRequire } from "node:module";
import { taskScheduleSchema } from "@mci-ts/council";
import * as fc from "fast-check";

/** The engine's own reader of cron expressions, which it does not export. */
const require = createRequire(import.meta.url);
const { TimeMatcher } = require(
  require.resolve("@dbos-inc/dbos-sdk").replace(/index\.js$/, "scheduler/crontab.js"),
) as { TimeMatcher: new (cron: string, timezone: string) => { nextWakeupTime(after: number): Date } };

const token = fc.oneof(
  fc.constantFrom(
    "*",
    "0",
    "59",
    "99",
    "1-31",
    "99-0",
    "*/1",
    "*/99",
    "L",
    "LW",
    "31W",
    "L-30",
    "1#5",
    "mon",
    "feb",
  ),
  fc.string({ unit: fc.constantFrom(..."0123456789*,/#-LWmon"), minLength: 1, maxLength: 25 }),
);
const cron = fc.oneof(
  fc.array(token, { minLength: 5, maxLength: 5 }).map((fields) => fields.join(" ")),
  fc.string({ maxLength: 120 }),
);
const timezone = fc.constantFrom("UTC", "Europe/Zurich", "Pacific/Apia", "America/Sao_Paulo");
const MAX_MS = 500;

export default [
  {
    name: "cron: an expression that a request may have is read, or refused, and its next time found, in bounded time",
    property: fc.property(cron, timezone, fc.nat(4_000_000_000), (text, zone, seconds) => {
      const parsed = taskScheduleSchema.shape.cron.safeParse(text);
      if (!parsed.success) return;
      const before = process.cpuUsage();
      try {
        new TimeMatcher(parsed.data, zone).nextWakeupTime(seconds * 1000);
      } catch (error) {
        if (!/invalid|impossible|illegal|fields/.test((error as Error).message)) throw error;
      }
      const { user } = process.cpuUsage(before);
      if (user / 1000 > MAX_MS) throw new Error(`${JSON.stringify(parsed.data)} took ${user / 1000} ms`);
    }),
  },
];
