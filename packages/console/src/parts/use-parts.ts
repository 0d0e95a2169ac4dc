import { useQuery } from "@tanstack/react-query";
import type { ConsoleParts } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";

/** Which parts of the console are served here, and whether the server can be reached. */
export function useParts() {
  return useQuery({
    queryKey: ["parts"],
    queryFn: () => getJson<ConsoleParts>("api/console"),
    refetchInterval: 10_000,
    retry: false,
  });
}
