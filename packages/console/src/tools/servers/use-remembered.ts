import { skipToken, useQuery, useQueryClient } from "@tanstack/react-query";

/** Milliseconds for which what was read stays when its screen is left: it may be many megabytes. */
const REMEMBERED_MS = 60_000;

export interface Remembered<T> {
  readonly value: T;
  /** When it came. */
  readonly at: string;
}

/** The last of what was asked for, so that it is there when one goes back to it. */
export function useRemembered<T>(key: readonly unknown[]) {
  const queries = useQueryClient();
  const { data } = useQuery<Remembered<T>>({ queryKey: key, queryFn: skipToken, gcTime: REMEMBERED_MS });
  const remember = (value: T) => {
    queries.setQueryData<Remembered<T>>(key, { value, at: new Date().toISOString() });
  };
  return [data, remember] as const;
}
