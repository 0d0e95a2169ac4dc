import { spawn } from "node:child_process";

/**
 * Waits for a line. A line means that the process group ended normally. The end of input without one means that the
 * process which held the other end of the pipe is dead: then the process group has three seconds to live, and so have
 * descendants in groups of their own. Those whose parent is gone already cannot be found.
 */
const SCRIPT = `
read -r _ && exit
children() {
  if [ -r /proc/self/stat ]; then
    for stat in /proc/[0-9]*/stat; do
      read -r line <"$stat" || continue
      set -- "$1" \${line##*) }
      if [ "$3" = "$1" ]; then echo "\${line%% *}"; fi
    done
  else
    ps -A -o pid=,ppid= | while read -r pid parent; do
      if [ "$parent" = "$1" ]; then echo "$pid"; fi
    done
  fi
}
tree() { for child in $(children "$1"); do echo "$child"; tree "$child"; done }
sleep 1
members=$(tree "$1")
kill -TERM "-$1"
for pid in $members; do kill -TERM "$pid"; done
sleep 2
members="$members $(tree "$1")"
kill -KILL "-$1"
for pid in $members; do kill -KILL "$pid"; done`;

/**
 * Sees to it that a process group, and children that left it (setsid), do not outlive this process, even if this process is killed without a chance to
 * clean up. A shell of about a megabyte that sleeps in `read`; on Windows the system itself ends children with their
 * parent. Returns a function that stops the watchdog.
 */
export function startWatchdog(pid: number): () => void {
  if (process.platform === "win32") return () => {};
  const watchdog = spawn("/bin/sh", ["-c", SCRIPT, "mci-watchdog", String(pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: "/usr/bin:/bin" },
    // In a session of its own: an interrupt from the terminal must not end the watchdog before it has done its work.
    detached: true,
  });
  // A system without a shell has no watchdog.
  watchdog.on("error", () => {});
  watchdog.stdin.on("error", () => {});
  watchdog.unref();
  (watchdog.stdin as unknown as { unref?(): void }).unref?.();
  return () => watchdog.stdin.end("\n");
}
