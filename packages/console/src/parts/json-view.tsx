import { useState } from "react";
import { plural } from "./format.ts";

const MAX_ENTRIES = 100;
const MAX_COLUMNS = 12;

/** JSON as a tree; an array of objects as a table. */
export function JsonView({ value }: { value: unknown }) {
  const rows = tableRows(value);
  const [asTable, setAsTable] = useState(rows !== undefined);
  return (
    <div className="json">
      {rows && (
        <button type="button" className="quiet" onClick={() => setAsTable(!asTable)}>
          {asTable ? "Show as tree" : "Show as table"}
        </button>
      )}
      {rows && asTable ? <Table rows={rows} /> : <Node value={value} open={true} depth={0} />}
    </div>
  );
}

function tableRows(value: unknown): readonly Record<string, unknown>[] | undefined {
  const list = Array.isArray(value) ? value : undefined;
  return list !== undefined &&
    list.length > 0 &&
    list.every((row) => typeof row === "object" && row !== null && !Array.isArray(row))
    ? list
    : undefined;
}

function Table({ rows }: { rows: readonly Record<string, unknown>[] }) {
  const columns = [...new Set(rows.slice(0, MAX_ENTRIES).flatMap((row) => Object.keys(row)))].slice(
    0,
    MAX_COLUMNS,
  );
  const [limit, setLimit] = useState(MAX_ENTRIES);
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label="Table">
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column}>{column}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, limit).map((row, index) => (
            <tr key={index}>
              {columns.map((column) => (
                <td key={column}>{cell(row[column])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > limit && (
        <button type="button" className="quiet" onClick={() => setLimit(limit + 1000)}>
          {plural(rows.length - limit, "more row")}
        </button>
      )}
    </div>
  );
}

function cell(value: unknown): string {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}

function Node({ name, value, open, depth }: { name?: string; value: unknown; open: boolean; depth: number }) {
  const [isOpen, setOpen] = useState(open);
  const [limit, setLimit] = useState(MAX_ENTRIES);
  const label = name === undefined ? null : <span className="json-key">{name}: </span>;
  if (typeof value !== "object" || value === null) {
    return (
      <div className="json-leaf">
        {label}
        <bdi className={`json-${value === null ? "null" : typeof value}`}>
          {typeof value === "string" ? JSON.stringify(value) : String(value)}
        </bdi>
      </div>
    );
  }
  const entries = Object.entries(value);
  const summary = Array.isArray(value) ? plural(entries.length, "item") : plural(entries.length, "field");
  return (
    <div className="json-node">
      <button type="button" className="json-toggle" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {isOpen ? "▾" : "▸"} {label}
        <span className="muted">{Array.isArray(value) ? `[${summary}]` : `{${summary}}`}</span>
      </button>
      {isOpen && (
        <div className="json-children">
          {entries.slice(0, limit).map(([key, each]) => (
            <Node key={key} name={key} value={each} open={depth < 1} depth={depth + 1} />
          ))}
          {entries.length > limit && (
            <button type="button" className="quiet" onClick={() => setLimit(limit + 1000)}>
              {plural(entries.length - limit, "more entry", "more entries")}
            </button>
          )}
        </div>
      )}
    </div>
  );
}
