import { type ReactNode, useEffect, useRef } from "react";

/** What happens elsewhere closes the menu. */
const OUTSIDE = ["pointerdown", "focusin"] as const;

/** A button that opens a list of actions below it. Escape, or anything elsewhere, closes it. */
export function Menu({ label, children }: { label: string; children: ReactNode }) {
  const menu = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = ({ target }: Event) => {
      if (menu.current && !menu.current.contains(target as Node)) menu.current.open = false;
    };
    for (const name of OUTSIDE) addEventListener(name, close);
    return () => {
      for (const name of OUTSIDE) removeEventListener(name, close);
    };
  }, []);
  return (
    <details
      className="menu"
      ref={menu}
      onKeyDown={({ key, currentTarget }) => {
        if (key !== "Escape" || !currentTarget.open) return;
        currentTarget.open = false;
        currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary className="button">{label}</summary>
      <div className="menu-items card">{children}</div>
    </details>
  );
}
