import { useState } from "react";
import type { FileState } from "../../../serve/tools/types.ts";
import { DiffView } from "../../parts/diff/diff-view.tsx";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";

/** What a person should know before going on: the file does not load, is gone, or is another by now. */
export function FileNotices({
  base,
  onDisk,
  isMissing,
  isSaved,
  text,
  isStale,
  isRestored,
  error,
  onOpen,
}: {
  base: FileState;
  onDisk: FileState | undefined;
  isMissing: boolean;
  isSaved: boolean;
  /** What was typed. */
  text: string;
  /** Whether the file is another than the one that is edited. */
  isStale: boolean;
  isRestored: boolean;
  /** Why the last save failed. */
  error: unknown;
  /** Opens this, without what was typed. */
  onOpen: (file: FileState) => void;
}) {
  const isChanged = text !== base.text;
  return (
    <>
      {onDisk?.load_error !== undefined && !isMissing && (
        <StatePanel
          kind="error"
          title={
            isSaved && !isChanged
              ? "Saved, but the file cannot be loaded any more"
              : "The file as it is on disk cannot be loaded"
          }
        >
          <p>The tools are those from before, until the file loads again.</p>
          <pre className="plain">{onDisk.load_error}</pre>
        </StatePanel>
      )}
      {isMissing && (
        <StatePanel kind="error" title="The file was removed">
          <p>What is here is what it was. Put it back, or keep a copy of the text.</p>
          <CopyText text={text} />
        </StatePanel>
      )}
      {onDisk && isStale && isChanged && (
        <StatePanel kind="error" title="The file was changed by something else">
          <p>
            Saving would lose that change, so it is refused. Keep a copy of your text, then open the file
            again.
          </p>
          <details>
            <summary>From the file as it is now to your text</summary>
            <DiffView label="From the file as it is now to your text" before={onDisk.text} after={text} />
          </details>
          <div className="row">
            <CopyText text={text} />
            <button type="button" onClick={() => onOpen(onDisk)}>
              Open again, losing what was typed here
            </button>
          </div>
        </StatePanel>
      )}
      {error !== null && <ErrorPanel error={error} />}
      {isRestored && isChanged && (
        <p className="banner warning" role="status">
          These are your edits that were not saved.{" "}
          <button type="button" className="quiet" onClick={() => onOpen(onDisk ?? base)}>
            Discard them
          </button>
        </p>
      )}
    </>
  );
}

function CopyText({ text }: { text: string }) {
  const [outcome, setOutcome] = useState("");
  return (
    <>
      <button
        type="button"
        onClick={() =>
          // Pages over plain http from another machine have no clipboard.
          (navigator.clipboard?.writeText(text) ?? Promise.reject()).then(
            () => setOutcome("Copied."),
            () => setOutcome("The browser refused to copy: select the text in the editor."),
          )
        }
      >
        Copy your text
      </button>
      <span role="status">{outcome}</span>
    </>
  );
}
