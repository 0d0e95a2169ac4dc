import type { RunCall } from "../../api/call-schemas.ts";
import { readHistory } from "../../store/read-history.ts";
import type { Store } from "../../store/store.ts";

/** The calls of a run, each with the flag that discarded its reply; one of them, where it is named. */
export async function readCalls(store: Store, id: string, call?: number): Promise<RunCall[]> {
  const [calls, events] = await Promise.all([
    readHistory(store.calls(id, call)),
    readHistory(store.events(id, 0)),
  ]);
  const flags = new Map(
    events
      .filter(({ type }) => type === "sample.flagged")
      .map(({ data }) => JSON.parse(data) as { call: number; rule: string; reason: string })
      .map(({ call: flagged, rule, reason }) => [flagged, { rule, reason }]),
  );
  return calls.map((data) => {
    const read = JSON.parse(data) as Omit<RunCall, "red_flag">;
    return { ...read, red_flag: flags.get(read.call) ?? null };
  });
}
