import { useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, useDeferredValue, useLayoutEffect, useMemo, useRef, useState } from "react";
import { formatNumber } from "../../../parts/format.ts";
import { QueryChoice, QuerySearch } from "../../../parts/lists/query-filters.tsx";
import { StatePanel } from "../../../parts/state-panel.tsx";
import { replaceQuery, useLocation } from "../../../router.ts";
import { expectedText } from "../export/export-csv.ts";
import { type Matrix, titleOf } from "../matrix.ts";
import type { Session, Snapshot } from "../session.ts";
import type { Cell, Evaluation } from "../types.ts";
import { MatrixCell } from "./matrix-cell.tsx";
import { type MatrixRow, rowsOf, SHOWN, type Shown, SORTS, selectRows } from "./matrix-rows.ts";
import { RowDialog } from "./row-dialog.tsx";

/** The height of each row: longer answers are cut, and whole where the row is opened. */
const ROW_PX = 112;
const MAX_CHARS = 220;

/** Every answer: one row for each question, one column for each configuration. */
export function MatrixView({
  session,
  evaluation,
  matrix,
  cells,
  phase,
}: {
  session: Session;
  evaluation: Evaluation;
  matrix: Matrix;
  cells: ReadonlyMap<string, Cell>;
  phase: Snapshot["phase"];
}) {
  const { query } = useLocation();
  const [show, sort, words] = [query.get("show") ?? "", query.get("sort") ?? "", query.get("q") ?? ""];
  const all = useMemo(() => rowsOf(matrix.asks), [matrix]);
  const deferred = useDeferredValue(cells);
  const isSelected = show !== "" || sort !== "" || words !== "";
  const rows = useMemo(
    () => (isSelected ? selectRows(all, deferred, { show, sort, words }) : all),
    [all, isSelected ? deferred : undefined, show, sort, words],
  );
  const [opened, setOpened] = useState<{ readonly id: string; readonly column: number }>();
  const index = opened ? rows.findIndex(({ row }) => row.id === opened.id) : -1;
  const shown = index < 0 ? opened && all.find(({ row }) => row.id === opened.id) : rows[index];
  return (
    <section aria-label="Answers">
      <div className="filters row" role="search">
        <QuerySearch label="Search questions and answers" />
        <QueryChoice
          name="show"
          label="Rows"
          options={Object.keys(SHOWN)}
          show={(value) => SHOWN[value as Shown]}
        />
        <label>
          <span className="visually-hidden">Order</span>
          <select value={sort} onChange={({ target }) => replaceQuery({ sort: target.value })}>
            <option value="">in their order</option>
            {Object.entries(SORTS).map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <span className="muted" role="status">
          {isSelected && `${formatNumber(rows.length)} of ${formatNumber(all.length)} rows`}
        </span>
      </div>
      {rows.length === 0 ? (
        <StatePanel kind="empty" title="No row matches." />
      ) : (
        <MatrixTable
          {...{ evaluation, rows, cells }}
          onOpen={(row, column) => setOpened({ id: row.row.id, column })}
        />
      )}
      {opened && shown && (
        <RowDialog
          key={opened.id}
          {...{ session, evaluation, cells, phase }}
          row={shown}
          column={opened.column}
          before={
            index > 0 ? () => setOpened({ id: rows[index - 1]!.row.id, column: opened.column }) : undefined
          }
          after={
            index >= 0 && index < rows.length - 1
              ? () => setOpened({ id: rows[index + 1]!.row.id, column: opened.column })
              : undefined
          }
          onClose={() => setOpened(undefined)}
        />
      )}
    </section>
  );
}

function MatrixTable({
  evaluation,
  rows,
  cells,
  onOpen,
}: {
  evaluation: Evaluation;
  rows: readonly MatrixRow[];
  cells: ReadonlyMap<string, Cell>;
  onOpen: (row: MatrixRow, column: number) => void;
}) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 4,
  });
  const items = list.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  const { active, onKeyDown, onFocus } = useActiveCell(
    rows.length,
    evaluation.columns.length + 1,
    scroller,
    list,
  );
  // The active row may be out of view, and then is not there: the Tab key stops at the first that is.
  const stop =
    first && last && active.row >= first.index && active.row <= last.index ? active.row : (first?.index ?? 0);
  return (
    <div
      className="matrix scroll"
      ref={scroller}
      role="region"
      aria-label="Matrix"
      {...{ onKeyDown, onFocus }}
    >
      <table aria-rowcount={rows.length + 1} aria-colcount={evaluation.columns.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            <th scope="col">Question</th>
            {evaluation.columns.map((column) => (
              <th key={column.id} scope="col">
                <bdi>{titleOf(column, evaluation)}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {first && first.start > 0 && <Space px={first.start} columns={evaluation.columns.length + 1} />}
          {items.map(({ index }) => {
            const row = rows[index]!;
            const tabIndex = (column: number) => (index === stop && column === active.column ? 0 : -1);
            return (
              <tr key={row.row.id} aria-rowindex={index + 2} style={{ height: ROW_PX }}>
                <th scope="row">
                  <button
                    type="button"
                    className="matrix-cell"
                    data-cell={`${index} 0`}
                    tabIndex={tabIndex(0)}
                    onClick={() => onOpen(row, 0)}
                  >
                    <QuestionText row={row} />
                  </button>
                </th>
                {row.cells.map((asks, column) => (
                  <td key={asks[0]!.column.id}>
                    <MatrixCell
                      asks={asks}
                      cells={cells}
                      place={`${index} ${column + 1}`}
                      tabIndex={tabIndex(column + 1)}
                      onOpen={() => onOpen(row, column)}
                    />
                  </td>
                ))}
              </tr>
            );
          })}
          {last && list.getTotalSize() > last.end && (
            <Space px={list.getTotalSize() - last.end} columns={evaluation.columns.length + 1} />
          )}
        </tbody>
      </table>
    </div>
  );
}

const Space = ({ px, columns }: { px: number; columns: number }) => (
  <tr style={{ height: px }}>
    <td colSpan={columns} className="space" />
  </tr>
);

function QuestionText({ row: { row, cells } }: { row: MatrixRow }) {
  const [ask] = cells[0]!;
  const expected = expectedText(ask!);
  return (
    <>
      <span className="matrix-state muted">
        <bdi>{row.id.slice(0, 60)}</bdi>
      </span>
      <bdi className="matrix-text">{ask!.prompt.slice(0, MAX_CHARS)}</bdi>
      {expected !== "" && (
        <span className="matrix-facts muted">
          expected: <bdi>{expected.slice(0, 80)}</bdi>
        </span>
      )}
    </>
  );
}

/** The table is one stop of the Tab key: arrow keys, Home, End and Page keys go from cell to cell. */
function useActiveCell(
  rows: number,
  columns: number,
  scroller: React.RefObject<HTMLDivElement | null>,
  list: { scrollToIndex: (index: number) => void },
) {
  const [active, setActive] = useState({ row: 0, column: 0 });
  const wanted = useRef<string>(undefined);
  useLayoutEffect(() => {
    if (wanted.current === undefined) return;
    const cell = scroller.current?.querySelector<HTMLElement>(`[data-cell="${wanted.current}"]`);
    if (!cell) return;
    wanted.current = undefined;
    cell.focus({ preventScroll: true });
    cell.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
  const placeOf = (target: EventTarget) => {
    const [row, column] =
      (target as HTMLElement).closest<HTMLElement>("[data-cell]")?.dataset["cell"]?.split(" ") ?? [];
    return row === undefined ? undefined : { row: Number(row), column: Number(column) };
  };
  const onFocus = ({ target }: { target: EventTarget }) => {
    const place = placeOf(target);
    if (place) setActive(place);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const at = placeOf(event.target);
    if (!at || event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / ROW_PX) - 1);
    const moves: Readonly<Record<string, { row: number; column: number }>> = {
      ArrowDown: { ...at, row: at.row + 1 },
      ArrowUp: { ...at, row: at.row - 1 },
      PageDown: { ...at, row: at.row + page },
      PageUp: { ...at, row: at.row - page },
      ArrowRight: { ...at, column: at.column + 1 },
      ArrowLeft: { ...at, column: at.column - 1 },
      Home: { ...at, row: 0 },
      End: { ...at, row: rows - 1 },
    };
    const move = Object.hasOwn(moves, event.key) ? moves[event.key] : undefined;
    if (!move) return;
    event.preventDefault();
    const next = {
      row: Math.min(rows - 1, Math.max(0, move.row)),
      column: Math.min(columns - 1, Math.max(0, move.column)),
    };
    wanted.current = `${next.row} ${next.column}`;
    setActive(next);
    list.scrollToIndex(next.row);
  };
  return { active, onKeyDown, onFocus };
}
