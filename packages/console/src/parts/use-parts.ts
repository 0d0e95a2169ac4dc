import { useQuery } from "@tanstack/react-query";
import type { ConsoleParts } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";

const fetchParts = () => getJson<ConsoleParts>("api/console");

/** Which parts of the console are served here, and whether the server can be reached. */
export function useParts() {
  return useQuery({
    queryKey: ["parts"],
    queryFn: fetchParts,
    // Sooner while it is lost: the page must notice when it is back.
    refetchInterval: ({ state }) => (state.status === "error" ? 1000 : 3000),
    retry: false,
  });
}

/** The council's ways to answer, from what `useParts` fetched. */
export function useStrategies() {
  const { data } = useQuery({ queryKey: ["parts"], queryFn: fetchParts, enabled: false });
  return data?.strategies ?? [];
}

/** The name of a strategy by its tool. */
export function useToolLabel() {
  const strategies = useStrategies();
  return (tool: string | null | undefined) =>
    tool
      ? (AGENT_LABELS[tool] ?? strategies.find((strategy) => strategy.tool === tool)?.label ?? tool)
      : "Not routed yet";
}

/** Tools that are not strategies: agents ask for them, people do not. */
const AGENT_LABELS: Readonly<Record<string, string>> = { act: "Step of an agent" };
