import type { CalibrationGroup, CalibrationReport } from "@mci-ts/council-server/api";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { getJson } from "../api/http.ts";
import { formatMoney, formatNumber, formatPercent, formatPercentColumn, plural } from "../parts/format.ts";
import { ScrollTable } from "../parts/lists/scroll-table.tsx";
import { ErrorPanel, StatePanel } from "../parts/state-panel.tsx";
import { useTitle } from "../parts/use-title.ts";

const TARGETS = [0.8, 0.9, 0.95, 0.99];
const PLOT = 180;
/** Fewer verdicts on a stated confidence say less than those on agreement. */
const MIN_STATED = 5;

/** Whether votes are right as often as they say: by model, strategy and kind of prompt, with the k that is worth its price. */
export function CalibrationScreen() {
  useTitle("Calibration");
  const [target, setTarget] = useState(0.95);
  const report = useQuery({
    queryKey: ["calibration", target],
    queryFn: () => getJson<CalibrationReport>(`calibration?target=${target}`),
    placeholderData: (before) => before,
  });
  return (
    <>
      <div className="row spread run-title">
        <h1>Calibration</h1>
        <label>
          Wanted: right in
          <select value={target} onChange={({ target: { value } }) => setTarget(Number(value))}>
            {TARGETS.map((each) => (
              <option key={each} value={each}>
                {formatPercent(each)} of the cases
              </option>
            ))}
          </select>
        </label>
      </div>
      <p className="muted">
        What votes stated, against what people and checks said afterwards. Mark runs as right or wrong on
        their own screens, or with <code className="whole">POST /runs/:id/verdict</code>.
      </p>
      {report.isError && <ErrorPanel error={report.error} retry={() => report.refetch()} />}
      {report.isPending && <StatePanel kind="loading" title="Loading…" />}
      {report.data?.outcomes === 0 && (
        <StatePanel kind="empty" title="No verdicts yet.">
          <p className="muted">
            From {report.data.needed} of them on, votes of a model and strategy are measured, and runs state a
            confidence.
          </p>
          <a className="button" href="#/runs">
            Choose a run to judge
          </a>
        </StatePanel>
      )}
      <div className="wall">
        {report.data?.groups.map((group) => (
          <Group
            key={JSON.stringify([group.model, group.strategy, group.kind])}
            group={group}
            report={report.data}
          />
        ))}
      </div>
    </>
  );
}

function Group({ group, report }: { group: CalibrationGroup; report: CalibrationReport }) {
  const { model, strategy, kind, outcomes, right, interval, k, prices, by_check: byCheck } = group;
  const name = `${model}, ${strategy}, ${kind === null ? "all prompts" : `answers of the kind ${kind}`}`;
  const price = prices.find((each) => each.k === k);
  return (
    <section className="card" aria-label={name}>
      <h2>
        <bdi>{model}</bdi> <small className="muted">{kind === null ? "all kinds of answers" : kind}</small>
      </h2>
      <p className="muted">{strategy}</p>
      <p>
        Right in {formatPercent(right)} of {plural(outcomes, "outcome")}{" "}
        <span className="muted">
          (95% interval {formatPercent(interval[0]!)} to {formatPercent(interval[1]!)}
          {byCheck > 0 && `; ${plural(byCheck, "outcome")} by checks`})
        </span>
      </p>
      <Advice group={group} report={report} price={price} />
      <Plot group={group} name={name} />
      {prices.length > 0 && <Prices group={group} name={name} />}
    </section>
  );
}

function Advice({
  group: { outcomes, k, p },
  report: { target, needed },
  price,
}: {
  group: CalibrationGroup;
  report: CalibrationReport;
  price: CalibrationGroup["prices"][number] | undefined;
}) {
  if (p === null)
    return <p className="muted">{plural(needed - outcomes, "more verdict")} until its votes are measured.</p>;
  if (k === null || !price)
    return (
      <p className="warning">
        No k up to 10 is right in {formatPercent(target)}: votes repeat each other's mistakes. Use another
        model, a panel of several, or a check.
      </p>
    );
  return (
    <p>
      <strong>Use k = {k}</strong>: right in {formatPercent(price.right)}, about{" "}
      {plural(round(price.votes), "vote")}, {formatMoney(price.cost_usd, null)} per answer.
    </p>
  );
}

/** Stated against true: on the line they are equal. The table below has the same in numbers. */
function Plot({ group, name }: { group: CalibrationGroup; name: string }) {
  const stated = group.confidence.reduce((sum, bin) => sum + bin.outcomes, 0);
  const isStated = stated >= MIN_STATED;
  const bins = isStated ? group.confidence : group.agreement;
  const what = isStated
    ? "stated confidence"
    : `agreement of the votes (${plural(stated, "run")} stated a confidence so far)`;
  const y = (share: number) => PLOT - share * PLOT;
  return (
    <figure className="calibration-plot">
      <svg
        viewBox={`-36 -14 ${PLOT + 50} ${PLOT + 34}`}
        width={PLOT + 50}
        height={PLOT + 34}
        role="img"
        aria-label={`${name}: ${what} against truth`}
      >
        <rect x={0} y={0} width={PLOT} height={PLOT} className="plot-frame" />
        {[0, 0.5, 1].map((share) => (
          <g key={share}>
            <text
              x={share * PLOT}
              y={PLOT + 15}
              textAnchor={share === 1 ? "end" : share === 0 ? "start" : "middle"}
            >
              {formatPercent(share)}
            </text>
            <text x={-5} y={y(share) + 4} textAnchor="end">
              {formatPercent(share)}
            </text>
          </g>
        ))}
        <line x1={0} y1={PLOT} x2={PLOT} y2={0} className="plot-ideal" />
        {bins.map(({ stated, right, interval, outcomes }) => (
          <g key={stated}>
            <line
              x1={stated * PLOT}
              x2={stated * PLOT}
              y1={y(interval[0]!)}
              y2={y(interval[1]!)}
              className="plot-interval"
            />
            <circle
              cx={stated * PLOT}
              cy={y(right)}
              r={Math.min(10, 3 + Math.sqrt(outcomes))}
              className="plot-point"
            />
          </g>
        ))}
      </svg>
      <figcaption className="muted">
        Across: {what}. Up: share that was right. Below the line: too sure.
        <ul>
          {bins.map(({ from, to, outcomes, stated, right }) => (
            <li key={from}>
              {formatPercent(from)} to {formatPercent(to)}: stated {formatPercent(stated)}, right{" "}
              {formatPercent(right)} of {formatNumber(outcomes)}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}

function Prices({ group: { prices, k }, name }: { group: CalibrationGroup; name: string }) {
  return (
    <details>
      <summary>Every k and its price</summary>
      <ScrollTable
        label={`Every k, ${name}`}
        columns={["k", "Right", "Votes", "Cost"]}
        numeric={["Right", "Votes", "Cost"]}
      >
        {prices.map((price) => (
          <tr key={price.k} aria-current={price.k === k ? "true" : undefined}>
            <th scope="row">{price.k}</th>
            <td className="number">{formatPercentColumn(price.right)}</td>
            <td className="number">{price.votes.toFixed(1)}</td>
            <td className="number">{formatMoney(price.cost_usd, null, true)}</td>
          </tr>
        ))}
      </ScrollTable>
    </details>
  );
}

const round = (value: number) => Math.round(value * 10) / 10;
