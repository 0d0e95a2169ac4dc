import { useEffect, useRef, useState } from "react";

/** What changes many times a second, as one would read it out: the first at once, then the latest every few seconds, and the end at once. */
export function useCalm(text: string, isOver: boolean, everyMs = 5000): string {
  const [said, setSaid] = useState(text);
  const saidAt = useRef(Date.now());
  useEffect(() => {
    if (text === said) return;
    const say = () => {
      saidAt.current = Date.now();
      setSaid(text);
    };
    const wait = isOver ? 0 : saidAt.current + everyMs - Date.now();
    if (wait <= 0) {
      say();
      return;
    }
    const timer = setTimeout(say, wait);
    return () => clearTimeout(timer);
  }, [text, said, isOver, everyMs]);
  return said;
}
