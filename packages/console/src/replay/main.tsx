import type { Capsule } from "@mci-ts/council-server/api";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { ReplayApp } from "../council/share/replay-app.tsx";
import "../styles/base.css";
import "../styles/council.css";

// The page that a shared file holds: `vite.config.ts` builds it into one script, for `replay-html.ts`.
const { capsule, parts } = JSON.parse(document.getElementById("capsule")!.textContent!) as {
  capsule: Capsule;
  parts: unknown;
};
// Nothing is ever asked for; what screens look up is there already.
const queries = new QueryClient({ defaultOptions: { queries: { enabled: false } } });
queries.setQueryData(["parts"], parts);

createRoot(document.getElementById("root")!).render(
  <QueryClientProvider client={queries}>
    <ReplayApp capsule={capsule} />
  </QueryClientProvider>,
);
