import type { ModelResponse, Run, RunPage, RunSummary } from "@mci-ts/council-server/api";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { getJson } from "../../api/http.ts";
import { diffWords } from "../../parts/diff/diff.ts";
import { formatDuration, formatMoney, formatPercent, formatTime, plural, words } from "../../parts/format.ts";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { useRunFeed } from "../use-run-feed.ts";

const PAGE = 50;

/** What an agent did, step by step: each action with its votes, the arguments that differed, and what was discarded. */
export function SessionScreen({ id }: { id: string }) {
  useTitle("Agent");
  const steps = useInfiniteQuery({
    queryKey: ["session", id],
    initialPageParam: "",
    queryFn: ({ pageParam, signal }) => getJson<RunPage>(`runs?${toQuery(id, pageParam)}`, { signal }),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
  useRunFeed(
    (run) => run.session === id && void steps.refetch(),
    () => void steps.refetch(),
  );
  const rows = steps.data?.pages.flatMap((page) => page.runs) ?? [];
  const total = steps.data?.pages[0]?.total ?? rows.length;
  return (
    <>
      <h1>
        An agent, step by step <small className="muted">{plural(total, "step")}</small>
      </h1>
      <p className="muted">
        Session <code>{id}</code>
        {rows.length > 0 && `. Cost of the steps shown: ${formatMoney(sum(rows), null)}`}
      </p>
      {steps.isError && <ErrorPanel error={steps.error} retry={() => steps.refetch()} />}
      {steps.isPending && <StatePanel kind="loading" title="Loading…" />}
      {steps.isSuccess && rows.length === 0 && (
        <StatePanel kind="empty" title="There are no steps of this session." />
      )}
      <ol className="trajectory">
        {rows.map((run, index) => (
          <li key={run.id}>
            <Step run={run} number={index + 1} />
          </li>
        ))}
      </ol>
      {steps.hasNextPage && (
        <button type="button" disabled={steps.isFetchingNextPage} onClick={() => steps.fetchNextPage()}>
          More steps
        </button>
      )}
    </>
  );
}

const toQuery = (session: string, cursor: string) =>
  new URLSearchParams([
    ["session", session],
    ["sort", "oldest"],
    ["limit", String(PAGE)],
    ...(cursor === "" ? [["total", "true"]] : [["cursor", cursor]]),
  ]).toString();

const sum = (rows: readonly RunSummary[]) =>
  rows.some(({ cost_usd }) => cost_usd === null)
    ? null
    : rows.reduce((all, { cost_usd }) => all + cost_usd!, 0);

function Step({ run, number }: { run: RunSummary; number: number }) {
  const [isOpen, setIsOpen] = useState(false);
  const { answer, status, started_at, ended_at, calls, cost_usd, cost_source } = run;
  return (
    <details className="card" open={isOpen} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>
        <span className="call-number">{number}</span>{" "}
        <bdi className="step-answer">{answer?.slice(0, 200) ?? WITHOUT_ACTION[status]}</bdi>{" "}
        <span className={`badge ${status}`}>{words(status)}</span>{" "}
        <span className="muted">
          {[
            formatTime(started_at),
            ...(ended_at === null ? [] : [formatDuration(Date.parse(ended_at) - Date.parse(started_at))]),
            ...(calls === null ? [] : [plural(calls, "call")]),
            formatMoney(cost_usd, cost_source),
          ].join(" · ")}
        </span>
      </summary>
      {isOpen && <StepDetail id={run.id} />}
    </details>
  );
}

/** What a step was that ended without an action. */
const WITHOUT_ACTION: Readonly<Record<RunSummary["status"], string>> = {
  complete: "A reply to the user",
  partial: "A reply to the user",
  degraded: "A reply to the user",
  running: "Not decided yet",
  failed: "Nothing was decided",
  cancelled: "Cancelled before anything was decided",
  interrupted: "Nothing was decided: the service ended in the middle of this step",
};

/** The race of one step, read when it is opened. */
function StepDetail({ id }: { id: string }) {
  const { data: run, error } = useQuery({
    queryKey: ["run", id],
    queryFn: () => getJson<Run>(`runs/${encodeURIComponent(id)}`),
    retry: false,
  });
  if (error) return <ErrorPanel error={error} />;
  if (!run) return <StatePanel kind="loading" title="Loading…" />;
  const metadata = run.response && "metadata" in run.response ? run.response.metadata : undefined;
  const discarded = run.samples.filter(({ red_flag }) => red_flag !== null);
  return (
    <div className="session-step">
      {run.response && "error" in run.response && <p className="error-text">{run.response.error.message}</p>}
      {metadata?.action && (
        <p>
          Decided by {HOW[metadata.action.decided] ?? metadata.action.decided}
          {metadata.action.agreement !== null &&
            `, its free text agrees to ${formatPercent(metadata.action.agreement)}`}
          {metadata.action.read_only && ", read-only"}.
        </p>
      )}
      {metadata?.voting && <ActionRace voting={metadata.voting} />}
      {discarded.length > 0 && (
        <>
          <h2>Discarded</h2>
          <ul>
            {discarded.map(({ call, model, red_flag }) => (
              <li key={call}>
                Call {call}, {model}: {words(red_flag!)}
              </li>
            ))}
          </ul>
        </>
      )}
      <a className="button" href={`#/runs/${encodeURIComponent(id)}`}>
        Replay this step, and open its calls
      </a>
    </div>
  );
}

const HOW: Readonly<Record<string, string>> = {
  vote: "a vote",
  similarity: "a vote, its words by similarity",
  single: "a single call, without a vote",
  leader: "most votes, though undecided",
  ask: "asking the user: undecided",
};

/** The actions that were voted for; where two differ only in parts of their arguments, those parts are marked. */
function ActionRace({ voting }: { voting: NonNullable<ModelResponse["metadata"]["voting"]> }) {
  const { clusters, k } = voting;
  const most = Math.max(1, ...clusters.map(({ votes }) => votes));
  const [leader] = clusters;
  return (
    <>
      <h2>
        Votes <small className="muted">one must be {k} ahead</small>
      </h2>
      <ol className="lanes">
        {clusters.map(({ answer, votes, members }, index) => (
          <li key={answer} className={`lane ${index === 0 && voting.converged ? "won" : ""}`}>
            <div className="lane-label">
              <bdi className="lane-answer diff">
                {index === 0 ? answer : <Differing before={leader!.answer} after={answer} />}
              </bdi>
              <span className="lane-votes">{plural(votes, "vote")}</span>
            </div>
            <div className="track" aria-hidden="true">
              <span className="bar" style={{ width: `${(votes / most) * 100}%` }} />
            </div>
            {members.length > 1 && (
              <details>
                <summary>{plural(members.length, "wording")}</summary>
                <ul>
                  {members.map(({ text, count }) => (
                    <li key={text}>
                      <bdi>{text}</bdi> <span className="muted">{count} times</span>
                    </li>
                  ))}
                </ul>
              </details>
            )}
          </li>
        ))}
      </ol>
    </>
  );
}

function Differing({ before, after }: { before: string; after: string }) {
  return diffWords(spaced(before), spaced(after)).flatMap(({ kind, text }, index) =>
    kind === "removed"
      ? []
      : [kind === "added" ? <ins key={index}>{text}</ins> : <span key={index}>{text}</span>],
  );
}

/** Arguments are compact JSON: words of them are what stands between its signs. */
const spaced = (text: string) => text.replaceAll(/([,:{(])(?=\S)/g, "$1 ");
