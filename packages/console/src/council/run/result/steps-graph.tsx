import { Graph as Layout, layout } from "@dagrejs/dagre";
import type { Decomposition } from "@mci-ts/council-server/api";
import { useId, useMemo, useState } from "react";
import { useLabel } from "../run-context.ts";

const NODE = { width: 200, height: 76 };
/** More are listed: a graph of hundreds of nodes shows nothing. */
const MAX_NODES = 150;

/** What became of a step, where that is known: steps of a running plan. */
export type StepStatuses = ReadonlyMap<number, string>;

/** A decomposition: a graph with an arrow to each step from those it needs, or a list of the same steps. */
export function StepsGraph({ plan, statuses }: { plan: Decomposition; statuses?: StepStatuses }) {
  const label = useLabel();
  // On a phone two nodes of a graph are in view.
  const [view, setView] = useState<"graph" | "list">(() =>
    plan.steps.length > MAX_NODES || matchMedia("(max-width: 560px)").matches ? "list" : "graph",
  );
  return (
    <section className="card" aria-label={label("Steps")}>
      <div className="row spread">
        <h2>{plan.task}</h2>
        <button type="button" onClick={() => setView(view === "graph" ? "list" : "graph")}>
          Show as {view === "graph" ? "list" : "graph"}
        </button>
      </div>
      {view === "graph" ? <Graph plan={plan} statuses={statuses} /> : <List plan={plan} />}
    </section>
  );
}

function Graph({ plan, statuses }: { plan: Decomposition; statuses: StepStatuses | undefined }) {
  const label = useLabel();
  const arrow = useId();
  const { nodes, edges, width, height } = useMemo(() => place(plan), [plan]);
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={label("Graph of the steps")}>
      <svg
        className="graph"
        width={width}
        height={height}
        role="img"
        aria-label={`${plan.steps.length} steps; the list has them in words`}
      >
        <defs>
          <marker
            id={arrow}
            viewBox="0 0 8 8"
            refX={8}
            refY={4}
            markerWidth={8}
            markerHeight={8}
            orient="auto"
          >
            <path d="M0 0 L8 4 L0 8 Z" className="arrow" />
          </marker>
        </defs>
        {edges.map(({ key, path }) => (
          <path key={key} className="edge" d={path} markerEnd={`url(#${arrow})`} />
        ))}
        {nodes.map(({ id, action, x, y }) => (
          <foreignObject key={id} x={x} y={y} width={NODE.width} height={NODE.height}>
            <div className={`node ${statuses?.get(id) ?? ""}`} title={action}>
              <b>{id}</b> {action}
            </div>
          </foreignObject>
        ))}
      </svg>
    </div>
  );
}

/** Where each step stands and how its arrows run, from left to right. */
export function place({ steps }: Decomposition) {
  const graph = new Layout({ directed: true });
  graph.setGraph({ rankdir: "LR", nodesep: 18, ranksep: 56, marginx: 8, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  const known = new Set(steps.map(({ id }) => id));
  for (const { id } of steps) graph.setNode(String(id), { ...NODE });
  for (const { id, dependencies } of steps)
    for (const from of dependencies)
      if (known.has(from) && from !== id) graph.setEdge(String(from), String(id));
  layout(graph);
  const { width = 0, height = 0 } = graph.graph() as { width?: number; height?: number };
  return {
    width,
    height,
    nodes: steps.map(({ id, action }) => {
      const { x, y } = graph.node(String(id)) as { x: number; y: number };
      return { id, action, x: x - NODE.width / 2, y: y - NODE.height / 2 };
    }),
    edges: graph.edges().map((edge) => {
      const { points } = graph.edge(edge) as unknown as { points: readonly { x: number; y: number }[] };
      return { key: `${edge.v}-${edge.w}`, path: curve(points) };
    }),
  };
}

/** Through the points, bent at each. */
function curve([first, ...rest]: readonly { x: number; y: number }[]): string {
  if (!first) return "";
  return rest.reduce((path, { x, y }, index) => {
    const next = rest[index + 1];
    return next ? `${path} Q${x} ${y} ${(x + next.x) / 2} ${(y + next.y) / 2}` : `${path} L${x} ${y}`;
  }, `M${first.x} ${first.y}`);
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
