import { type ChildProcess, spawn } from "node:child_process";

/**
 * Is told which process groups run: `+ 4711`, and `- 4711` once one has ended normally. The end of input means that the process
 * which held the other end of the pipe is gone: then the groups that still run have three seconds to live, and so have
 * descendants in groups of their own. Those whose parent is gone already cannot be found.
 */
const SCRIPT = `
groups=
while read -r sign pid; do
  others=
  for group in $groups; do [ "$group" = "$pid" ] || others="$others $group"; done
  groups=$others
  if [ "$sign" = + ]; then groups="$groups $pid"; fi
done
[ -n "$groups" ] || exit
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
trees() { for group in $groups; do tree "$group"; done }
end() {
  for group in $groups; do kill "$1" "-$group"; done
  for pid in $members; do kill "$1" "$pid"; done
}
sleep 1
members=$(trees)
end -TERM
sleep 2
members="$members $(trees)"
end -KILL`;

/** After this time without a group the shell ends; servers and commands that follow each other share one. */
const IDLE_TIMEOUT_MS = 2000;

/**
 * The one watchdog of this process, and the groups it is told of. Shared by all clients, because to start a shell for each group
 * would cost a large process more than the shell itself: its memory is copied, page table by page table.
 */
const groups = new Set<number>();
let watchdog: ChildProcess | undefined;
let idle: NodeJS.Timeout | undefined;

/**
 * Sees to it that a process group, and children that left it (setsid), do not outlive this process, even if this process is killed without a chance to
 * clean up. A shell of about a megabyte that sleeps in `read`; on Windows the system itself ends children with their
 * parent. Returns a function to be called when the group has ended.
 */
export function watchGroup(pid: number): () => void {
  if (process.platform === "win32") return () => {};
  clearTimeout(idle);
  groups.add(pid);
  if (watchdog === undefined) start();
  else watchdog.stdin?.write(`+ ${pid}\n`);
  return () => release(pid);
}

function start(): void {
  const started: ChildProcess = spawn("/bin/sh", ["-c", SCRIPT, "mci-watchdog", String(process.pid)], {
    stdio: ["pipe", "ignore", "ignore"],
    env: { PATH: "/usr/bin:/bin" },
    // In a session of its own: an interrupt from the terminal must not end the watchdog before it has done its work.
    detached: true,
  });
  watchdog = started;
  const onEnd = (isKilled: boolean) => {
    if (watchdog !== started) return;
    watchdog = undefined;
    if (isKilled && groups.size > 0) start();
  };
  // One that exits by itself cannot run here, and would not at the second try.
  started.once("exit", (_, signal) => onEnd(signal !== null));
  // A system without a shell has no watchdog; one without file handles gives it no input.
  started.on("error", () => onEnd(false));
  started.stdin?.on("error", () => {});
  started.unref();
  (started.stdin as { unref?(): void } | null | undefined)?.unref?.();
  for (const group of groups) started.stdin?.write(`+ ${group}\n`);
}

function release(pid: number): void {
  if (!groups.delete(pid)) return;
  watchdog?.stdin?.write(`- ${pid}\n`);
  if (groups.size > 0) return;
  clearTimeout(idle);
  idle = setTimeout(() => {
    watchdog?.stdin?.end();
    watchdog = undefined;
  }, IDLE_TIMEOUT_MS).unref();
}
