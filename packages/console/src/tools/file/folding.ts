import { codeFolding, foldable, foldEffect, foldGutter } from "@codemirror/language";
import type { EditorState, Extension } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { outlineOf } from "./outline.ts";

/** Folds show the name of what they hide. */
export const FOLDING: Extension = [
  codeFolding({
    preparePlaceholder: (state, { from, to }) => nameIn(state.sliceDoc(from, Math.min(to, from + 2000))),
    placeholderDOM: (_, onclick, name: string) => {
      const element = document.createElement("span");
      element.className = "cm-foldPlaceholder";
      element.textContent = name === "" ? "…" : `${name} …`;
      element.title = "Unfold";
      element.onclick = onclick;
      return element;
    },
  }),
  foldGutter({ openText: "▾", closedText: "▸" }),
];

/** Folds each tool, toolset and server, so that the file is a list of them. */
export function foldDefinitions(view: EditorView, language: "json" | "yaml"): void {
  const effects = outlineOf(view.state.doc.toString(), language).flatMap(({ from }) => {
    const range = foldAt(view.state, from);
    return range ? [foldEffect.of(range)] : [];
  });
  view.dispatch({ effects });
}

function foldAt(state: EditorState, position: number): { from: number; to: number } | null {
  const line = state.doc.lineAt(position);
  return foldable(state, line.from, line.to);
}

function nameIn(text: string): string {
  return /(?:^|[\s{,"])name"?\s*:\s*["']?([^"'\n,}]{1,80})/.exec(text)?.[1]?.trim() ?? "";
}
