import type { Context, Output } from "./command.ts";
import { main } from "./main.ts";

/** The only file that touches the process. */

const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const;
let stoppedBy: keyof typeof EXIT_CODES | undefined;

// Not awaited at the top level: commands are loaded while this module must count as loaded.
void main(process.argv.slice(2), createContext()).then((exitCode) => {
  // Set, not process.exit(): output to a pipe may still be on its way.
  process.exitCode = exitCode === 1 && stoppedBy ? EXIT_CODES[stoppedBy] : exitCode;
});

function createContext(): Context {
  // What few commands use is opened when it is used.
  let interrupt: AbortSignal | undefined;
  let error: Output | undefined;
  // The reader may have closed the pipe (mci list | head), which is not an error.
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? 0 : 1));
  return {
    cwd: process.cwd(),
    env: process.env,
    get stdin() {
      return process.stdin;
    },
    stdout: output(process.stdout),
    get stderr() {
      error ??= output(process.stderr);
      return error;
    },
    get signal() {
      interrupt ??= onInterrupt();
      return interrupt;
    },
  };
}

function output(stream: NodeJS.WriteStream): Output {
  const isTTY = stream.isTTY === true;
  return {
    write: (text) => void stream.write(text),
    stream,
    isTTY,
    get columns() {
      return stream.columns || 80;
    },
    colour: usesColour(isTTY, process.env),
  };
}

/** NO_COLOR turns colours off, FORCE_COLOR on (also in pipes); else they are for terminals. */
function usesColour(isTTY: boolean, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTTY && TERM !== "dumb";
}

/** The first Ctrl+C (or SIGTERM) asks the command to stop and clean up; the second does not ask. */
function onInterrupt(): AbortSignal {
  const controller = new AbortController();
  for (const name of ["SIGINT", "SIGTERM"] as const) {
    process.on(name, () => {
      if (stoppedBy) process.exit(EXIT_CODES[name]);
      stoppedBy = name;
      controller.abort(new DOMException(`Stopped by ${name}.`, "AbortError"));
    });
  }
  return controller.signal;
}
