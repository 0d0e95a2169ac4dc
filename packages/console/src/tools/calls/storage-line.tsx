import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { CallList } from "../../../serve/tools/types.ts";
import { getJson } from "../../api/http.ts";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { ErrorPanel } from "../../parts/state-panel.tsx";

/** Where the calls are, so that what is in memory is not taken for stored; and a way to forget them. */
export function StorageLine({ hasCalls }: { hasCalls: boolean }) {
  const [isAsking, setIsAsking] = useState(false);
  const queries = useQueryClient();
  const list = useQuery({
    queryKey: ["call storage"],
    // No call is in this state: only where they are is wanted.
    queryFn: () => getJson<CallList>("api/calls?state=none"),
    retry: false,
  });
  const forget = useMutation({
    mutationFn: () => getJson<CallList>("api/calls", { method: "DELETE", body: {} }),
    onSuccess: ({ calls }) => {
      queries.setQueryData(["calls"], calls);
      queries.removeQueries({ queryKey: ["call"] });
    },
  });
  if (list.data === undefined) return null;
  const { place, error } = list.data.storage;
  return (
    <div className="row spread storage-line">
      <p className="muted break">
        {error !== undefined
          ? `In memory only: they cannot be stored (${error}).`
          : place === "memory"
            ? "In memory: lost when the server ends."
            : `The last 500, with values of variables masked, in ${place}`}
      </p>
      {hasCalls && place !== "memory" && (
        <button type="button" className="quiet" onClick={() => setIsAsking(true)}>
          Forget all
        </button>
      )}
      {forget.isError && <ErrorPanel error={forget.error} />}
      {isAsking && (
        <ConfirmDialog
          title="Forget all calls?"
          action="Forget them"
          onConfirm={() => forget.mutate()}
          onClose={() => setIsAsking(false)}
        >
          <p>
            What was sent and received is removed, here and from the file. The tools are not called again.
          </p>
        </ConfirmDialog>
      )}
    </div>
  );
}
