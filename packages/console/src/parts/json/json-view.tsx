import { type KeyboardEvent, useLayoutEffect, useMemo, useRef, useState } from "react";
import { formatNumber, plural } from "../format.ts";
import { Highlighted } from "../text/highlighted.tsx";
import { findInJson, pathText } from "./json-search.ts";
import { Table, tableRows } from "./json-table.tsx";
import { previewOf } from "./preview.ts";

const MAX_ENTRIES = 100;
/** Below this many characters a tree is seen at a glance, and needs no search. */
const SEARCHED_FROM_ENTRIES = 5;

/** JSON as a tree, with search, copy and the path of each value; an array of objects as a table. */
export function JsonView({ value }: { value: unknown }) {
  const rows = tableRows(value);
  const [asTable, setAsTable] = useState(rows !== undefined);
  const [search, setSearch] = useState("");
  const [chosen, setChosen] = useState<{ path: string; value: unknown }>();
  const [copied, setCopied] = useState("");
  const found = useMemo(
    () => (search.trim() === "" ? undefined : findInJson(value, search)),
    [value, search],
  );
  const isTree = !(rows && asTable);
  const isLarge = typeof value === "object" && value !== null && sizeOf(value) >= SEARCHED_FROM_ENTRIES;
  const tree = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    // The first is where the Tab key enters; the tree moves it with the focus.
    const isEntered = tree.current?.querySelector("[role=treeitem][tabindex='0']");
    const first = tree.current?.querySelector<HTMLElement>("[role=treeitem]");
    if (first && !isEntered) first.tabIndex = 0;
  });
  const copy = async (name: string, text: string) => {
    // Pages over plain http from another machine have no clipboard.
    await (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
      () => setCopied(`Copied ${name}.`),
      () => setCopied(`The browser refused to copy. ${text.slice(0, 200)}`),
    );
  };
  return (
    <div className="json">
      {isLarge && (
        <div className="row json-tools">
          {rows && (
            <button type="button" className="quiet" onClick={() => setAsTable(!asTable)}>
              {asTable ? "Show as tree" : "Show as table"}
            </button>
          )}
          {isTree && (
            <input
              type="search"
              aria-label="Search in this JSON"
              placeholder="Search"
              value={search}
              onChange={({ target }) => setSearch(target.value)}
            />
          )}
          <button
            type="button"
            className="quiet"
            aria-label="Copy JSON"
            onClick={() => copy("all of it", JSON.stringify(value, undefined, 2))}
          >
            Copy
          </button>
          <span role="status" className="muted">
            {copied ||
              (found && isTree ? `${formatNumber(found.count)}${found.isCut ? " or more" : ""} found` : "")}
          </span>
        </div>
      )}
      {!isLarge && rows && (
        <button type="button" className="quiet" onClick={() => setAsTable(!asTable)}>
          {asTable ? "Show as tree" : "Show as table"}
        </button>
      )}
      {rows && asTable ? (
        <Table rows={rows} />
      ) : (
        <div
          ref={tree}
          role="tree"
          aria-label="JSON"
          className="json-tree"
          onKeyDown={onTreeKey}
          onFocus={({ target, currentTarget }) => {
            for (const item of currentTarget.querySelectorAll<HTMLElement>("[role=treeitem][tabindex='0']"))
              item.tabIndex = -1;
            target.tabIndex = 0;
          }}
          onClick={({ target }) => (target as HTMLElement).closest<HTMLElement>("[role=treeitem]")?.focus()}
        >
          <Node
            value={value}
            open={true}
            depth={0}
            path={[]}
            words={search}
            within={found?.paths}
            onChoose={(path, value) => setChosen({ path: pathText(path), value })}
          />
        </div>
      )}
      {chosen && isTree && (
        <div className="row json-path">
          <code>{chosen.path || "(all)"}</code>
          <button type="button" className="quiet" onClick={() => copy("the path", chosen.path)}>
            Copy path
          </button>
          <button
            type="button"
            className="quiet"
            onClick={() =>
              copy(
                "the value",
                typeof chosen.value === "string" ? chosen.value : JSON.stringify(chosen.value, undefined, 2),
              )
            }
          >
            Copy value
          </button>
          {!isLarge && (
            <span role="status" className="muted">
              {copied}
            </span>
          )}
        </div>
      )}
    </div>
  );
}

function sizeOf(value: object): number {
  const values = Object.values(value);
  return values.some((each) => typeof each === "object" && each !== null)
    ? SEARCHED_FROM_ENTRIES
    : values.length;
}

type Path = readonly (string | number)[];

interface NodeProps {
  readonly name?: string;
  readonly value: unknown;
  readonly open: boolean;
  readonly depth: number;
  readonly path: Path;
  /** What is searched for. */
  readonly words: string;
  /** Paths that lead to something that was found; undefined without a search. */
  readonly within: ReadonlySet<string> | undefined;
  readonly onChoose: (path: Path, value: unknown) => void;
}

function Node({ name, value, open, depth, path, words, within, onChoose }: NodeProps) {
  const [isOpened, setOpen] = useState<boolean>();
  const [limit, setLimit] = useState(MAX_ENTRIES);
  const isOpen = isOpened ?? (within?.has(pathText(path)) || open);
  const label =
    name === undefined ? null : (
      <span className="json-key">
        <Highlighted text={name} words={words} />:{" "}
      </span>
    );
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    const text = JSON.stringify(value) ?? String(value);
    return (
      <div
        role="treeitem"
        tabIndex={-1}
        className="json-leaf"
        aria-level={depth + 1}
        aria-selected={false}
        onFocus={() => onChoose(path, value)}
      >
        {label}
        <bdi
          className={`json-${value === null ? "null" : typeof value === "object" ? "empty" : typeof value}`}
        >
          <Highlighted text={text} words={words} />
        </bdi>
      </div>
    );
  }
  const entries = Object.entries(value);
  // While one searches, only what leads to a hit is listed.
  const hits =
    within && isOpened === undefined
      ? entries.filter(([key]) => within.has(pathText([...path, keyIn(value, key)])))
      : entries;
  const visible = hits.length === 0 ? entries : hits;
  const summary = Array.isArray(value) ? plural(entries.length, "item") : plural(entries.length, "field");
  const text = Array.isArray(value) ? `[${summary}]` : `{${summary}}`;
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys */}
      <div
        role="treeitem"
        tabIndex={-1}
        className="json-toggle"
        aria-expanded={isOpen}
        aria-level={depth + 1}
        aria-selected={false}
        onFocus={() => onChoose(path, value)}
        onClick={() => setOpen(!isOpen)}
      >
        <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span> {label}
        <span className="muted">{text}</span>
        {!isOpen && <bdi className="json-preview">{previewOf(entries, Array.isArray(value))}</bdi>}
      </div>
      {isOpen && (
        <div className="json-children" role="group">
          {visible.slice(0, limit).map(([key, each]) => (
            <Node
              key={key}
              name={key}
              value={each}
              open={depth < 1}
              depth={depth + 1}
              path={[...path, keyIn(value, key)]}
              {...{ words, within, onChoose }}
            />
          ))}
          {visible.length > limit && (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the tree takes the keys
            <div
              role="treeitem"
              tabIndex={-1}
              aria-selected={false}
              className="json-more"
              onClick={() => setLimit(limit + 1000)}
            >
              {plural(visible.length - limit, "more entry", "more entries")}
            </div>
          )}
        </div>
      )}
    </>
  );
}

const keyIn = (value: object, key: string) => (Array.isArray(value) ? Number(key) : key);

/** One stop of the Tab key: up and down between what is shown, right opens, left closes, Enter does either. */
function onTreeKey(event: KeyboardEvent<HTMLElement>): void {
  const item = (event.target as HTMLElement).closest<HTMLElement>("[role=treeitem]");
  if (!item || event.ctrlKey || event.metaKey || event.altKey) return;
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>("[role=treeitem]")];
  const at = items.indexOf(item);
  const isExpanded = item.getAttribute("aria-expanded");
  const toggle = () => item.click();
  const parent = item.closest("[role=group]")?.previousElementSibling as HTMLElement | null | undefined;
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    Home: 0,
    End: items.length - 1,
  };
  const target = targets[event.key];
  if (target !== undefined) items[Math.max(0, Math.min(items.length - 1, target))]?.focus();
  else if (event.key === "ArrowRight") isExpanded === "false" ? toggle() : items[at + 1]?.focus();
  else if (event.key === "ArrowLeft") isExpanded === "true" ? toggle() : parent?.focus();
  else if (event.key === "Enter" || event.key === " ") toggle();
  else return;
  event.preventDefault();
}
