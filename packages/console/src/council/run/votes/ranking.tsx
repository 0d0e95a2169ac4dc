import { formatNumber, formatPercent, plural } from "../../../parts/format.ts";
import { ShortAnswer } from "../result/answer.tsx";
import { useLabel } from "../run-context.ts";
import type { RunState } from "../run-state.ts";

/** What the seats think of each other's proposals, beside what the judge decided. */
export function Ranking({ run }: { run: RunState }) {
  const label = useLabel();
  if (run.rankings.length === 0) return null;
  const council = run.response?.metadata.council;
  const scores = council?.ranking?.scores ?? countBorda(run.rankings);
  const answers = new Map(council?.proposals.map(({ seat, answer }) => [seat, answer]));
  return (
    <section className="card" aria-label={label("Peer ranking")}>
      <h2>Peer ranking</h2>
      <Verdict agrees={council?.ranking?.agrees_with_judge} />
      <ol className="scores">
        {scores.map(({ seat, points, share }) => (
          <li key={seat} className="score">
            <span className="score-seat">
              Seat {seat}
              {answers.get(seat) != null && (
                <span className="muted">
                  {" "}
                  <ShortAnswer answer={answers.get(seat)} />
                </span>
              )}
            </span>
            <span className="score-track" aria-hidden="true">
              <span className="score-bar" style={{ width: `${share * 100}%` }} />
            </span>
            <span className="score-points">
              {plural(points, "point")} <span className="muted">{formatPercent(share)}</span>
            </span>
          </li>
        ))}
      </ol>
      <details>
        <summary>Who ranked how ({plural(run.rankings.length, "seat")})</summary>
        <ul>
          {run.rankings.map(({ seat, order }) => (
            <li key={seat}>
              Seat {seat}: {order.map((each) => `seat ${formatNumber(each)}`).join(", then ")}
            </li>
          ))}
        </ul>
      </details>
      <p className="legend muted">
        Borda count: of the proposals that a seat ranks, the first gets a point for each one below it, the
        last gets none. Seats do not see whose proposal is whose, and do not rank their own.
      </p>
    </section>
  );
}

function Verdict({ agrees }: { agrees: boolean | null | undefined }) {
  if (agrees === undefined) return <p className="muted">The judge decides at the same time.</p>;
  if (agrees === null) return <p className="muted">There is no decision to compare it with.</p>;
  return agrees ? (
    <p>
      <span className="badge complete">agreement</span> The judge decided for the answer that the seats rank
      first.
    </p>
  ) : (
    <p className="warning">
      <span className="badge partial">disagreement</span> The judge decided for another answer than the one
      that the seats rank first.
    </p>
  );
}

interface Score {
  readonly seat: number;
  readonly points: number;
  /** The part of the points that the seat could have got. */
  readonly share: number;
}

/** The same count as the service's, over the rankings so far. */
export function countBorda(rankings: RunState["rankings"]): Score[] {
  const sums = new Map<number, { points: number; possible: number }>();
  for (const { order } of rankings) {
    for (const [index, seat] of order.entries()) {
      const { points, possible } = sums.get(seat) ?? { points: 0, possible: 0 };
      const most = order.length - 1;
      sums.set(seat, { points: points + most - index, possible: possible + most });
    }
  }
  return [...sums]
    .map(([seat, { points, possible }]) => ({ seat, points, share: possible === 0 ? 0 : points / possible }))
    .sort((a, b) => b.share - a.share || a.seat - b.seat);
}
