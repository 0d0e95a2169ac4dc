// Starts a command that would run for minutes, and ends while it runs: by process.exit, or by a signal from outside.
import { runProcess } from "../../src/execute/cli/process.ts";

const [pidFile, how] = process.argv.slice(2) as [string, string];
const script = `sleep 300 & echo $! >> "$0"; echo $$ >> "$0"; trap "" TERM; wait; wait; sleep 300`;
/** Leaves a child in a session of its own, and stays. */
const detaching = `
  const child = require("child_process").spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
  child.once("spawn", () => require("fs").writeFileSync(process.argv[1], child.pid + "\\n" + process.pid));
  setInterval(() => {}, 1000);`;
if (how === "exit") process.stdin.once("data", () => process.exit(7));
if (how === "handled") process.on("SIGTERM", () => setTimeout(() => process.exit(8), 200));
void runProcess({
  ...(how === "setsid"
    ? { command: process.execPath, args: ["-e", detaching, pidFile] }
    : { command: "sh", args: ["-c", script, pidFile] }),
  cwd: "/",
  env: { PATH: process.env["PATH"] ?? "" },
  timeoutMs: 60_000,
  signal: new AbortController().signal,
  maxOutputBytes: 1000,
});
