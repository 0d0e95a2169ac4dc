import { useState } from "react";

/** What was typed before something else took its place, until it is put back or given up. */
export function useReplaced<T>(putBack: (value: T) => void) {
  const [before, setBefore] = useState<{ readonly value: T }>();
  return {
    remember: (value: T) => setBefore({ value }),
    notice: before && (
      <p className="muted" role="status">
        What you had typed was replaced.{" "}
        <button
          type="button"
          className="quiet"
          onClick={() => {
            putBack(before.value);
            setBefore(undefined);
          }}
        >
          Put it back
        </button>
      </p>
    ),
  };
}
