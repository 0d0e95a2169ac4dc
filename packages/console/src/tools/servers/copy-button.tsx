import { useState } from "react";

/** Copies a text; where the browser refuses, it says so. */
export function CopyButton({
  what,
  text,
}: {
  what: string;
  /** Called when it is wanted: it may be long. */
  text: () => string;
}) {
  const [outcome, setOutcome] = useState("");
  const copy = () =>
    // Pages over plain http from another machine have no clipboard.
    (navigator.clipboard?.writeText(text()) ?? Promise.reject()).then(
      () => setOutcome("Copied."),
      () => setOutcome("The browser refused to copy: select it by hand."),
    );
  return (
    <span>
      <button type="button" className="quiet" aria-label={`Copy the ${what}`} onClick={copy}>
        Copy
      </button>{" "}
      <span role="status" className="muted">
        {outcome}
      </span>
    </span>
  );
}
