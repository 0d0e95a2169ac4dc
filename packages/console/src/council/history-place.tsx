import type { Readiness } from "@mci-ts/council-server/api";
import { useQuery } from "@tanstack/react-query";
import { getJson } from "../api/http.ts";

const PLACES: Readonly<Record<Readiness["history"]["storage"], string>> = {
  memory: "In memory: lost when the service stops. Set MCI_DATA_DIR or DATABASE_URL to keep it.",
  disk: "In a SQLite file of this service.",
  postgres: "In PostgreSQL, shared by all instances.",
};

/** Where the history is, so that no one takes what is in memory for stored. */
export function HistoryPlace() {
  const ready = useQuery({ queryKey: ["ready"], queryFn: () => getJson<Readiness>("readyz"), retry: false });
  if (ready.data === undefined) return null;
  const { storage, status } = ready.data.history;
  return (
    <p className="muted">
      {PLACES[storage]}
      {status === "failing" && " It cannot be written at the moment."}
    </p>
  );
}
