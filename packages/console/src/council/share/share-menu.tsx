import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { ErrorPanel } from "../../parts/state-panel.tsx";
import { EXPORTS, type ExportFormat, exportRun } from "./export-run.ts";

/** What happens elsewhere closes the menu. */
const OUTSIDE = ["pointerdown", "focusin"] as const;

/** Takes a run along: as a file that replays it anywhere, as text, or as data. */
export function ShareMenu({ id, position }: { id: string; position: number | undefined }) {
  const share = useMutation({ mutationFn: (format: ExportFormat) => exportRun(id, format) });
  const copy = useMutation({
    mutationFn: () => {
      const { origin, pathname } = location;
      const at = position === undefined ? "" : `?at=${position}`;
      return navigator.clipboard.writeText(`${origin}${pathname}#/runs/${encodeURIComponent(id)}${at}`);
    },
  });
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: Event) => {
      if (menu.current && !menu.current.contains(target as Node)) menu.current.open = false;
    };
    for (const name of OUTSIDE) addEventListener(name, close);
    return () => {
      for (const name of OUTSIDE) removeEventListener(name, close);
    };
  }, []);
  return (
    <details
      className="menu"
      ref={menu}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== "Escape" || !currentTarget.open) return;
        currentTarget.open = false;
        currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary className="button">Share</summary>
      <div className="menu-items card">
        {EXPORTS.map(({ format, label }) => (
          <button
            key={format}
            type="button"
            className="quiet"
            aria-disabled={share.isPending}
            onClick={() => !share.isPending && share.mutate(format)}
          >
            {label}
          </button>
        ))}
        <button type="button" className="quiet" onClick={() => copy.mutate()}>
          {copy.isSuccess ? "Copied" : position === undefined ? "Copy link" : "Copy link to this moment"}
        </button>
        <small className="muted">Files hold prompts and replies whole.</small>
        {share.isError && <ErrorPanel error={share.error} />}
        {copy.isError && <ErrorPanel error={copy.error} />}
      </div>
    </details>
  );
}
