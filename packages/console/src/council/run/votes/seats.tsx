import { useState } from "react";
import { formatPercent, plural, words } from "../../../parts/format.ts";
import { Markdown } from "../../../parts/markdown/markdown.tsx";
import { ShortAnswer } from "../result/answer.tsx";
import { useLabel } from "../run-context.ts";
import type { Call, RunState } from "../run-state.ts";
import { normal } from "./recorded-votes.ts";

interface Card {
  readonly seat: number;
  readonly model: string;
  readonly answer?: unknown;
  readonly text?: string | null | undefined;
  readonly error?: string | null | undefined;
  readonly isDone: boolean;
}

/** Up to this many proposals are open at once; more are folded. */
const MAX_OPEN = 6;

/** The seats' proposals, those with the same answer together, then the judge. */
export function Seats({ run }: { run: RunState }) {
  const label = useLabel();
  const proposals = run.response?.metadata.council?.proposals;
  const cards: readonly Card[] = proposals
    ? proposals.map(({ proposal, ...rest }) => ({ ...rest, text: proposal, isDone: true }))
    : liveCards(run);
  if (cards.length === 0) return null;
  const groups = groupsOf(cards);
  const isGrouped = groups.length < cards.length;
  return (
    <section className="card" aria-label={label("The seats")}>
      <h2>
        The seats{" "}
        <span className="muted">
          {plural(cards.length, "seat")}
          {isGrouped && `, ${plural(groups.length, "answer")}`}
        </span>
      </h2>
      {isGrouped ? (
        groups.map((group) => (
          <Group {...group} key={group.key} all={cards.length} isOpen={cards.length <= MAX_OPEN} />
        ))
      ) : (
        <div className="seats">
          {cards.map((card) => (
            <SeatCard key={card.seat} card={card} isOpen={cards.length <= MAX_OPEN} />
          ))}
        </div>
      )}
      {run.judge && (
        <p className="judge" role="status">
          Judge <strong>{run.judge.model}</strong>: {words(run.judge.state)}
          {run.judge.redFlag && <span className="badge discarded">red flag</span>}
        </p>
      )}
    </section>
  );
}

interface SeatGroup {
  readonly key: string;
  readonly cards: readonly Card[];
}

/** Seats with the same answer, the largest group first; without an answer each stands alone. */
function groupsOf(cards: readonly Card[]): readonly SeatGroup[] {
  const keyOf = ({ seat, answer, error }: Card) => {
    if (error) return "failed";
    if (answer === null || answer === undefined) return `seat ${seat}`;
    return `answer ${normal(typeof answer === "string" ? answer : JSON.stringify(answer))}`;
  };
  return [...Map.groupBy(cards, keyOf)]
    .map(([key, members]) => ({ key, cards: members }))
    .toSorted((a, b) => b.cards.length - a.cards.length);
}

function Group({ cards, all, isOpen }: SeatGroup & { readonly all: number; readonly isOpen: boolean }) {
  const [first] = cards;
  const [open, setOpen] = useState(isOpen);
  return (
    <details className="seat-group" open={open} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        <span className="seat-answer">
          {first!.error ? (
            "failed"
          ) : first!.answer != null ? (
            <ShortAnswer answer={first!.answer} />
          ) : (
            `Seat ${first!.seat}`
          )}
        </span>{" "}
        <span className="muted">
          {plural(cards.length, "seat")} of {all}, {formatPercent(cards.length / all)}:{" "}
          {cards.map(({ seat }) => seat).join(", ")}
        </span>
      </summary>
      {open && (
        <div className="seats">
          {cards.map((card) => (
            <SeatCard
              key={card.seat}
              card={card}
              isOpen={isOpen}
              other={differs(card, first!) ? first : undefined}
            />
          ))}
        </div>
      )}
    </details>
  );
}

const differs = (card: Card, first: Card) => card !== first && card.text !== first.text;

function SeatCard({ card, isOpen, other }: { card: Card; isOpen: boolean; other?: Card | undefined }) {
  const { seat, model, answer, text, error, isDone } = card;
  return (
    <article className={`seat ${error ? "failed" : isDone ? "done" : "working"}`}>
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
        <Proposal text={text} isOpen={isOpen} other={other?.text ?? undefined} />
      ) : (
        <p className="muted">Thinking…</p>
      )}
    </article>
  );
}

/** Folded after its beginning where there are many; what another seat of the same answer does not say is marked. */
function Proposal({ text, isOpen, other }: { text: string; isOpen: boolean; other: string | undefined }) {
  const [isWhole, setIsWhole] = useState(false);
  if (isOpen) return <Markdown text={text} />;
  return (
    <details
      className="proposal"
      open={isWhole}
      onToggle={({ currentTarget }) => setIsWhole(currentTarget.open)}
    >
      <summary>
        {isWhole ? (
          <span className="muted">The whole proposal</span>
        ) : (
          `${text.slice(0, 120).replaceAll(/\s+/g, " ")}…`
        )}
      </summary>
      {other === undefined ? <Markdown text={text} /> : <MarkedProposal text={text} other={other} />}
    </details>
  );
}

/** Sentences that the first seat of the group does not have, marked. */
function MarkedProposal({ text, other }: { text: string; other: string }) {
  const known = new Set(sentences(other).map(normal));
  return (
    <p className="marked">
      {sentences(text).map((sentence, index) =>
        known.has(normal(sentence)) ? (
          <span key={index}>{sentence} </span>
        ) : (
          <mark key={index}>{sentence} </mark>
        ),
      )}
    </p>
  );
}

const sentences = (text: string) => text.split(/(?<=[.!?])\s+|\n+/).filter((part) => part.trim() !== "");

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
