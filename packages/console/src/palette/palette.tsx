import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import type { ConsoleParts } from "../../serve/tools/types.ts";
import { Highlighted } from "../parts/text/highlighted.tsx";
import { useModal } from "../parts/use-modal.ts";
import { matching, type PaletteEntry, SOURCES } from "./sources.ts";

/** Milliseconds after the last key in which nothing is searched. */
const SEARCH_AFTER_MS = 120;

/** Ctrl+K: everything there is to go to or to do, by any words of it. */
export default function Palette({
  parts,
  screens,
  onClose,
}: {
  parts: ConsoleParts;
  screens: readonly PaletteEntry[];
  onClose: () => void;
}) {
  const id = useId();
  const { dialog, close } = useModal(onClose);
  const [text, setText] = useState("");
  const [found, setFound] = useState<readonly PaletteEntry[]>([]);
  const [isSearching, setIsSearching] = useState(true);
  const [active, setActive] = useState(0);
  /** Enter came before what the words find: it goes to the first of that, and not to what the words before had found. */
  const isAwaited = useRef(false);
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(async () => {
      const sources = SOURCES.filter(({ part }) => part === undefined || parts[part]);
      // What one source cannot say now does not keep the others back.
      const lists = await Promise.all(
        sources.map((source) => source.find(text.trim(), controller.signal).catch(() => [])),
      );
      if (controller.signal.aborted) return;
      const all = lists.flat();
      setFound(all);
      setIsSearching(false);
      if (isAwaited.current) choose([...matching(text, screens), ...all][0]);
      isAwaited.current = false;
    }, SEARCH_AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text, parts]);
  const entries = [...matching(text, screens), ...found];
  const current = Math.min(active, entries.length - 1);
  const choose = (entry: PaletteEntry | undefined) => {
    if (!entry) return;
    close();
    // The way leads elsewhere: a list that stays on the screen does not keep the focus.
    if (entry.href !== undefined) (document.activeElement as HTMLElement | null)?.blur();
    if (entry.href !== undefined) location.hash = entry.href;
    entry.run?.();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && entries.length > 0) {
      event.preventDefault();
      const next = (current + step + entries.length) % entries.length;
      setActive(next);
      document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: "nearest" });
    } else if (event.key === "Enter") {
      event.preventDefault();
      if (isSearching) isAwaited.current = true;
      else choose(entries[current]);
    }
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a dialog
    <dialog
      {...dialog}
      className="palette"
      aria-label="Go to anything"
      onClick={({ target, currentTarget }) => target === currentTarget && close()}
    >
      <input
        type="search"
        role="combobox"
        aria-label="Search everything"
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={entries.length > 0 ? `${id}-${current}` : undefined}
        placeholder="Go to a screen, a tool, a call, a run…"
        autoComplete="off"
        value={text}
        onChange={({ target }) => {
          isAwaited.current = false;
          setIsSearching(true);
          setText(target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label="Found" className="palette-list">
        {entries.map((entry, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above takes the keys
          <div
            key={`${entry.kind} ${entry.label} ${entry.href ?? ""}`}
            id={`${id}-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === current}
            onClick={() => choose(entry)}
          >
            <span className="badge">{entry.kind}</span>{" "}
            <bdi className="palette-label">
              <Highlighted text={entry.label} words={text} />
            </bdi>{" "}
            <bdi className="muted">{entry.about}</bdi>
          </div>
        ))}
      </div>
      <p className="muted" role="status">
        {entries.length === 0 ? (isSearching ? "Searching…" : "Nothing matches.") : ""}
      </p>
    </dialog>
  );
}
