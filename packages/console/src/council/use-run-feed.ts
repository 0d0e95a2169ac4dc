import type { RunSummary } from "@mci-ts/council-server/api";
import { useEffect, useRef } from "react";
import { followEvents } from "../api/events.ts";

/** Calls back with each run that begins or ends, and after the connection was cut: then something may have been missed. */
export function useRunFeed(onChange: (run: RunSummary) => void, onGap: () => void): void {
  const handlers = useRef({ onChange, onGap });
  handlers.current = { onChange, onGap };
  useEffect(() => {
    const controller = new AbortController();
    let wasCut = false;
    followEvents("runs/events", {
      signal: controller.signal,
      isLast: () => false,
      onState: (state) => {
        if (state === "open" && wasCut) handlers.current.onGap();
        wasCut = state === "reconnecting";
      },
      onEvent: ({ data }) => handlers.current.onChange((JSON.parse(data) as { run: RunSummary }).run),
      // A service that is too busy for one more stream: the list stays as it is until it is opened again.
    }).catch(() => {});
    return () => controller.abort();
  }, []);
}
