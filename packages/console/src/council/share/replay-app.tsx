import type { Capsule, RunCall } from "@mci-ts/council-server/api";
import { useEffect, useMemo, useState } from "react";
import { formatDate } from "../../parts/format.ts";
import { Replay } from "../run/replay.tsx";
import { RunContext } from "../run/run-context.ts";
import { applyEvents, INITIAL } from "../run/run-state.ts";
import { RunView } from "../run/run-view.tsx";

/** A recorded run without a service: everything comes from the capsule. */
export function ReplayApp({ capsule }: { capsule: Capsule }) {
  const { run, events, calls } = capsule;
  const [position, setPosition] = useState<number>();
  useOpenForPrint();
  const state = useMemo(
    () => applyEvents(INITIAL, position === undefined ? events : events.slice(0, position)),
    [events, position],
  );
  const context = useMemo(() => {
    const schema = run.request?.config?.answer_schema;
    return {
      name: "",
      loadCall: async (number: number): Promise<RunCall> => {
        const found = calls.find(({ call }) => call === number);
        if (!found) throw new Error("This file has no record of the call.");
        return found;
      },
      ...(schema === undefined ? {} : { answerSchema: schema }),
    };
  }, [run, calls]);
  return (
    <RunContext value={context}>
      <main id="main" className="recorded">
        <h1 className="prompt">
          <bdi>{run.prompt}</bdi>
        </h1>
        <p className="muted">
          A recorded run of {formatDate(run.started_at)}, exported {formatDate(capsule.exported_at)}. This
          file loads nothing and sends nothing.
        </p>
        {events.length > 1 && <Replay events={events} position={position} onChange={setPosition} />}
        <RunView run={state} live={false} />
      </main>
    </RunContext>
  );
}

/** On paper nothing can be unfolded. */
function useOpenForPrint(): void {
  useEffect(() => {
    const open = () => {
      for (const details of document.querySelectorAll("details")) details.open = true;
    };
    addEventListener("beforeprint", open);
    return () => removeEventListener("beforeprint", open);
  }, []);
}
