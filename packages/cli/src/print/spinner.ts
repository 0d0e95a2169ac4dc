import type { Output } from "../command.ts";
import { escapeControls } from "./escape-controls.ts";
import { style } from "./style.ts";
import { truncate } from "./width.ts";

export interface Spinner {
  /** Changes the text. */
  show(text: string): void;
  /** Takes the line away. */
  stop(): void;
}

const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
/** What is done before this is not worth a flicker. */
const DELAY_MS = 150;
const FRAME_MS = 80;

/** Shows on a terminal that something is going on; elsewhere it prints nothing. */
export function spinner(output: Output): Spinner {
  if (!output.isTTY) return { show() {}, stop() {} };
  let text = "";
  let frame = 0;
  let isVisible = false;
  const started = performance.now();
  const timer = setInterval(() => {
    if (text === "" || performance.now() - started < DELAY_MS) return;
    const mark = style(output, "cyan", FRAMES[frame++ % FRAMES.length] ?? "");
    output.write(`\r\x1b[K${mark} ${truncate(escapeControls(text), output.columns - 3)}`);
    isVisible = true;
  }, FRAME_MS);
  timer.unref();
  return {
    show(next) {
      text = next;
    },
    stop() {
      clearInterval(timer);
      if (isVisible) output.write("\r\x1b[K");
    },
  };
}
