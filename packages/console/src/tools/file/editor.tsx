import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import {
  bracketMatching,
  foldKeymap,
  HighlightStyle,
  indentOnInput,
  syntaxHighlighting,
  unfoldAll,
} from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { highlightSelectionMatches, openSearchPanel, search, searchKeymap } from "@codemirror/search";
import { EditorState, Prec, type Text } from "@codemirror/state";
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightSpecialChars,
  keymap,
  lineNumbers,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { type Ref, useEffect, useImperativeHandle, useRef } from "react";
import type { Problem } from "../../../serve/tools/types.ts";
import { completeFromSchema } from "./complete.ts";
import { FOLDING, foldDefinitions } from "./folding.ts";

export interface EditorHandle {
  goTo(line: number, column: number): void;
  /** Selects the line at this offset and shows it at the top. */
  show(offset: number): void;
  find(): void;
  /** Each tool, toolset and server. */
  foldAll(): void;
  unfoldAll(): void;
}

interface EditorProps {
  readonly ref?: Ref<EditorHandle>;
  /** What it starts with. */
  readonly text: string;
  readonly language: "json" | "yaml";
  readonly readOnly: boolean;
  readonly problems: readonly Problem[];
  readonly onChange: (text: string) => void;
  readonly onSave: () => void;
}

/**
 * CodeMirror, in a shadow root: there its styles are style sheet objects, while in the document they would be inline
 * styles, which the page's Content-Security-Policy refuses.
 */
export function Editor({ ref, text, language, readOnly, problems, onChange, onSave }: EditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(undefined);
  const callbacks = useRef({ onChange, onSave });
  callbacks.current = { onChange, onSave };
  const start = useRef(text);

  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: "open" });
    const editor = new EditorView({
      root,
      parent: root as unknown as Element,
      state: EditorState.create({
        doc: start.current,
        extensions: [
          lineNumbers(),
          FOLDING,
          search({ top: true }),
          highlightSelectionMatches(),
          history(),
          drawSelection(),
          highlightSpecialChars(),
          highlightActiveLine(),
          indentOnInput(),
          bracketMatching(),
          closeBrackets(),
          language === "json" ? json() : yaml(),
          syntaxHighlighting(COLOURS),
          lintGutter(),
          // Before the completions, which keep an Escape that closes their list to themselves.
          Prec.highest(keymap.of([{ key: "Escape", run: leaveWithTab }])),
          autocompletion({ override: [completeFromSchema(language)] }),
          EditorState.readOnly.of(readOnly),
          EditorView.contentAttributes.of({
            "aria-label": "The file",
            "aria-description": "Tab indents. Escape, then Tab leaves the editor.",
            tabindex: "0",
          }),
          EditorView.lineWrapping,
          keymap.of([
            { key: "Mod-s", preventDefault: true, run: () => (callbacks.current.onSave(), true) },
            ...searchKeymap,
            ...foldKeymap,
            ...completionKeymap,
            ...lintKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            indentWithTab,
          ]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) callbacks.current.onChange(update.state.doc.toString());
          }),
          THEME,
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, [language, readOnly]);

  useEffect(() => {
    const editor = view.current!;
    editor.dispatch(
      setDiagnostics(
        editor.state,
        problems.map((each) => diagnostic(editor.state.doc, each)),
      ),
    );
  }, [problems]);

  useImperativeHandle(ref, () => ({
    goTo(line, column) {
      const editor = view.current!;
      const anchor = position(editor.state.doc, line, column);
      editor.dispatch({ selection: { anchor }, scrollIntoView: true });
      editor.focus();
    },
    show(offset) {
      const editor = view.current!;
      const line = editor.state.doc.lineAt(Math.min(offset, editor.state.doc.length));
      editor.dispatch({
        selection: { anchor: line.from + line.text.search(/\S|$/), head: line.to },
        effects: EditorView.scrollIntoView(line.from, { y: "start", yMargin: 24 }),
      });
      editor.focus();
    },
    find: () => openSearchPanel(view.current!),
    foldAll: () => foldDefinitions(view.current!, language),
    unfoldAll: () => unfoldAll(view.current!),
  }));
  return <div className="editor" ref={host} />;
}

/** Time for slow hands; any other key ends it. */
const LEAVE_MS = 10_000;

/** Escape, then Tab or Shift+Tab, leaves the editor. */
function leaveWithTab(view: EditorView): false {
  // After the editor's own answer to Escape, which allows two seconds, and before any other key: Tab changes the text.
  queueMicrotask(() => view.setTabFocusMode(LEAVE_MS));
  return false;
}

function diagnostic(doc: Text, { severity, message, hint, line = 1, column = 1 }: Problem): Diagnostic {
  const from = position(doc, line, column);
  const [word] = /^[\w.$-]+|^"[^"\n]*"|^./.exec(doc.sliceString(from, from + 200)) ?? [""];
  return { from, to: from + word.length, severity, message: hint ? `${message} (${hint})` : message };
}

function position(doc: Text, line: number, column: number): number {
  const { from, to } = doc.line(Math.min(Math.max(1, line), doc.lines));
  return Math.min(from + column - 1, to);
}

/** By the custom properties of the page, so that the editor is light or dark with it. */
const COLOURS = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: "var(--accent)" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--bad)" },
  { tag: tags.comment, color: "var(--muted)" },
]);

const THEME = EditorView.theme({
  "&": { color: "var(--text)", fontSize: "0.88rem", height: "var(--editor-height)" },
  ".cm-scroller": { fontFamily: "var(--mono)", overflow: "auto" },
  ".cm-gutters": { background: "var(--sunken)", color: "var(--muted)", border: "0" },
  ".cm-activeLine": { background: "transparent" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-foldGutter span": { cursor: "pointer", padding: "0 2px" },
  ".cm-foldPlaceholder": {
    background: "var(--accent-soft)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    padding: "0 6px",
  },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "var(--accent-soft)",
  },
  ".cm-selectionMatch": { background: "var(--accent-soft)" },
  ".cm-searchMatch": { background: "var(--warn-soft)", outline: "1px solid var(--line)" },
  ".cm-searchMatch-selected": { background: "var(--accent)", color: "var(--surface)" },
  ".cm-panels": { background: "var(--sunken)", color: "var(--text)", borderBottom: "1px solid var(--line)" },
  ".cm-search": { display: "flex", flexWrap: "wrap", gap: "6px", alignItems: "center", padding: "8px" },
  ".cm-search br": { flexBasis: "100%", content: "''" },
  ".cm-search label": { display: "inline-flex", gap: "4px", alignItems: "center", fontSize: "0.84rem" },
  ".cm-textfield": {
    font: "inherit",
    minHeight: "28px",
    margin: "0",
    padding: "2px 8px",
    color: "var(--text)",
    background: "var(--surface)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
  },
  ".cm-button": {
    font: "inherit",
    fontSize: "0.84rem",
    minHeight: "28px",
    margin: "0",
    padding: "2px 10px",
    color: "var(--text)",
    background: "var(--surface)",
    border: "1px solid var(--line)",
    borderRadius: "6px",
    cursor: "pointer",
  },
  ".cm-search [name=close]": {
    position: "static",
    marginLeft: "auto",
    minWidth: "28px",
    minHeight: "28px",
    font: "inherit",
    color: "var(--text)",
    background: "none",
    border: "0",
    cursor: "pointer",
  },
  ".cm-tooltip": { background: "var(--surface)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent)", color: "var(--surface)" },
  // Its frame in the page shows the focus: the numbers of the lines would cover a part of it here.
  "&.cm-focused": { outline: "none" },
});
