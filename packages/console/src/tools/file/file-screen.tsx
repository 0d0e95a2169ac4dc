import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import type { FileState, Problem, ProblemList } from "../../../serve/tools/types.ts";
import { ApiError, getJson } from "../../api/http.ts";
import { plural } from "../../parts/format.ts";
import { ErrorPanel, StatePanel } from "../../parts/state-panel.tsx";
import { useTitle } from "../../parts/use-title.ts";
import { useToolEvents } from "../use-tool-events.ts";
import { readDraft, writeDraft } from "./draft.ts";
import { Editor, type EditorHandle } from "./editor.tsx";

const VALIDATE_AFTER_MS = 300;

/** The file, with its problems at their lines as one types. Saved only on request. */
export default function FileScreen() {
  useToolEvents();
  useTitle("File");
  const file = useQuery({ queryKey: ["file"], queryFn: () => getJson<FileState>("api/file"), retry: false });
  // The version that is edited; what is on disk may be newer. Each opening gets an editor of its own.
  const [opened, setOpened] = useState<{ base: FileState; revision: number; isSaved: boolean }>();
  useEffect(() => {
    if (file.data && opened === undefined) setOpened({ base: file.data, revision: 0, isSaved: false });
  }, [file.data, opened]);
  if (!opened)
    return (
      <>
        <h1>File</h1>
        {file.isError ? (
          <ErrorPanel error={file.error} retry={() => file.refetch()} />
        ) : (
          <StatePanel kind="loading" title="Loading the file…" />
        )}
      </>
    );
  const isMissing = file.error instanceof ApiError && file.error.code === "file_missing";
  return (
    <FileEditor
      key={opened.revision}
      base={opened.base}
      isSaved={opened.isSaved}
      onDisk={isMissing ? undefined : file.data}
      isMissing={isMissing}
      onOpen={(base) => setOpened({ base, revision: opened.revision + 1, isSaved: false })}
      onSaved={(base) => setOpened({ ...opened, base, isSaved: true })}
    />
  );
}

function FileEditor({
  base,
  isSaved,
  onDisk,
  isMissing,
  onOpen,
  onSaved,
}: {
  base: FileState;
  isSaved: boolean;
  onDisk: FileState | undefined;
  isMissing: boolean;
  onOpen: (file: FileState) => void;
  onSaved: (file: FileState) => void;
}) {
  const [draft] = useState(() => (base.writable ? readDraft(base.path) : undefined));
  const [isRestored, setIsRestored] = useState(draft !== undefined);
  const [text, setText] = useState(draft?.text ?? base.text);
  // What the editor holds now, which may not be rendered yet when the save key follows a keystroke.
  const typed = useRef(text);
  const editor = useRef<EditorHandle>(null);
  const problems = useProblems(text, base.writable);
  const queries = useQueryClient();
  const isChanged = text !== base.text;
  const edited = isRestored && draft ? draft.version : base.version;
  const isStale = onDisk !== undefined && onDisk.version !== edited;
  useEffect(() => {
    if (!isChanged) return;
    // The edits stay for this tab; closing it would lose them.
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, [isChanged]);
  const save = useMutation({
    mutationFn: (text: string) =>
      getJson<FileState>("api/file", { method: "PUT", body: { text, version: edited } }),
    onSuccess: (saved) => {
      if (typed.current === saved.text) writeDraft(base.path, undefined);
      else writeDraft(base.path, { text: typed.current, version: saved.version });
      setIsRestored(false);
      queries.setQueryData(["file"], saved);
      onSaved(saved);
    },
  });
  useEffect(() => {
    // Without edits of one's own there is nothing to lose.
    if (isStale && !isChanged) onOpen(onDisk);
  }, [isStale, isChanged, onDisk, onOpen]);
  const saveNow = () => {
    if (base.writable && typed.current !== base.text && !save.isPending) save.mutate(typed.current);
  };
  return (
    <>
      <div className="row spread">
        <h1 className="tool-title">
          <bdi>{base.path.split(/[\\/]/).at(-1)}</bdi>
        </h1>
        <div className="row">
          <span role="status" className="muted">
            {!base.writable
              ? "Read-only"
              : save.isPending
                ? "Saving…"
                : isChanged
                  ? "Not saved"
                  : isSaved
                    ? base.load_error === undefined
                      ? "Saved"
                      : "Saved; it does not load"
                    : ""}
          </span>
          {base.writable && (
            <button
              type="button"
              className="primary"
              disabled={!isChanged || save.isPending}
              onClick={saveNow}
            >
              Save
            </button>
          )}
        </div>
      </div>
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
        </StatePanel>
      )}
      {isStale && isChanged && (
        <StatePanel kind="error" title="The file was changed by something else">
          <p>
            Saving would lose that change, so it is refused. Keep a copy of your text, then open the file
            again.
          </p>
          <button
            type="button"
            onClick={() => {
              writeDraft(base.path, undefined);
              onOpen(onDisk);
            }}
          >
            Open again, losing what was typed here
          </button>
        </StatePanel>
      )}
      {save.isError && <ErrorPanel error={save.error} />}
      {isRestored && isChanged && (
        <p className="banner warning" role="status">
          These are your edits that were not saved.{" "}
          <button
            type="button"
            className="quiet"
            onClick={() => {
              writeDraft(base.path, undefined);
              onOpen(onDisk ?? base);
            }}
          >
            Discard them
          </button>
        </p>
      )}
      <Editor
        ref={editor}
        text={text}
        language={/\.ya?ml$/i.test(base.path) ? "yaml" : "json"}
        readOnly={!base.writable}
        problems={problems.list.filter(({ file }) => file === undefined || file === base.path)}
        onChange={(changed) => {
          typed.current = changed;
          setText(changed);
          writeDraft(base.path, changed === base.text ? undefined : { text: changed, version: edited });
        }}
        onSave={saveNow}
      />
      <Problems
        state={problems}
        path={base.path}
        onChoose={({ line = 1, column = 1 }) => editor.current?.goTo(line, column)}
      />
    </>
  );
}

interface ProblemState {
  readonly list: readonly Problem[];
  readonly checked: boolean;
  readonly error?: unknown;
}

/** Checks the text a moment after the last key. */
function useProblems(text: string, isWritable: boolean): ProblemState {
  const [state, setState] = useState<ProblemState>({ list: [], checked: false });
  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      getJson<ProblemList>("api/validate", {
        body: isWritable ? { text } : {},
        signal: controller.signal,
      }).then(
        ({ problems }) => setState({ list: problems, checked: true }),
        (error) => {
          if (!controller.signal.aborted) setState({ list: [], checked: true, error });
        },
      );
    }, VALIDATE_AFTER_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [text, isWritable]);
  return state;
}

function Problems({
  state: { list, checked, error },
  path,
  onChoose,
}: {
  state: ProblemState;
  path: string;
  onChoose: (problem: Problem) => void;
}) {
  if (error) return <ErrorPanel error={error} />;
  return (
    <section aria-label="Problems">
      <p role="status" className="muted">
        {!checked ? "Checking…" : list.length === 0 ? "No problems." : plural(list.length, "problem")}
      </p>
      <ul className="problems">
        {list.map((problem, index) => {
          const { severity, message, hint, file, line, column } = problem;
          const elsewhere = file !== undefined && file !== path;
          return (
            <li key={index}>
              <button type="button" disabled={elsewhere} onClick={() => onChoose(problem)}>
                <span className={`badge ${severity === "error" ? "failed" : "partial"}`}>{severity}</span>{" "}
                {elsewhere && <code>{file}</code>} {line !== undefined && `Line ${line}:${column ?? 1} `}
                {message}
                {hint && <span className="muted"> {hint}</span>}
              </button>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
