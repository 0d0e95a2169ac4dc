import type { Decomposition } from "@mci-ts/council-server/api";
import { useState } from "react";
import { useLabel } from "./run-context.ts";

const NODE = { width: 200, height: 76, gapX: 56, gapY: 18 };

/** A decomposition: a graph whose columns are what can be done at the same time, or a list of the same steps. */
export function StepsGraph({ plan }: { plan: Decomposition }) {
  const label = useLabel();
  const [view, setView] = useState<"graph" | "list">("graph");
  return (
    <section className="card" aria-label={label("Steps")}>
      <div className="row spread">
        <h2>{plan.task}</h2>
        <button type="button" onClick={() => setView(view === "graph" ? "list" : "graph")}>
          Show as {view === "graph" ? "list" : "graph"}
        </button>
      </div>
      {view === "graph" ? <Graph plan={plan} /> : <List plan={plan} />}
    </section>
  );
}

function Graph({ plan }: { plan: Decomposition }) {
  const label = useLabel();
  const columns = layers(plan);
  const place = new Map(
    columns.flatMap((ids, column) =>
      ids.map(
        (id, row) =>
          [id, { x: column * (NODE.width + NODE.gapX) + 8, y: row * (NODE.height + NODE.gapY) + 8 }] as const,
      ),
    ),
  );
  const width = columns.length * (NODE.width + NODE.gapX) - NODE.gapX + 16;
  const height =
    Math.max(...columns.map(({ length }) => length)) * (NODE.height + NODE.gapY) - NODE.gapY + 16;
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={label("Graph of the steps")}>
      <svg
        className="graph"
        width={width}
        height={height}
        role="img"
        aria-label={`${plan.steps.length} steps; the list has them in words`}
      >
        {plan.steps.flatMap(({ id, dependencies }) =>
          dependencies.map((from) => {
            const [a, b] = [place.get(from), place.get(id)];
            if (!a || !b) return null;
            const [x1, y1, x2, y2] = [a.x + NODE.width, a.y + NODE.height / 2, b.x, b.y + NODE.height / 2];
            const bend = (x2 - x1) / 2;
            return (
              <path
                key={`${from}-${id}`}
                className="edge"
                d={`M${x1} ${y1} C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`}
              />
            );
          }),
        )}
        {plan.steps.map(({ id, action }) => {
          const at = place.get(id)!;
          return (
            <foreignObject key={id} x={at.x} y={at.y} width={NODE.width} height={NODE.height}>
              <div className="node" title={action}>
                <b>{id}</b> {action}
              </div>
            </foreignObject>
          );
        })}
      </svg>
    </div>
  );
}

function List({ plan }: { plan: Decomposition }) {
  return (
    <ol className="steps">
      {plan.steps.map(({ id, action, input, output, dependencies }) => (
        <li key={id} value={id}>
          {action}
          {dependencies.length > 0 && <span className="muted"> after {dependencies.join(", ")}</span>}
          {input && <div className="muted">Input: {input}</div>}
          {output && <div className="muted">Output: {output}</div>}
        </li>
      ))}
    </ol>
  );
}

/** Steps by how many others must come first. */
export function layers({ steps }: Decomposition): number[][] {
  const depth = new Map<number, number>();
  const byId = new Map(steps.map((step) => [step.id, step]));
  const measure = (id: number, seen: ReadonlySet<number>): number => {
    const cached = depth.get(id);
    if (cached !== undefined) return cached;
    const before =
      byId.get(id)?.dependencies.filter((dependency) => byId.has(dependency) && !seen.has(dependency)) ?? [];
    const value =
      before.length === 0 ? 0 : 1 + Math.max(...before.map((each) => measure(each, new Set([...seen, id]))));
    depth.set(id, value);
    return value;
  };
  const columns: number[][] = [];
  for (const { id } of steps) {
    const column = measure(id, new Set());
    columns[column] ??= [];
    columns[column].push(id);
  }
  return columns;
}
