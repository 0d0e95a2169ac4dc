import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { CallRecord } from "../../serve/tools/types.ts";
import { followEvents } from "../api/events.ts";

/** Follows the tools API: calls as they start and end, and new tools after the file was loaded again. */
export function useToolEvents(): "open" | "reconnecting" | "connecting" {
  const queries = useQueryClient();
  const [state, setState] = useState<"open" | "reconnecting" | "connecting">("connecting");
  useEffect(() => {
    const controller = new AbortController();
    // Applied once per frame: a busy server sends more than can be drawn.
    let changed: CallRecord[] = [];
    let timer = 0;
    const flush = () => {
      timer = 0;
      const records = changed;
      changed = [];
      queries.setQueryData<readonly CallRecord[]>(
        ["calls"],
        (calls) => calls && records.reduce(upsert, calls),
      );
    };
    const refresh = () => {
      for (const key of ["tools", "tool", "file", "variables", "servers"])
        queries.invalidateQueries({ queryKey: [key] });
    };
    let wasCut = false;
    followEvents("api/events", {
      signal: controller.signal,
      isLast: () => false,
      onState: (next) => {
        setState(next);
        // What happened while the stream was cut is not sent again.
        if (next === "open") {
          queries.invalidateQueries({ queryKey: ["calls"] });
          if (wasCut) refresh();
        }
        wasCut = next === "reconnecting";
      },
      onEvent: ({ type, data }) => {
        if (type === "tools") refresh();
        else if (type === "calls") {
          changed.push(JSON.parse(data));
          timer ||= window.setTimeout(flush, FRAME_MS);
        }
      },
    }).catch(() => {});
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [queries]);
  return state;
}

const MAX_CALLS = 500;
const FRAME_MS = 50;

function upsert(calls: readonly CallRecord[], record: CallRecord): readonly CallRecord[] {
  const index = calls.findIndex(({ id }) => id === record.id);
  return index === -1 ? [record, ...calls].slice(0, MAX_CALLS) : calls.with(index, record);
}
