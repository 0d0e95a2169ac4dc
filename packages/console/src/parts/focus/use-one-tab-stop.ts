import { type FocusEvent, type KeyboardEvent, useState } from "react";

/** A group of buttons as one stop of the Tab key: arrow keys, Home and End move inside of it. */
export function useOneTabStop(count: number) {
  const [stop, setStop] = useState(0);
  return {
    /** Properties of the group, whose role is `toolbar`. */
    group: {
      onKeyDown: moveFocus,
      onFocus: ({ currentTarget, target }: FocusEvent<HTMLElement>) =>
        setStop(Math.max(0, buttonsOf(currentTarget).indexOf(target as HTMLElement))),
    },
    tabIndexOf: (index: number) => (index === Math.min(stop, count - 1) ? 0 : -1),
  } as const;
}

function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const buttons = buttonsOf(event.currentTarget);
  const at = buttons.indexOf(event.target as HTMLElement);
  const targets: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowUp: at - 1,
    ArrowRight: at + 1,
    ArrowDown: at + 1,
    Home: 0,
    End: buttons.length - 1,
  };
  const next = buttons[targets[event.key] ?? -1];
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

const buttonsOf = (group: HTMLElement) => [...group.querySelectorAll<HTMLElement>("button")];
