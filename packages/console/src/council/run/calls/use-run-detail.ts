import type { Run, RunCall } from "@mci-ts/council-server/api";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { getJson } from "../../../api/http.ts";
import type { RunContextValue } from "../run-context.ts";

/** The request behind a run; `name` tells several runs on a page apart. */
export function useRunDetail(
  id: string,
  name = "",
): { readonly detail: Run | undefined; readonly context: RunContextValue; readonly reload: () => void } {
  const { data: detail, refetch } = useQuery({
    queryKey: ["run", id],
    queryFn: () => getJson<Run>(`runs/${encodeURIComponent(id)}`),
    retry: false,
    // Not for the usual minutes: who watches one run after another would have all of them in memory.
    gcTime: 0,
  });
  const schema = detail?.request?.config?.answer_schema;
  const context = useMemo(
    () => ({
      name,
      loadCall: (call: number) => getJson<RunCall>(`runs/${encodeURIComponent(id)}/calls/${call}`),
      ...(schema === undefined ? {} : { answerSchema: schema }),
    }),
    [name, schema, id],
  );
  return { detail, context, reload: () => void refetch() };
}
