import { formatPercent, words } from "../parts/format.ts";
import { Markdown } from "../parts/markdown.tsx";
import { useLabel } from "./run-name.ts";
import type { RunState } from "./run-state.ts";

/** The seats' proposals side by side, then the judge. */
export function Seats({ run }: { run: RunState }) {
  const label = useLabel();
  const proposals = run.response?.metadata.council?.proposals;
  const confidence = run.response?.metadata.council?.confidence;
  const calls = [...run.calls.values()].filter(
    ({ purpose }) => purpose.startsWith("propos") || purpose === "seat",
  );
  const cards = proposals
    ? proposals.map(({ seat, model, answer, proposal, error }) => ({
        seat,
        model,
        answer,
        text: proposal,
        error,
        done: true,
      }))
    : calls.map((call, index) => {
        const ended = run.seats.find((seat) => seat.call === call.call);
        return {
          seat: ended?.seat ?? index + 1,
          model: call.model,
          ...readReply(call.answer),
          error: call.error ?? call.flag?.reason,
          done: call.endedAt !== undefined,
        };
      });
  if (cards.length === 0) return null;
  return (
    <section className="card" aria-label={label("The seats")}>
      <h2>The seats</h2>
      <div className="seats">
        {cards.map(({ seat, model, answer, text, error, done }, index) => (
          <article key={index} className={`seat ${error ? "failed" : done ? "done" : "working"}`}>
            <h3>
              Seat {seat} <small className="muted">{model}</small>
            </h3>
            {answer && <p className="seat-answer">{answer}</p>}
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
          {confidence !== undefined && <> Confidence from the seats' answers: {formatPercent(confidence)}.</>}
        </p>
      )}
    </section>
  );
}

/** A seat's reply while the run goes on: the beginning of its JSON, which may be cut. */
function readReply(reply = ""): { answer: string | undefined; text: string } {
  const field = (name: string) => {
    const [, raw] = new RegExp(`"${name}"\\s*:\\s*"((?:[^"\\\\]|\\\\.)*)`).exec(reply) ?? [];
    if (raw === undefined) return undefined;
    try {
      return JSON.parse(`"${raw}"`) as string;
    } catch {
      return raw;
    }
  };
  return { answer: field("answer"), text: field("proposal") ?? reply };
}
