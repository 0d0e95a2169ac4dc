import type { ReactNode } from "react";
import { ApiError } from "../api/http.ts";

/** What stands where there is nothing to show yet: loading, empty, failed. */
export function StatePanel({
  kind,
  title,
  children,
}: {
  kind: "loading" | "empty" | "error";
  title: string;
  children?: ReactNode;
}) {
  return (
    <div className={`state-panel ${kind}`} role={kind === "error" ? "alert" : "status"}>
      <p className="state-title">{title}</p>
      {children}
    </div>
  );
}

export function ErrorPanel({ error, retry }: { error: unknown; retry?: () => void }) {
  const message = error instanceof Error ? error.message : String(error);
  const details = error instanceof ApiError ? error.details : [];
  return (
    <StatePanel kind="error" title={titleOf(error)}>
      <p className="text">{message}</p>
      {details.length > 0 && (
        <ul>
          {details.map(({ path, message }) => (
            <li key={path + message}>
              <code>{path}</code> {message}
            </li>
          ))}
        </ul>
      )}
      {retry && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </StatePanel>
  );
}

/** What failed was not the service. */
const TITLES: Readonly<Record<string, string>> = {
  request_failed: "The MCP server failed",
  mcp_restart_failed: "The MCP server cannot be started",
};

function titleOf(error: unknown): string {
  if (!(error instanceof ApiError)) return "Something went wrong";
  if (error.status === 0) return "Offline";
  if (error.status === 401) return "The token is missing or wrong";
  if (error.status === 404) return "Not found";
  return `${TITLES[error.code] ?? "The service refused"}: ${error.code}`;
}
