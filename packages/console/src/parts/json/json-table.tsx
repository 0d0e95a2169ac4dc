import { useMemo, useState } from "react";
import { plural } from "../format.ts";
import { ScrollTable } from "../lists/scroll-table.tsx";

const MAX_ROWS = 100;
const MAX_COLUMNS = 12;

/** The rows of an array of objects; undefined for other values. */
export function tableRows(value: unknown): readonly Record<string, unknown>[] | undefined {
  const list = Array.isArray(value) ? value : undefined;
  return list !== undefined &&
    list.length > 0 &&
    list.every((row) => typeof row === "object" && row !== null && !Array.isArray(row))
    ? list
    : undefined;
}

export function Table({ rows }: { rows: readonly Record<string, unknown>[] }) {
  const all = useMemo(() => [...new Set(rows.slice(0, MAX_ROWS).flatMap((row) => Object.keys(row)))], [rows]);
  const [isWide, setIsWide] = useState(false);
  const columns = isWide ? all : all.slice(0, MAX_COLUMNS);
  const [limit, setLimit] = useState(MAX_ROWS);
  return (
    <>
      <ScrollTable label="Table" columns={columns} className="data">
        {rows.slice(0, limit).map((row, index) => (
          <tr key={index}>
            {columns.map((column) => (
              <td key={column} className={typeof row[column] === "number" ? "number" : undefined}>
                {cell(row[column])}
              </td>
            ))}
          </tr>
        ))}
      </ScrollTable>
      <div className="row">
        {rows.length > limit && (
          <button type="button" className="quiet" onClick={() => setLimit(limit + 1000)}>
            {plural(rows.length - limit, "more row")}
          </button>
        )}
        {all.length > columns.length && (
          <button type="button" className="quiet" onClick={() => setIsWide(true)}>
            {plural(all.length - columns.length, "more column")}
          </button>
        )}
      </div>
    </>
  );
}

function cell(value: unknown): string {
  if (value === undefined) return "";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
