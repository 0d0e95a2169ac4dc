export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

const KEY = "mci-console-theme";

/** Light, dark, or as the system says; remembered by this browser. */
export function theme(): Theme {
  const stored = localStorage.getItem(KEY);
  return THEMES.find((each) => each === stored) ?? "system";
}

export function setTheme(next: Theme): void {
  if (next === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, next);
  applyTheme();
  dispatchEvent(new Event("themechange"));
}

/** Called before anything is drawn, and when another tab has changed it. */
export function applyTheme(): void {
  const chosen = theme();
  if (chosen === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = chosen;
}

export function onThemeChange(listener: () => void): () => void {
  const onStorage = () => {
    applyTheme();
    listener();
  };
  addEventListener("themechange", listener);
  addEventListener("storage", onStorage);
  return () => {
    removeEventListener("themechange", listener);
    removeEventListener("storage", onStorage);
  };
}
