import type { Log } from "@mci-ts/council";

/** Receives the time of the database, and when it was asked by the clock of this process. */
export type ClockCheck = (databaseMs: number, askedMs: number) => void;

/**
 * Says once when the clock of this machine differs from the database's: receivers of webhooks refuse what is signed with a wrong time,
 * and schedules start early or late. Nothing else goes by it.
 */
export function createClockCheck(log: Log, now: () => number = Date.now): ClockCheck {
  let isWrong = false;
  return (databaseMs, askedMs) => {
    // The database answered some time between the question and now.
    const [least, most] = [askedMs - databaseMs, now() - databaseMs];
    const offMs = least > 0 ? least : Math.min(most, 0);
    if (Math.abs(offMs) > MAX_OFF_MS === isWrong) return;
    isWrong = !isWrong;
    const off = `${Math.abs(Math.round(offMs / 1000))} seconds ${offMs > 0 ? "ahead of" : "behind"}`;
    if (isWrong)
      log(
        `the clock of this machine is ${off} the database's: receivers may refuse its webhooks, and schedules run at the wrong time. Synchronize it (NTP)`,
      );
    else log("the clock of this machine agrees with the database's again", { level: "info" });
  };
}

const MAX_OFF_MS = 10_000;
