import { type ReactNode, useId } from "react";
import { useModal } from "./use-modal.ts";

/** Asks before something that cannot be undone. The focus is on the way back, so that a second Enter does nothing. */
export function ConfirmDialog({
  title,
  action,
  isReady = true,
  children,
  onConfirm,
  onClose,
}: {
  title: string;
  /** What the button says that does it. */
  action: string;
  /** Whether what is asked about is on the screen. Default true. */
  isReady?: boolean;
  children?: ReactNode;
  onConfirm: () => void;
  onClose: () => void;
}) {
  const id = useId();
  const { dialog, close } = useModal(onClose);
  return (
    <dialog {...dialog} className="confirm" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
      <div className="row actions">
        <button type="button" onClick={close}>
          Go back
        </button>
        <button
          type="button"
          className="danger"
          disabled={!isReady}
          onClick={() => {
            close();
            onConfirm();
          }}
        >
          {action}
        </button>
      </div>
    </dialog>
  );
}
