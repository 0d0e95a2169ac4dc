import { words } from "../../parts/format.ts";
import { Markdown } from "../../parts/markdown/markdown.tsx";
import { ShortAnswer } from "./answer.tsx";
import { useLabel } from "./run-context.ts";
import type { Call, RunState } from "./run-state.ts";

interface Card {
  readonly seat: number;
  readonly model: string;
  readonly answer?: unknown;
  readonly text?: string | null | undefined;
  readonly error?: string | null | undefined;
  readonly isDone: boolean;
}

/** The seats' proposals side by side, then the judge. */
export function Seats({ run }: { run: RunState }) {
  const label = useLabel();
  const proposals = run.response?.metadata.council?.proposals;
  const cards: readonly Card[] = proposals
    ? proposals.map(({ proposal, ...rest }) => ({ ...rest, text: proposal, isDone: true }))
    : liveCards(run);
  if (cards.length === 0) return null;
  return (
    <section className="card" aria-label={label("The seats")}>
      <h2>The seats</h2>
      <div className="seats">
        {cards.map(({ seat, model, answer, text, error, isDone }) => (
          <article key={seat} className={`seat ${error ? "failed" : isDone ? "done" : "working"}`}>
            <h3>
              Seat {seat} <small className="muted">{model}</small>
            </h3>
            {answer != null && answer !== text && (
              <p className="seat-answer">
                <ShortAnswer answer={answer} />
              </p>
            )}
            {error ? (
              <p className="error-text">{error}</p>
            ) : text ? (
              <Markdown text={text} />
            ) : (
              <p className="muted">Thinking…</p>
            )}
          </article>
        ))}
      </div>
      {run.judge && (
        <p className="judge" role="status">
          Judge <strong>{run.judge.model}</strong>: {words(run.judge.state)}
          {run.judge.redFlag && <span className="badge discarded">red flag</span>}
        </p>
      )}
    </section>
  );
}

/** Seats while the run goes on: those that are done by their number, then those that still think. */
function liveCards({ calls, seats }: RunState): readonly Card[] {
  const all = [...calls.values()].filter(({ purpose }) => purpose === "seat");
  const done = seats.map(({ seat, call, error }): Card => {
    const made = call === undefined ? undefined : calls.get(call);
    return { seat, model: made?.model ?? "", ...readReply(made?.answer), error, isDone: true };
  });
  const thinking = all.filter((call) => isThinking(call));
  const taken = new Set(done.map(({ seat }) => seat));
  const free = Array.from({ length: all.length + seats.length }, (_, index) => index + 1).filter(
    (seat) => !taken.has(seat),
  );
  const working = thinking.map(({ model }, index) => ({ seat: free[index]!, model, isDone: false }));
  return [...done, ...working].sort((a, b) => a.seat - b.seat);
}

const isThinking = ({ state }: Call) => state === "in_flight" || state === "retrying";

/** A seat's reply while the run goes on: the beginning of its JSON, which may be cut. */
function readReply(reply = ""): { answer: unknown; text: string } {
  try {
    const { answer, proposal } = JSON.parse(reply);
    return { answer, text: typeof proposal === "string" ? proposal : reply };
  } catch {
    return { answer: partialField(reply, "answer"), text: partialField(reply, "proposal") ?? reply };
  }
}

function partialField(reply: string, name: string): string | undefined {
  const [, raw] = new RegExp(`"${name}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`).exec(reply) ?? [];
  if (raw === undefined) return undefined;
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return raw;
  }
}
