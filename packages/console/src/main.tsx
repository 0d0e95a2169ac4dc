import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { readTokenFromUrl } from "./api/http.ts";
import { finishLogin } from "./api/issuer-login.ts";
import { App } from "./app.tsx";
import "./styles/base.css";
import "./styles/council.css";
import "./styles/tools.css";

await readTokenFromUrl();
await finishLogin();
const queries = new QueryClient({
  defaultOptions: { queries: { refetchOnWindowFocus: true, staleTime: 1000, retry: 1 } },
});

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
