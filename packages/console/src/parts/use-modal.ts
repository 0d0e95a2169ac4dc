import { type KeyboardEvent, type SyntheticEvent, useEffect, useRef } from "react";

/** A dialog over the page that is open as long as it is there: its properties, and what closes it. */
export function useModal(onClose: () => void) {
  const ref = useRef<HTMLDialogElement>(null);
  useEffect(() => ref.current?.showModal(), []);
  const close = () => {
    ref.current?.close();
    // Not with the dialog's own event: that comes later, and would close what a quick key has opened again in between.
    onClose();
  };
  const dialog = {
    ref,
    // The browser may close it by itself. React passes on the events of a dialog inside of it.
    onClose: ({ target, currentTarget }: SyntheticEvent) => {
      if (target === currentTarget) onClose();
    },
    onKeyDown: (event: KeyboardEvent<HTMLDialogElement>) => {
      const isOwn = (event.target as Element).closest("dialog") === event.currentTarget;
      if (event.key !== "Escape" || !isOwn) return;
      event.preventDefault();
      close();
    },
  };
  return { dialog, close };
}
