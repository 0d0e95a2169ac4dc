import { useQuery } from "@tanstack/react-query";
import type { ConsoleParts } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";

/** Which parts of the console are served here, and whether the server can be reached. */
export function useParts() {
  return useQuery({
    queryKey: ["parts"],
    queryFn: () => getJson<ConsoleParts>("api/console"),
    // Sooner while it is lost: the page must notice when it is back.
    refetchInterval: ({ state }) => (state.status === "error" ? 1000 : 3000),
    retry: false,
  });
}
