import type { Run } from "@mci-ts/council-server/api";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useId, useState } from "react";
import { getJson } from "../../../api/http.ts";
import { plural } from "../../../parts/format.ts";
import { ErrorPanel } from "../../../parts/state-panel.tsx";

/** A person says whether the answer is right: that is what a confidence is measured by. */
export function Verdict({ run, onSaved }: { run: Run; onSaved: () => void }) {
  const id = useId();
  const [isWrong, setIsWrong] = useState(false);
  const [answer, setAnswer] = useState("");
  const save = useMutation({
    mutationFn: (body: { right: boolean; answer?: string }) =>
      getJson<{ outcomes: number }>(`runs/${encodeURIComponent(run.id)}/verdict`, { body }),
    onSuccess: () => {
      setIsWrong(false);
      onSaved();
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = answer.trim();
    save.mutate({ right: false, ...(text === "" ? {} : { answer: text }) });
  };
  const { verdict } = run;
  return (
    <section className="verdict" aria-label="Verdict">
      <div className="row">
        <span>
          {verdict === null
            ? "Is the answer right?"
            : `Marked ${verdict.right ? "right" : "wrong"} by a ${verdict.by === "check" ? "check" : "person"}.`}
        </span>
        <button
          type="button"
          className="quiet"
          aria-pressed={verdict?.right === true}
          disabled={save.isPending}
          onClick={() => save.mutate({ right: true })}
        >
          Right
        </button>
        <button
          type="button"
          className="quiet"
          aria-pressed={verdict?.right === false}
          aria-expanded={isWrong}
          disabled={save.isPending}
          onClick={() => setIsWrong(!isWrong)}
        >
          Wrong
        </button>
        <a href="#/calibration">What verdicts are for</a>
      </div>
      {isWrong && (
        <form className="row" onSubmit={submit}>
          <label htmlFor={id}>The right answer, if it is known</label>
          <input
            id={id}
            className="verdict-answer"
            value={answer}
            maxLength={2000}
            onChange={({ target }) => setAnswer(target.value)}
          />
          <button type="submit" className="primary" disabled={save.isPending}>
            Mark as wrong
          </button>
        </form>
      )}
      {save.data && (
        <p className="muted" role="status">
          Recorded. Such votes have {plural(save.data.outcomes, "verdict")}; a confidence is stated from 20
          on.
        </p>
      )}
      {save.isError && <ErrorPanel error={save.error} />}
    </section>
  );
}
