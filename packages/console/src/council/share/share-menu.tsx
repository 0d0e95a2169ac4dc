import type { Capsule } from "@mci-ts/council-server/api";
import { useMutation } from "@tanstack/react-query";
import type { ConsoleParts } from "../../../serve/tools/types.ts";
import { getJson } from "../../api/http.ts";
import { Menu } from "../../parts/menu.tsx";
import { ErrorPanel } from "../../parts/state-panel.tsx";
import { runMarkdown } from "./run-markdown.ts";

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

/** What a run can be taken along as. */
const EXPORTS = [
  { format: "html", label: "Share as one HTML file", extension: "html", type: "text/html" },
  { format: "markdown", label: "Export as Markdown", extension: "md", type: "text/markdown" },
  { format: "json", label: "Export as JSON", extension: "json", type: "application/json" },
  { format: "capsule", label: "Export as capsule", extension: "capsule.json", type: "application/json" },
] as const;
type ExportFormat = (typeof EXPORTS)[number]["format"];

/** Fetches all that the history has of a run, and offers it as a download in this form. */
async function exportRun(id: string, format: ExportFormat): Promise<void> {
  const capsule = await getJson<Capsule>(`runs/${encodeURIComponent(id)}/capsule`);
  const { extension, type } = EXPORTS.find((each) => each.format === format)!;
  download(`run-${id.replaceAll(/[^\w-]/g, "_")}.${extension}`, type, await textOf(capsule, format));
}

async function textOf(capsule: Capsule, format: ExportFormat): Promise<string> {
  if (format === "markdown") return runMarkdown(capsule);
  if (format === "json") return JSON.stringify(capsule.run, undefined, 2);
  if (format === "capsule") return JSON.stringify(capsule);
  // The replay is half of the page again: loaded when it is wanted.
  const [parts, { replayHtml }, { default: bundle }] = await Promise.all([
    getJson<ConsoleParts>("api/console"),
    import("./replay-html.ts"),
    import("virtual:replay"),
  ]);
  return replayHtml(capsule, parts, bundle);
}

function download(name: string, type: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // Later: the browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
