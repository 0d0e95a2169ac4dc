import type { Capsule } from "@mci-ts/council-server/api";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { ReplayApp } from "../council/share/replay-app.tsx";
import "../styles/base.css";
import "../styles/council.css";

// The page that a shared file holds: `vite.config.ts` builds it into one script, for `replay-html.ts`.
const capsule = JSON.parse(document.getElementById("capsule")!.textContent!) as Capsule;

createRoot(document.getElementById("root")!).render(
  <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { enabled: false } } })}>
    <ReplayApp capsule={capsule} />
  </QueryClientProvider>,
);
