import { useMutation } from "@tanstack/react-query";
import { Menu } from "../../parts/menu.tsx";
import { ErrorPanel } from "../../parts/state-panel.tsx";
import { EXPORTS, type ExportFormat, exportRun } from "./export-run.ts";

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
  return (
    <Menu label="Share">
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
    </Menu>
  );
}
