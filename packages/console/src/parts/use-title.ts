import { useEffect } from "react";

const NAME = "MCI console";
const MAX_CHARS = 80;

/** Names the tab after what it shows. */
export function useTitle(title: string | undefined): void {
  useEffect(() => {
    document.title = title === undefined ? NAME : `${shorten(title, MAX_CHARS)} – ${NAME}`;
    return () => {
      document.title = NAME;
    };
  }, [title]);
}

/** The first line, cut between characters. */
export function shorten(text: string, chars: number): string {
  const [line = ""] = text.trim().split(/[\r\n]+/, 1);
  const all = [...line];
  return all.length > chars || line.length < text.trim().length ? `${all.slice(0, chars).join("")}…` : line;
}
