import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import type { FileState } from "../../../serve/tools/types.ts";
import { getJson } from "../../api/http.ts";
import { DiffView } from "../../parts/diff/diff-view.tsx";
import { replaceQuery, useLocation } from "../../router.ts";
import { readDraft, writeDraft } from "./draft.ts";
import { Editor, type EditorHandle } from "./editor.tsx";
import { FileNotices } from "./file-notices.tsx";
import { type Definition, outlineOf } from "./outline.ts";
import { Problems, useProblems } from "./problems.tsx";
import { TryPanel } from "./try-panel.tsx";

/** The text, what is wrong with it and what was changed, and beside it one of its tools. */
export function FileEditor({
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
  const [isDiffOpen, setIsDiffOpen] = useState(false);
  // What the editor holds now, which may not be rendered yet when the save key follows a keystroke.
  const typed = useRef(text);
  const editor = useRef<EditorHandle>(null);
  const problems = useProblems(text, base.writable);
  const queries = useQueryClient();
  const isChanged = text !== base.text;
  const edited = isRestored && draft ? draft.version : base.version;
  const isStale = onDisk !== undefined && onDisk.version !== edited;
  const language = /\.ya?ml$/i.test(base.path) ? "yaml" : "json";
  const later = useDeferredValue(text);
  const outline = useMemo(() => outlineOf(later, language), [later, language]);
  const { query } = useLocation();
  const tool = query.get("tool");
  const wanted = useJump(outline, editor);
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
      setIsDiffOpen(false);
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
  const reopen = (file: FileState) => {
    writeDraft(base.path, undefined);
    onOpen(file);
  };
  const status = !base.writable
    ? "Read-only"
    : save.isPending
      ? "Saving…"
      : isChanged
        ? "Not saved"
        : isSaved
          ? base.load_error === undefined
            ? "Saved"
            : "Saved; it does not load"
          : "";
  return (
    <>
      <div className="row spread file-head">
        <h1 className="tool-title">
          <bdi>{base.path.split(/[\\/]/).at(-1)}</bdi>
        </h1>
        <div className="row">
          <span role="status" className="muted">
            {status}
          </span>
          {base.writable && (
            <>
              <button
                type="button"
                disabled={!isChanged}
                aria-expanded={isDiffOpen && isChanged}
                onClick={() => setIsDiffOpen(!isDiffOpen)}
              >
                Changes
              </button>
              <button
                type="button"
                className="primary"
                title="Ctrl+S"
                disabled={!isChanged || save.isPending}
                onClick={saveNow}
              >
                Save
              </button>
            </>
          )}
        </div>
      </div>
      <FileNotices
        base={base}
        onDisk={onDisk}
        isMissing={isMissing}
        isSaved={isSaved}
        text={text}
        isStale={isStale}
        isRestored={isRestored}
        error={save.error}
        onOpen={reopen}
      />
      {wanted !== undefined && (
        <p className="banner warning" role="status">
          The file does not define {wanted}. It may come from elsewhere, or have another name in this text.
        </p>
      )}
      {isDiffOpen && isChanged && (
        <section className="card" aria-label="Changes">
          <h2>What saving would change</h2>
          <DiffView label="Changes that are not saved" before={base.text} after={text} />
        </section>
      )}
      <div className={tool === null ? "" : "file-split"}>
        <div className="file-text">
          <div className="row editor-bar">
            <label className="grow">
              <span className="visually-hidden">Tool beside the file</span>
              <select
                value={tool ?? ""}
                onChange={({ target }) => replaceQuery({ tool: target.value, server: "", toolset: "" })}
              >
                <option value="">
                  {tool === null ? "Try a tool beside the file…" : "No tool beside it"}
                </option>
                {tool !== null && !outline.some((each) => isNamed(each, "tool", tool)) && (
                  <option>{tool}</option>
                )}
                {outline.flatMap(({ kind, name, at }) =>
                  kind === "tool" ? [<option key={at}>{name}</option>] : [],
                )}
              </select>
            </label>
            <button type="button" className="quiet" title="Ctrl+F" onClick={() => editor.current?.find()}>
              Find
            </button>
            <button type="button" className="quiet" onClick={() => editor.current?.foldAll()}>
              Fold all
            </button>
            <button type="button" className="quiet" onClick={() => editor.current?.unfoldAll()}>
              Unfold all
            </button>
          </div>
          <Editor
            ref={editor}
            text={text}
            language={language}
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
        </div>
        {tool !== null && (
          <TryPanel
            key={tool}
            name={tool}
            file={base.path}
            text={base.writable ? text : undefined}
            isChanged={isChanged}
          />
        )}
      </div>
    </>
  );
}

const isNamed = (each: Definition, kind: string, name: string) => each.kind === kind && each.name === name;

/** `?tool=greet`, `?toolset=…` and `?server=…` lead to a definition, once. What is not there is returned, in words. */
function useJump(
  outline: readonly Definition[],
  editor: React.RefObject<EditorHandle | null>,
): string | undefined {
  const { query } = useLocation();
  const [kind, name] = ["tool", "toolset", "server"]
    .map((each) => [each, query.get(each)] as const)
    .find(([, value]) => value !== null) ?? ["tool", null];
  const found = name === null ? undefined : outline.find((each) => isNamed(each, kind, name));
  const target = useRef<string>(undefined);
  useEffect(() => {
    const place = `${kind} ${name}`;
    if (target.current === place || (found === undefined && name !== null)) return;
    target.current = place;
    if (found) editor.current?.show(found.at);
  }, [kind, name, found]);
  return name !== null && found === undefined ? `the ${kind} “${name}”` : undefined;
}
