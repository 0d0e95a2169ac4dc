import type { TaskStrip as Strip, Task } from "@mci-ts/council-server/api";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { getJson } from "../../api/http.ts";
import { useOneTabStop } from "../../parts/focus/use-one-tab-stop.ts";
import { formatNumber, formatWhen, plural } from "../../parts/format.ts";
import type { StepsPlace } from "./task-steps.tsx";

const PARTS = 120;
/** Parts of so few steps lead to the steps themselves. */
const SMALL = 100;

interface Range {
  readonly from: number;
  readonly to: number;
}

/** The whole task as one strip, however many steps: contested ones marked; each part opens, down to the steps and their replies. */
export function TaskStrip({ task, onPlace }: { task: Task; onPlace: (place: StepsPlace) => void }) {
  const { id, step: decided } = task;
  const [ranges, setRanges] = useState<readonly Range[]>([]);
  const range = ranges.at(-1);
  const [jump, setJump] = useState("");
  const strip = useQuery({
    queryKey: ["task-strip", id, range ?? Math.floor(decided / Math.max(1, decided / PARTS))],
    queryFn: () =>
      getJson<Strip>(
        `tasks/${encodeURIComponent(id)}/strip?parts=${PARTS}${range ? `&from=${range.from}&to=${range.to}` : ""}`,
      ),
    placeholderData: (before) => before,
    retry: false,
  });
  const { group, tabIndexOf } = useOneTabStop(strip.data?.parts.length ?? 0);
  if (task.kind !== "steps" || decided === 0 || !strip.data || strip.data.parts.length === 0) return null;
  const { parts, from, to, size } = strip.data;
  const open = (part: Strip["parts"][number]) => {
    onPlace({ first: part.from });
    if (size > 1) setRanges([...ranges, part]);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const step = Number(jump);
    if (Number.isInteger(step) && step >= 1 && step <= decided) onPlace({ first: step, isSought: true });
  };
  return (
    <section className="card" aria-label="The whole task">
      <div className="row spread">
        <h2>
          The whole task{" "}
          <span className="muted">
            steps {formatNumber(from)} to {formatNumber(to)}, {plural(size, "step")} a part
          </span>
        </h2>
        <div className="row">
          <button
            type="button"
            className="quiet"
            disabled={ranges.length === 0}
            onClick={() => setRanges(ranges.slice(0, -1))}
          >
            Zoom out
          </button>
          <form className="row" onSubmit={submit}>
            <label>
              <span className="visually-hidden">Step number</span>
              <input
                type="number"
                min={1}
                max={decided}
                value={jump}
                placeholder="Step"
                onChange={({ target }) => setJump(target.value)}
              />
            </label>
            <button type="submit" className="quiet">
              Go to step
            </button>
          </form>
        </div>
      </div>
      <div className="strip" role="toolbar" aria-label="Parts of the task" {...group}>
        {parts.map((part, index) => (
          <button
            key={part.from}
            type="button"
            tabIndex={tabIndexOf(index)}
            className={`strip-part ${part.contested > 0 ? "contested" : ""}`}
            style={{ "--contested": contestedShare(part) } as React.CSSProperties}
            title={describe(part)}
            onClick={() => open(part)}
          />
        ))}
      </div>
      <p className="muted strip-scale">
        <span>{time(parts[0]!)}</span>
        <span>{size <= SMALL ? "A part opens its steps below" : "A part opens into its own parts"}</span>
        <span>{time(parts.at(-1)!)}</span>
      </p>
    </section>
  );
}

/** The root of it: of thousands of steps, a few differ from none and from hundreds. */
const contestedShare = ({ contested, from, to }: Strip["parts"][number]) =>
  Math.sqrt(contested / (to - from + 1));

const time = ({ decided_at }: Strip["parts"][number]) => (decided_at === null ? "" : formatWhen(decided_at));

function describe(part: Strip["parts"][number]): string {
  const steps =
    part.from === part.to
      ? `Step ${formatNumber(part.from)}`
      : `Steps ${formatNumber(part.from)} to ${formatNumber(part.to)}`;
  return `${steps}, ${part.contested === 0 ? "none contested" : `${formatNumber(part.contested)} contested`}${part.decided_at === null ? "" : `, ${time(part)}`}`;
}
