import type { Readiness } from "@mci-ts/council-server/api";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import type { ConsoleParts } from "../serve/tools/types.ts";
import { ApiError, getJson } from "./api/http.ts";
import { WaitingBadge } from "./council/tasks/inbox.tsx";
import icon from "./icon.svg";
import { ErrorBoundary } from "./parts/page/error-boundary.tsx";
import { onThemeChange, setTheme, THEMES, type Theme, theme } from "./parts/page/theme.ts";
import { TokenGate } from "./parts/page/token-gate.tsx";
import { ErrorPanel, StatePanel } from "./parts/state-panel.tsx";
import { useParts } from "./parts/use-parts.ts";
import { useLocation } from "./router.ts";
import { preload, SCREENS } from "./screens.tsx";

const Palette = lazy(() => import("./palette/palette.tsx"));

export function App() {
  const parts = useParts();
  const queries = useQueryClient();
  const isOffline = parts.error instanceof ApiError && parts.error.status === 0;
  if (!parts.data) {
    return (
      <main id="main">
        {parts.isError ? (
          <ErrorPanel error={parts.error} retry={() => queries.invalidateQueries()} />
        ) : (
          <StatePanel kind="loading" title="Loading…" />
        )}
      </main>
    );
  }
  return <Page parts={parts.data} isOffline={isOffline} />;
}

function Page({ parts, isOffline }: { parts: ConsoleParts; isOffline: boolean }) {
  const { path } = useLocation();
  useEffect(() => {
    // The first screen is there and takes input; the browser's performance entries show when.
    performance.mark("interactive");
    const preloadLink = ({ target }: Event) => {
      const href = (target as Element).closest?.("a")?.getAttribute("href");
      preload(/^#\/(\w+)/.exec(href ?? "")?.[1]);
    };
    const events = ["pointerover", "focusin"] as const;
    for (const name of events) addEventListener(name, preloadLink);
    return () => {
      for (const name of events) removeEventListener(name, preloadLink);
    };
  }, []);
  const [isPaletteOpen, setIsPaletteOpen] = useState(false);
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey) return;
      event.preventDefault();
      setIsPaletteOpen(true);
    };
    addEventListener("keydown", open);
    return () => removeEventListener("keydown", open);
  }, []);
  const screens = SCREENS.filter(({ part }) => parts[part]);
  const [name = screens[0]?.name, ...rest] = path;
  const screen = screens.find((each) => each.name === name);
  useEffect(() => {
    // What follows from this screen, when there is nothing else to do: asking leads to a run.
    const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 500));
    idle(() => preload(name));
    document.querySelector(".top nav [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });
  }, [name]);
  const ready = useQuery({
    queryKey: ["ready"],
    enabled: parts.council,
    queryFn: () => getJson<Readiness>("readyz"),
    refetchInterval: 10_000,
    retry: false,
  });
  const isCouncil = screen?.part === "council";
  return (
    <>
      <button type="button" className="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <header className="top">
        <a className="brand" href="#/" aria-label="MCI console">
          <img src={icon} alt="" width={20} height={20} />
          <span>MCI console</span>
        </a>
        <nav aria-label="Screens">
          {screens
            .filter(({ menu }) => menu !== undefined)
            .map((each) => (
              <a
                key={each.name}
                href={`#/${each.name}`}
                aria-current={each.name === (screen?.under ?? name) ? "page" : undefined}
              >
                {each.menu}
                {each.name === "tasks" && <WaitingBadge />}
              </a>
            ))}
        </nav>
        <ModelLabel ready={ready.data} />
        <button type="button" className="palette-button" onClick={() => setIsPaletteOpen(true)}>
          Go to… <kbd>Ctrl K</kbd>
        </button>
        <ThemeSwitch />
      </header>
      {isPaletteOpen && (
        <Suspense fallback={null}>
          <Palette
            parts={parts}
            screens={screens.flatMap(({ name, menu }) =>
              menu === undefined ? [] : [{ kind: "Screen", label: menu, href: `#/${name}` }],
            )}
            onClose={() => setIsPaletteOpen(false)}
          />
        </Suspense>
      )}
      {isOffline && (
        <p className="banner error" role="alert">
          Offline: {parts.council ? "the service" : "mci"} cannot be reached. This page reconnects by itself.
        </p>
      )}
      {isCouncil && ready.data?.simulated && (
        <aside className="banner simulated" aria-label="Simulated model">
          Simulated model: no language model is asked, and no answer here is real. Set{" "}
          <code>MAKER_API_KEY</code> to ask one.
        </aside>
      )}
      <main id="main" tabIndex={-1}>
        <TokenGate parts={parts}>
          <ErrorBoundary place={path.join("/")}>
            <Suspense key={name} fallback={<StatePanel kind="loading" title="Loading…" />}>
              {screen ? screen.show(rest) : <NoScreen />}
            </Suspense>
          </ErrorBoundary>
        </TokenGate>
      </main>
    </>
  );
}

function ThemeSwitch() {
  const chosen = useSyncExternalStore(onThemeChange, theme);
  return (
    <span className="theme">
      <select
        className="theme-switch"
        aria-label="Theme"
        value={chosen}
        onChange={({ target }) => setTheme(target.value as Theme)}
      >
        {THEMES.map((each) => (
          <option key={each} value={each}>
            {THEME_LABELS[each]}
          </option>
        ))}
      </select>
    </span>
  );
}

const THEME_LABELS: Readonly<Record<Theme, string>> = {
  system: "System",
  light: "Light",
  dark: "Dark",
};

function NoScreen() {
  return (
    <>
      <h1>Not found</h1>
      <StatePanel kind="empty" title="There is no such screen." />
    </>
  );
}

function ModelLabel({ ready }: { ready: Readiness | undefined }) {
  if (!ready?.model) return null;
  return (
    <span className={`model ${ready.simulated ? "simulated" : ""}`} title={ready.model}>
      <span className="visually-hidden">Model: </span>
      {ready.model}
    </span>
  );
}
