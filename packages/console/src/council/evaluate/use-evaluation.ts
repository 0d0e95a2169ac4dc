import type { EvaluationOptions } from "@mci-ts/council-server/api";
import { useQuery } from "@tanstack/react-query";
import { useDeferredValue, useMemo, useSyncExternalStore } from "react";
import { getJson } from "../../api/http.ts";
import { type Matrix, matrixOf, modelsOf } from "./matrix.ts";
import { type Session, type Snapshot, sessionOf } from "./session.ts";
import { type ReadRows, readRows } from "./setup/read-rows.ts";
import type { Column, Evaluation } from "./types.ts";

export function useSession(id: string): { readonly session: Session; readonly snapshot: Snapshot } {
  const session = sessionOf(id);
  return { session, snapshot: useSyncExternalStore(session.subscribe, session.snapshot) };
}

const NO_ROWS: ReadRows = { rows: [], problems: [], format: "lines" };
const NO_MATRIX: Matrix = { asks: [], problems: [] };

/** Its rows and cells, read again when what they are made of has changed. */
export function useMatrix(evaluation: Evaluation | undefined): {
  readonly read: ReadRows;
  readonly matrix: Matrix;
} {
  const { source = "", format = "auto", columns, prompts, repeats } = evaluation ?? {};
  const deferred = useDeferredValue(source);
  const read = useMemo(() => (deferred === "" ? NO_ROWS : readRows(deferred, format)), [deferred, format]);
  const matrix = useMemo(
    () => (evaluation === undefined ? NO_MATRIX : matrixOf(evaluation, read.rows)),
    [read, columns, prompts, repeats],
  );
  return { read, matrix };
}

/** What the service can compare, and what it says of the models that are named. */
export function useOptions(columns: readonly Column[]) {
  const names = [...new Set(columns.flatMap(modelsOf))].toSorted();
  const wanted = useDeferredValue(new URLSearchParams(names.map((name) => ["model", name])).toString());
  return useQuery({
    queryKey: ["evaluation-options", wanted],
    queryFn: () => getJson<EvaluationOptions>(`api/evaluation?${wanted}`),
    placeholderData: (before) => before,
    staleTime: 60_000,
  });
}
