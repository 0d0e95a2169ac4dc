import type { CallRecord, ServerState, ToolPage } from "../../serve/tools/types.ts";
import { getJson } from "../api/http.ts";
import { formatTime, plural } from "../parts/format.ts";
import { setTheme, THEMES } from "../parts/page/theme.ts";

/** Something to go to or to do. */
export interface PaletteEntry {
  readonly label: string;
  /** What kind of thing it is. */
  readonly kind: string;
  readonly about?: string;
  /** Where it leads. */
  readonly href?: string;
  /** What it does, where it leads nowhere. */
  readonly run?: () => void;
}

/** Where entries come from. One more is one more line in `SOURCES`. */
export interface PaletteSource {
  /** Only where this part of the console is served. Default: everywhere. */
  readonly part?: "council" | "tools";
  readonly find: (text: string, signal: AbortSignal) => Promise<readonly PaletteEntry[]>;
}

const MAX_EACH = 8;
const query = (text: string) => encodeURIComponent(text);

const tools: PaletteSource = {
  part: "tools",
  async find(text, signal) {
    const { tools } = await getJson<ToolPage>(`api/tools?q=${query(text)}`, { signal });
    return tools.slice(0, MAX_EACH).map(({ name, description = "" }) => ({
      kind: "Tool",
      label: name,
      about: description,
      href: `#/tools/${encodeURIComponent(name)}`,
    }));
  },
};

const calls: PaletteSource = {
  part: "tools",
  async find(text, signal) {
    const { calls } = await getJson<{ calls: readonly CallRecord[] }>(`api/calls?q=${query(text)}`, {
      signal,
    });
    return calls.slice(0, MAX_EACH).map(({ id, tool, state, started_at }) => ({
      kind: "Call",
      label: tool,
      about: `${state}, ${formatTime(started_at)}`,
      href: `#/calls/${id}`,
    }));
  },
};

const servers: PaletteSource = {
  part: "tools",
  async find(text, signal) {
    const { servers } = await getJson<{ servers: readonly ServerState[] }>("api/servers", { signal });
    return matching(
      text,
      servers.map(({ name, state }) => ({
        kind: "MCP server",
        label: name,
        about: state,
        href: `#/servers/${query(name)}`,
      })),
    );
  },
};

const runs: PaletteSource = {
  part: "council",
  async find(text, signal) {
    const { runs } = await getJson<{ runs: readonly { id: string; prompt: string; status: string }[] }>(
      `runs?limit=${MAX_EACH}${text === "" ? "" : `&q=${query(text)}`}`,
      { signal },
    );
    return runs.map(({ id, prompt, status }) => ({
      kind: "Run",
      label: prompt.slice(0, 120),
      about: status,
      href: `#/runs/${encodeURIComponent(id)}`,
    }));
  },
};

const evaluations: PaletteSource = {
  part: "council",
  async find(text) {
    const { openStorage } = await import("../council/evaluate/storage.ts");
    const all = await (await openStorage()).list();
    const entries = all.map(({ id, name, columns }) => ({
      kind: "Evaluation",
      label: name.trim() || "without a name",
      about: plural(columns.length, "configuration"),
      href: `#/evaluate/${encodeURIComponent(id)}`,
    }));
    return matching(text, entries).slice(0, MAX_EACH);
  },
};

const themes: PaletteSource = {
  find: async (text) =>
    matching(
      text,
      THEMES.map((theme) => ({ kind: "Theme", label: `${theme} theme`, run: () => setTheme(theme) })),
    ),
};

/** In this order. */
export const SOURCES: readonly PaletteSource[] = [tools, runs, calls, servers, evaluations, themes];

/** Entries that have every word, in any order. */
export function matching(text: string, entries: readonly PaletteEntry[]): readonly PaletteEntry[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return entries.filter(({ label, about = "", kind }) => {
    const written = `${kind} ${label} ${about}`.toLowerCase();
    return words.every((word) => written.includes(word));
  });
}
