import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { ApiError, getJson, setToken } from "./api/http.ts";
import type { Readiness } from "./api/types.ts";
import { AskScreen } from "./council/ask-screen.tsx";
import { CompareScreen } from "./council/compare-screen.tsx";
import { HistoryScreen } from "./council/history-screen.tsx";
import { RunScreen } from "./council/run-screen.tsx";
import { StatePanel } from "./parts/state-panel.tsx";
import { useLocation } from "./router.ts";
import { ToolsScreen } from "./tools/tools-screen.tsx";

/** A screen is one entry: the first part of its address, its place in the menu, and what it shows. */
interface Screen {
  readonly name: string;
  readonly menu?: string;
  readonly show: (path: readonly string[]) => ReactNode;
}

const SCREENS: readonly Screen[] = [
  { name: "ask", menu: "Ask", show: () => <AskScreen /> },
  {
    name: "runs",
    menu: "History",
    show: ([id]) => (id === undefined ? <HistoryScreen /> : <RunScreen key={id} id={id} />),
  },
  { name: "tools", menu: "Tools", show: ([name]) => <ToolsScreen name={name} /> },
  {
    name: "compare",
    show: ([left, right]) =>
      left === undefined ? <HistoryScreen /> : <CompareScreen left={left} right={right} />,
  },
];

export function App() {
  const { path } = useLocation();
  const [name = SCREENS[0]!.name, ...rest] = path;
  const screen = SCREENS.find((each) => each.name === name);
  const ready = useQuery({
    queryKey: ["ready"],
    queryFn: () => getJson<Readiness>("readyz"),
    refetchInterval: 10_000,
    retry: false,
  });
  return (
    <>
      <button type="button" className="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to content
      </button>
      <header className="top">
        <a className="brand" href="#/">
          MCI console
        </a>
        <nav aria-label="Screens">
          {SCREENS.filter(({ menu }) => menu !== undefined).map((each) => (
            <a key={each.name} href={`#/${each.name}`} aria-current={each.name === name ? "page" : undefined}>
              {each.menu}
            </a>
          ))}
        </nav>
        <ModelLabel ready={ready.data} />
      </header>
      {ready.error instanceof ApiError && ready.error.status === 0 && (
        <p className="banner error" role="alert">
          Offline: the service cannot be reached. This page reconnects by itself.
        </p>
      )}
      {ready.data?.simulated && (
        <p className="banner simulated" role="note">
          Simulated model: no language model is asked, and no answer here is real. Set{" "}
          <code>MAKER_API_KEY</code> to ask one.
        </p>
      )}
      <main id="main" tabIndex={-1}>
        <TokenGate>
          {screen ? screen.show(rest) : <StatePanel kind="empty" title="There is no such screen." />}
        </TokenGate>
      </main>
    </>
  );
}

function ModelLabel({ ready }: { ready: Readiness | undefined }) {
  if (!ready?.model) return null;
  return <span className={`model ${ready.simulated ? "simulated" : ""}`}>{ready.model}</span>;
}

/** Asks for the bearer token where the service wants one. */
function TokenGate({ children }: { children: ReactNode }) {
  const [typed, setTyped] = useState("");
  const access = useQuery({ queryKey: ["access"], queryFn: () => getJson("runs?limit=1"), retry: false });
  if (!(access.error instanceof ApiError && access.error.status === 401)) return children;
  return (
    <form
      className="card token"
      onSubmit={(event) => {
        event.preventDefault();
        setToken(typed.trim());
        access.refetch();
      }}
    >
      <h1>This service wants a token</h1>
      <p role="alert">{access.error.message}</p>
      <label>
        Token
        <input
          type="password"
          autoComplete="off"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
        <small>
          The value of <code>MCI_TOKEN</code>. It stays in this tab.
        </small>
      </label>
      <button type="submit" className="primary" disabled={access.isFetching || typed.trim() === ""}>
        Continue
      </button>
    </form>
  );
}
