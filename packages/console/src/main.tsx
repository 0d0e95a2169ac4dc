import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { readTokenFromUrl, shareToken } from "./api/http.ts";
import { finishLogin } from "./api/issuer-login.ts";
import { App } from "./app.tsx";
import { keepFocus } from "./parts/focus/keep-focus.ts";
import { watchPlaces } from "./parts/focus/restore-place.ts";
import { applyTheme } from "./parts/page/theme.ts";
import "./styles/base.css";
import "./styles/council.css";
import "./styles/tools.css";

applyTheme();
await readTokenFromUrl();
await finishLogin();
watchPlaces();
keepFocus();
const queries = new QueryClient({
  defaultOptions: { queries: { refetchOnWindowFocus: true, staleTime: 1000, retry: 1 } },
});

shareToken((event) => {
  // A screen that was refused asks for access again; one that has it now asks for everything.
  if (event === "refused") queries.invalidateQueries({ queryKey: ["access"] });
  else queries.resetQueries();
});

createRoot(document.getElementById("root")!).render(
  <StrictMode>
    <QueryClientProvider client={queries}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
);
