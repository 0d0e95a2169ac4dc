import type { Readiness } from "@mci-ts/council-server/api";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useState, useSyncExternalStore } from "react";
import type { ConsoleParts } from "../serve/tools/types.ts";
import { ApiError, getJson } from "./api/http.ts";
import { WaitingBadge } from "./council/tasks/inbox.tsx";
import icon from "./icon.svg";
import { ErrorBoundary } from "./parts/error-boundary.tsx";
import { ErrorPanel, StatePanel } from "./parts/state-panel.tsx";
import { onThemeChange, setTheme, THEMES, type Theme, theme } from "./parts/theme.ts";
import { TokenGate } from "./parts/token-gate.tsx";
import { useParts } from "./parts/use-parts.ts";
import { useLocation } from "./router.ts";

const loaders: (() => Promise<unknown>)[] = [];

/** Each screen is loaded when it is opened, or when the page has nothing else to do: it then opens at once, also offline. */
const screen = <Props extends object>(load: () => Promise<React.ComponentType<Props>>) => {
  loaders.push(load);
  return lazy(async () => ({ default: await load() }));
};

const AskScreen = screen(async () => (await import("./council/ask-screen.tsx")).AskScreen);
const CompareScreen = screen(async () => (await import("./council/compare-screen.tsx")).CompareScreen);
const HistoryScreen = screen(async () => (await import("./council/history-screen.tsx")).HistoryScreen);
const RunScreen = screen(async () => (await import("./council/run/run-screen.tsx")).RunScreen);
const TaskListScreen = screen(
  async () => (await import("./council/tasks/task-list-screen.tsx")).TaskListScreen,
);
const TaskScreen = screen(async () => (await import("./council/tasks/task-screen.tsx")).TaskScreen);
const ToolsScreen = screen(async () => (await import("./tools/tools-screen.tsx")).ToolsScreen);
const CallsScreen = screen(async () => (await import("./tools/calls/calls-screen.tsx")).CallsScreen);
const CallScreen = screen(async () => (await import("./tools/calls/call-screen.tsx")).CallScreen);
const ProjectScreen = screen(async () => (await import("./tools/project-screen.tsx")).ProjectScreen);
const CalibrationScreen = screen(
  async () => (await import("./council/calibration-screen.tsx")).CalibrationScreen,
);
const SessionScreen = screen(
  async () => (await import("./council/sessions/session-screen.tsx")).SessionScreen,
);
const Palette = lazy(() => import("./palette/palette.tsx"));
/** The editor is large: only when it is opened. */
const FileScreen = lazy(() => import("./tools/file/file-screen.tsx"));

/** A screen is one entry: the first part of its address, its part of the console, its place in the menu, what it shows. */
interface Screen {
  readonly name: string;
  readonly part: "council" | "tools";
  readonly menu?: string;
  readonly show: (path: readonly string[]) => ReactNode;
}

const SCREENS: readonly Screen[] = [
  { name: "ask", part: "council", menu: "Ask", show: () => <AskScreen /> },
  {
    name: "runs",
    part: "council",
    menu: "History",
    show: ([id]) => (id === undefined ? <HistoryScreen /> : <RunScreen key={id} id={id} />),
  },
  {
    name: "compare",
    part: "council",
    show: ([left, right]) =>
      left === undefined ? <HistoryScreen /> : <CompareScreen left={left} right={right} />,
  },
  {
    name: "tasks",
    part: "council",
    menu: "Tasks",
    show: ([id]) => (id === undefined ? <TaskListScreen /> : <TaskScreen key={id} id={id} />),
  },
  { name: "calibration", part: "council", menu: "Calibration", show: () => <CalibrationScreen /> },
  {
    name: "sessions",
    part: "council",
    show: ([id]) => (id === undefined ? <HistoryScreen /> : <SessionScreen key={id} id={id} />),
  },
  { name: "tools", part: "tools", menu: "Tools", show: ([name]) => <ToolsScreen name={name} /> },
  {
    name: "calls",
    part: "tools",
    menu: "Calls",
    show: ([id]) => (id === undefined ? <CallsScreen /> : <CallScreen key={id} id={id} />),
  },
  { name: "file", part: "tools", menu: "File", show: () => <FileScreen /> },
  { name: "project", part: "tools", menu: "Variables and servers", show: () => <ProjectScreen /> },
];

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
    const idle = window.requestIdleCallback ?? ((run: () => void) => setTimeout(run, 500));
    idle(() => {
      // One that cannot be loaded now is loaded, or fails with a message, when it is opened.
      for (const load of loaders) load().catch(() => {});
    });
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
        <a className="brand" href="#/">
          <img src={icon} alt="" width={20} height={20} />
          MCI console
        </a>
        <nav aria-label="Screens">
          {screens
            .filter(({ menu }) => menu !== undefined)
            .map((each) => (
              <a
                key={each.name}
                href={`#/${each.name}`}
                aria-current={each.name === name ? "page" : undefined}
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
    <select
      className="theme-switch"
      aria-label="Theme"
      value={chosen}
      onChange={({ target }) => setTheme(target.value as Theme)}
    >
      {THEMES.map((each) => (
        <option key={each} value={each}>
          {each}
        </option>
      ))}
    </select>
  );
}

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
  return <span className={`model ${ready.simulated ? "simulated" : ""}`}>{ready.model}</span>;
}
