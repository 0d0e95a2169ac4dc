import { autocompletion, closeBrackets, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { json } from "@codemirror/lang-json";
import { yaml } from "@codemirror/lang-yaml";
import { bracketMatching, HighlightStyle, indentOnInput, syntaxHighlighting } from "@codemirror/language";
import { type Diagnostic, lintGutter, lintKeymap, setDiagnostics } from "@codemirror/lint";
import { EditorState, type Text } from "@codemirror/state";
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

export interface EditorHandle {
  goTo(line: number, column: number): void;
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
          autocompletion({ override: [completeFromSchema(language)] }),
          EditorState.readOnly.of(readOnly),
          EditorView.contentAttributes.of({ "aria-label": "The file", tabindex: "0" }),
          EditorView.lineWrapping,
          keymap.of([
            { key: "Mod-s", preventDefault: true, run: () => (callbacks.current.onSave(), true) },
            ...completionKeymap,
            ...lintKeymap,
            ...historyKeymap,
            ...defaultKeymap,
            // Escape, then Tab, leaves the editor.
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
  }));
  return <div className="editor" ref={host} />;
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
  "&": { color: "var(--text)", fontSize: "0.88rem", height: "60vh" },
  ".cm-scroller": { fontFamily: "var(--mono)", overflow: "auto" },
  ".cm-gutters": { background: "var(--sunken)", color: "var(--muted)", border: "0" },
  ".cm-activeLine": { background: "transparent" },
  ".cm-content": { caretColor: "var(--text)" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-tooltip": { background: "var(--surface)", color: "var(--text)", border: "1px solid var(--line)" },
  ".cm-tooltip-autocomplete ul li[aria-selected]": { background: "var(--accent)", color: "var(--surface)" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "-2px" },
});
