import type { ReactNode } from "react";
import { useStrategies } from "../parts/use-parts.ts";
import { problemOf, type Question } from "./question.ts";

interface OptionsProps {
  readonly question: Question;
  readonly set: (change: Partial<Question>) => void;
}

/** Everything that can be said about how to answer. All of it has a default. */
export function AskOptions({ question, set }: OptionsProps) {
  const text = (field: TextField) => ({
    value: question[field],
    onChange: ({ target }: { target: { value: string } }) => set({ [field]: target.value }),
  });
  const schemaProblem = problemOf(question);
  const intents = useStrategies().flatMap((strategy) => Object.entries(strategy.intents));
  return (
    <div className="fields">
      <Group title="How it is decided">
        <label>
          Method
          <select {...text("intent")}>
            <option value="">Let the prompt decide</option>
            {intents.map(([intent, label]) => (
              <option key={intent} value={intent}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <label>
          Preset
          <input aria-describedby="about-preset" {...text("preset")} list="presets" placeholder="none" />
          <datalist id="presets">
            {["quick", "balanced", "thorough"].map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <small id="about-preset" aria-hidden="true">
            quick, balanced, thorough, or the operator's own
          </small>
        </label>
        <label>
          Lead to win (k)
          <input aria-describedby="about-k" inputMode="numeric" {...text("k")} placeholder="3" />
          <small id="about-k" aria-hidden="true">
            1 to 25, or auto
          </small>
        </label>
        <label>
          Seats
          <input
            aria-describedby="about-seats"
            type="number"
            min={1}
            max={25}
            {...text("voters")}
            placeholder="3"
          />
          <small id="about-seats" aria-hidden="true">
            of a council
          </small>
        </label>
        <label>
          Votes at most
          <input
            aria-describedby="about-votes"
            type="number"
            min={1}
            max={1000}
            {...text("maxSamples")}
            placeholder="8 k + 8"
          />
          <small id="about-votes" aria-hidden="true">
            1 with k = 1: a single call
          </small>
        </label>
        <label>
          If a vote stays undecided
          <input
            aria-describedby="about-escalation"
            {...text("escalate")}
            list="escalations"
            placeholder="nothing"
          />
          <datalist id="escalations">
            {["paraphrase", "second_model", "council", "second_model, council"].map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
          <small id="about-escalation" aria-hidden="true">
            paraphrase, second_model, council: in this order
          </small>
        </label>
        <label>
          Votes differ in
          <select {...text("vary")}>
            {VARIETIES.map(([value, label]) => (
              <option key={value} value={value}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <Check
          label="Cheap first: enough where the first two votes agree, k and more only where they differ"
          isOn={question.cheapFirst}
          set={(cheapFirst) => set({ cheapFirst })}
        />
        <label className="wide">
          Criteria
          <textarea rows={2} {...text("criteria")} placeholder="One per line, the most important first" />
        </label>
        <Check
          label="Seats rank each other's proposals"
          isOn={question.peerRanking}
          set={(peerRanking) => set({ peerRanking })}
        />
      </Group>
      <Group title="Who answers">
        <label>
          Models
          <input aria-describedby="about-models" {...text("models")} placeholder="the service's own" />
          <small id="about-models" aria-hidden="true">
            one, or several separated by commas
          </small>
        </label>
        <label>
          Judge
          <input {...text("judgeModel")} placeholder="the service's own" />
        </label>
        <label>
          Reasoning
          <select {...text("reasoningEffort")}>
            <option value="">the provider's</option>
            {["none", "minimal", "low", "medium", "high"].map((effort) => (
              <option key={effort}>{effort}</option>
            ))}
          </select>
        </label>
      </Group>
      <Group title="Limits">
        <label>
          Calls at most
          <input type="number" min={1} {...text("maxCalls")} placeholder="no limit" />
        </label>
        <label>
          Dollars at most
          <input type="number" min={0} step="any" {...text("maxUsd")} placeholder="no limit" />
        </label>
        <Check
          label="Use the answer of an equal question, if there is one"
          isOn={question.useCache}
          set={(useCache) => set({ useCache })}
        />
      </Group>
      <Group title="Material and form">
        <label className="wide">
          Context
          <textarea rows={4} {...text("context")} placeholder="Code, notes, anything that helps to answer" />
        </label>
        <label className="wide">
          Instructions
          <textarea
            rows={2}
            {...text("instructions")}
            placeholder="How to answer: language, length, audience"
          />
        </label>
        <label className="wide">
          Answer schema
          <textarea
            aria-describedby="about-schema"
            rows={3}
            className="mono"
            spellCheck={false}
            {...text("answerSchema")}
            aria-invalid={schemaProblem !== undefined}
            placeholder='{"type": "object", "properties": {"total": {"type": "number"}}, …}'
          />
          <small id="about-schema" aria-hidden="true">
            JSON Schema: the answer is then an object. Fields with <code>"x-vote": false</code> do not count
            in the vote.
          </small>
          {schemaProblem && <span className="error-text">{schemaProblem}</span>}
        </label>
      </Group>
    </div>
  );
}

const VARIETIES = [
  ["", "wording and options"],
  ["wording", "wording"],
  ["options", "order of options"],
  ["wording,options,role", "wording, options and role"],
  ["none", "nothing: one prompt, sampled again"],
] as const;

type TextField = { [K in keyof Question]: Question[K] extends string ? K : never }[keyof Question];

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="group">
      <legend>{title}</legend>
      {children}
    </fieldset>
  );
}

function Check({ label, isOn, set }: { label: string; isOn: boolean; set: (isOn: boolean) => void }) {
  return (
    <label className="wide check">
      <input type="checkbox" checked={isOn} onChange={({ target }) => set(target.checked)} /> {label}
    </label>
  );
}
